import { resolve } from 'node:path';
import { UsageError } from '../../../errors.ts';
import { type Scheduler, schedulers, scheduleText } from '../../../terminal/schedule-text.ts';
import { say } from '../../../words/speech.ts';
import { HemicycleCommand } from '../../base-command.ts';
import { jobFlags, jobs } from '../../jobs.ts';
import { Flags, type Interfaces } from '../../oclif.ts';
import { settingKeys } from '../../setting-table.ts';

export default class SchedulePrint extends HemicycleCommand {
  static override flags: Interfaces.FlagInput = {
    cron: Flags.boolean({ description: 'lines for a crontab', exclusive: ['systemd'] }),
    systemd: Flags.boolean({ description: 'services and timers', exclusive: ['cron'] }),
    at: Flags.string({ description: 'time of day', helpValue: 'HH:MM', default: '03:17' }),
    ...jobFlags,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(SchedulePrint);
    const scheduler = schedulers.find((each) => flags[each]);
    if (!scheduler) throw new UsageError(say`no scheduler is named`, say`choose --cron or --systemd`);
    const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(flags.at) ?? [];
    if (hour === undefined) throw new UsageError(say`--at "${flags.at}" is no time of day`, say`write 03:17`);
    const settings = this.settingsWith();
    // The scheduler runs them with another working directory, PATH and environment.
    // A package's launcher keeps its path from version to version.
    const { HEMICYCLE_LAUNCHER: launcher } = process.env;
    const program = launcher ? [launcher] : [process.execPath, process.argv[1] ?? this.config.bin];
    const text = scheduleText(scheduler as Scheduler, {
      jobs: jobs.flatMap(({ name, title, isOften = false, words }) => {
        const typed = words(flags, settings);
        return typed === null
          ? []
          : [{ name, title, isOften, command: [...program, ...typed, '--db', resolve(settings.db)] }];
      }),
      hour: Number(hour),
      minute: Number(minute),
    });
    const { stdout, stderr } = this.sinks();
    await stdout.write(text);
    // The printed commands state the mirror and the service themselves.
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
