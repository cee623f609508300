import { removeWatch } from '../../../store/watches.ts';
import { say } from '../../../words/speech.ts';
import { findWatch, WatchCommand, watchNameArgument } from '../../watch-command.ts';

export default class WatchRemove extends WatchCommand {
  static override args = { name: watchNameArgument };

  async run(): Promise<void> {
    const { args } = await this.parse(WatchRemove);
    const book = this.watchesIfAny();
    removeWatch(book!, findWatch(book, args.name).name);
    if (this.common.json) await this.print({ removed: args.name }, '');
    else this.note(say`removed the watch ${args.name}`);
  }
}
