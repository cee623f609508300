import { resolve } from 'node:path';
import { Flags } from '@oclif/core';
import { UsageError } from '../../../errors.ts';
import { type Scheduler, schedulers, scheduleText } from '../../../terminal/schedule-text.ts';
import { HemicycleCommand } from '../../base-command.ts';
import { settingKeys } from '../../setting-table.ts';

export default class SchedulePrint extends HemicycleCommand {
  static override summary = 'print what cron, systemd or launchd takes to sync and export every night';
  static override description =
    'Writes nothing: the text goes to stdout, for you to read and to put where its first lines say.';
  static override examples = [
    {
      description: 'A line for crontab -e',
      command: '<%= config.bin %> schedule print --cron -o /srv/export',
    },
    {
      description: 'A service and a timer',
      command: '<%= config.bin %> schedule print --systemd --at 03:17 -o /srv/export',
    },
  ];
  static override flags = {
    cron: Flags.boolean({ description: 'a line for a crontab', exclusive: ['systemd', 'launchd'] }),
    systemd: Flags.boolean({ description: 'a service and a timer', exclusive: ['cron', 'launchd'] }),
    launchd: Flags.boolean({ description: 'a property list', exclusive: ['cron', 'systemd'] }),
    at: Flags.string({ description: 'time of day', helpValue: 'HH:MM', default: '03:17' }),
    output: Flags.string({ char: 'o', description: 'folder to export to', helpValue: 'DIR', required: true }),
    report: Flags.string({ description: 'file for the report of each sync', helpValue: 'FILE' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(SchedulePrint);
    const scheduler = schedulers.find((each) => flags[each]);
    if (!scheduler) throw new UsageError('no scheduler is named', 'choose --cron, --systemd or --launchd');
    const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(flags.at) ?? [];
    if (hour === undefined) throw new UsageError(`--at "${flags.at}" is no time of day`, 'write 03:17');
    if (flags.output === '-' || flags.output === '')
      throw new UsageError('what runs every night needs a folder to export to', 'name one: -o /srv/export');
    const settings = this.settingsWith(flags);
    // What runs them has another folder, another path and another environment.
    const db = ['--db', resolve(settings.db)];
    const from = settings.baseUrl === null ? [] : ['--from', settings.baseUrl];
    const report = flags.report === undefined ? [] : ['--report', resolve(flags.report)];
    const text = scheduleText(scheduler as Scheduler, {
      program: [process.execPath, process.argv[1] ?? this.config.bin],
      sync: ['sync', '--quiet', '--wait-lock', '1h', ...from, ...db, ...report],
      export: ['export', '--all', '--if-changed', '--quiet', ...db, '-o', `${resolve(flags.output)}/`],
      hour: Number(hour),
      minute: Number(minute),
    });
    const { stdout, stderr } = this.sinks();
    await stdout.write(text);
    if (settings.stated.token.origin === 'environment')
      stderr(
        'the token of your environment will not be known there: `hemicycle config set token < FILE` keeps it',
      );
    const unknown = settingKeys.filter(
      (key) => settings.stated[key].origin === 'environment' && !['token', 'db', 'base-url'].includes(key),
    );
    if (unknown.length > 0)
      stderr(
        `set in your environment, which will not be known there: ${unknown.join(', ')}; \`hemicycle config set\` keeps them`,
      );
    if (settings.baseUrl === null)
      stderr(
        'no address of the service is set, without which the sync will end with exit 10: `hemicycle config set base-url URL`',
      );
  }
}
