import { say } from '../../../words/speech.ts';
import { parseDurationFlag } from '../../flag-values.ts';
import { type Interfaces, switchFlag, valueFlag } from '../../oclif.ts';
import { createEndSignal, runWatchesOf, WatchCommand, watchNameArgument } from '../../watch-command.ts';

export default class WatchRun extends WatchCommand {
  static override args: Interfaces.ArgInput = { name: { ...watchNameArgument, required: false } };
  static override flags: Interfaces.FlagInput = {
    'wait-lock': valueFlag('wait up to this long for another run to finish (5m)', 'DURATION'),
    'retry-dead': switchFlag('retry abandoned messages'),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WatchRun);
    const signal = createEndSignal();
    const { 'retry-dead': retriesDead, 'wait-lock': wait } = flags;
    const waitMs = wait === undefined ? 0 : parseDurationFlag('--wait-lock', wait);
    const outcome = await runWatchesOf(this, this.settingsWith(), { name: args.name, signal, retriesDead, waitMs });
    if (outcome === null) return this.note(say`there are no watches`);
    if (flags.json || !flags.quiet) await this.print(outcome.report, outcome.text);
    if (outcome.error && !signal.aborted) throw outcome.error;
  }
}
