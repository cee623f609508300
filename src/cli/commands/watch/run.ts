import { say } from '../../../words/speech.ts';
import { durationTyped } from '../../flag-values.ts';
import { examples, Flags, type Interfaces } from '../../oclif.ts';
import { endSignal, runWatchesOf, WatchCommand, watchNameArgument } from '../../watch-command.ts';

export default class WatchRun extends WatchCommand {
  static override summary = 'have the watches look at the mirror, and tell what is new';
  static override description =
    'Made for cron, after a sync; nothing is asked of the service. What was not taken is tried again by a later run: after 1 and 5 minutes, half an hour, 2, 5, 10 and 10 hours; then it is given up, listed by `watch list --dead`. Whatever ends a run, each change is told once in each channel: a message that is sent again has the same id.';
  static override examples = examples(
    ['Every night', 'sync --quiet --watch'],
    ['What waits, from cron every five minutes', 'watch run --quiet'],
    ['Send again what nobody took', 'watch run --retry-dead'],
  );
  static override args: Interfaces.ArgInput = { name: { ...watchNameArgument, required: false } };
  static override flags: Interfaces.FlagInput = {
    'wait-lock': Flags.string({
      description: 'wait that long for another run to end (5m)',
      helpValue: 'DURATION',
    }),
    'retry-dead': Flags.boolean({ description: 'try once more what was given up' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WatchRun);
    const signal = endSignal();
    const { name } = args;
    const isRetried = flags['retry-dead'];
    const wait = flags['wait-lock'];
    const waitMs = wait === undefined ? 0 : durationTyped('--wait-lock', wait);
    const ended = await runWatchesOf(this, this.settingsWith(), { signal, name, isRetried, waitMs });
    if (ended === null) return this.note(say`nothing is watched`);
    if (flags.json || !flags.quiet) await this.print(ended.report, ended.text);
    if (ended.error && !signal.aborted) throw ended.error;
  }
}
