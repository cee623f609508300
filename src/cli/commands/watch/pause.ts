import { editWatch } from '../../../store/watches.ts';
import { say } from '../../../words/speech.ts';
import { switchFlag } from '../../oclif.ts';
import { WatchCommand, watchNameArgument } from '../../watch-command.ts';

export default class WatchPause extends WatchCommand {
  static override args = { name: watchNameArgument };
  static override flags = { resume: switchFlag('resume') };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WatchPause);
    const { book, watch } = this.openWatch(args.name);
    const pausedAt = flags.resume ? null : (watch.pausedAt ?? new Date().toISOString());
    editWatch(book, { ...watch, pausedAt });
    if (this.common.json) return this.print({ name: watch.name, paused_at: pausedAt }, '');
    this.note(
      flags.resume
        ? say`the watch ${watch.name} resumes`
        : say`the watch ${watch.name} is paused; resume it with \`hemicycle watch pause ${watch.name} --resume\``,
    );
  }
}
