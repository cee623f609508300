import { say } from '../../../words/speech.ts';
import { Flags, type Interfaces } from '../../oclif.ts';
import { onEndSignal } from '../../process.ts';
import { WatchCommand, watchNameArgument } from '../../watch-command.ts';
import { runWatchesOf } from '../../watch-run.ts';

export default class WatchRun extends WatchCommand {
  static override summary = 'have the watches look at the mirror, and tell what is new';
  static override description =
    'Made for cron, after a sync; nothing is asked of the service. What was not taken is tried again by a later run: after 1 and 5 minutes, half an hour, 2, 5, 10 and 10 hours; then it is given up, listed by `watch list --dead`. Whatever ends a run, each change is told once in each channel: a message that is sent again has the same id.';
  static override examples = [
    { description: 'Every night', command: '<%= config.bin %> sync --quiet --watch' },
    {
      description: 'What waits, from cron every five minutes',
      command: '<%= config.bin %> watch run --quiet',
    },
    {
      description: 'Send again what nobody took',
      command: '<%= config.bin %> watch run --retry-dead',
    },
  ];
  static override args: Interfaces.ArgInput = { name: { ...watchNameArgument, required: false } };
  static override flags: Interfaces.FlagInput = {
    'retry-dead': Flags.boolean({ description: 'try once more what was given up' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WatchRun);
    const controller = new AbortController();
    onEndSignal((exit) => {
      controller.abort();
      process.exitCode = exit;
    });
    const ended = await runWatchesOf({
      settings: this.settingsWith(flags),
      userAgent: this.userAgent,
      closing: (opened) => this.closing(opened),
      signal: controller.signal,
      note: (line) => {
        if (!flags.quiet) this.sinks().stderr(line);
      },
      name: args.name,
      isRetried: flags['retry-dead'],
    });
    if (ended === null) {
      if (!flags.quiet) this.sinks().stderr(say`nothing is watched`);
      return;
    }
    if (flags.json) await this.sinks().stdout.write(`${JSON.stringify(ended.report)}\n`);
    else if (!flags.quiet) await this.sinks().stdout.write(`${this.speech.tell(ended.text)}\n`);
    if (ended.error && !controller.signal.aborted) throw ended.error;
  }
}
