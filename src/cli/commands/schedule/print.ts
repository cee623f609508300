import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { UsageError } from '../../../errors.ts';
import { type Scheduler, schedulers, scheduleText } from '../../../terminal/schedule-text.ts';
import { say } from '../../../words/speech.ts';
import { HemicycleCommand } from '../../base-command.ts';
import { namesFile } from '../../export-request.ts';
import { durationTyped } from '../../flag-values.ts';
import { examples, Flags } from '../../oclif.ts';
import { settingKeys } from '../../setting-table.ts';

export default class SchedulePrint extends HemicycleCommand {
  static override summary = 'print what cron, systemd or launchd takes to sync and export every night';
  static override description =
    'Writes nothing: the text goes to stdout, for you to read and to put where its first lines say.';
  static override examples = examples(
    ['A line for crontab -e', 'schedule print --cron -o /srv/export'],
    ['Services and a timer', 'schedule print --systemd --at 03:17 -o /srv/export'],
  );
  static override flags = {
    cron: Flags.boolean({ description: 'a line for a crontab', exclusive: ['systemd', 'launchd'] }),
    systemd: Flags.boolean({ description: 'services and a timer', exclusive: ['cron', 'launchd'] }),
    launchd: Flags.boolean({ description: 'a property list', exclusive: ['cron', 'systemd'] }),
    at: Flags.string({ description: 'time of day', helpValue: 'HH:MM', default: '03:17' }),
    output: Flags.string({ char: 'o', description: '(required) folder to export to', helpValue: 'DIR' }),
    'max-age': Flags.string({
      description: 'how old a table may be that is exported (exit 8 for others)',
      helpValue: 'DURATION',
      default: '36h',
    }),
    report: Flags.string({ description: 'file for the report of each sync', helpValue: 'FILE' }),
    'export-report': Flags.string({ description: 'file for the report of each export', helpValue: 'FILE' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(SchedulePrint);
    const scheduler = schedulers.find((each) => flags[each]);
    if (!scheduler)
      throw new UsageError(say`no scheduler is named`, say`choose --cron, --systemd or --launchd`);
    const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(flags.at) ?? [];
    if (hour === undefined) throw new UsageError(say`--at "${flags.at}" is no time of day`, say`write 03:17`);
    const folder = folderOf(flags.output);
    durationTyped('--max-age', flags['max-age']);
    const settings = this.settingsWith();
    // The scheduler runs them with another working directory, PATH and environment.
    const db = ['--db', resolve(settings.db)];
    const from = settings.baseUrl === null ? [] : ['--from', settings.baseUrl];
    const reportTo = (file: string | undefined) => (file === undefined ? [] : ['--report', resolve(file)]);
    const text = scheduleText(scheduler as Scheduler, {
      program: [process.execPath, process.argv[1] ?? this.config.bin],
      sync: ['sync', '--quiet', '--wait-lock', '1h', ...from, ...db, ...reportTo(flags.report)],
      export: [
        ...['export', '--all', '--max-age', flags['max-age'], '--if-changed', '--quiet'],
        ...db,
        ...reportTo(flags['export-report']),
        ...['-o', folder],
      ],
      log: join(homedir(), 'Library/Logs/hemicycle.log'),
      hour: Number(hour),
      minute: Number(minute),
    });
    const { stdout, stderr } = this.sinks();
    await stdout.write(text);
    // The printed command states the mirror and the service itself.
    const unknown = settingKeys.filter(
      (key) => settings.stated[key].origin === 'environment' && !['db', 'base-url'].includes(key),
    );
    if (unknown.length > 0)
      stderr(
        say`set in your environment, which will not be known there: ${unknown.join(', ')}; \`hemicycle config set\` keeps them`,
      );
    if (settings.baseUrl === null)
      stderr(
        say`no address of the service is set, without which the sync will end with exit 10: \`hemicycle config set base-url URL\``,
      );
  }
}

/** Absolute path of the folder that `-o` names; throws a UsageError if it cannot be one. */
function folderOf(output: string | undefined): string {
  const hint = say`name one: -o /srv/export`;
  if (output === undefined || output === '-' || output === '')
    throw new UsageError(say`a nightly export needs a folder`, hint);
  const path = resolve(output);
  const isOther = statSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
  if (isOther || (namesFile(output) && !existsSync(path)))
    throw new UsageError(say`${output} is a file, and a nightly export needs a folder`, hint);
  return path.endsWith('/') ? path : `${path}/`;
}
