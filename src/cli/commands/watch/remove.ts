import { removeWatch } from '../../../store/watches.ts';
import { say } from '../../../words/speech.ts';
import { WatchCommand, watchNameArgument } from '../../watch-command.ts';

export default class WatchRemove extends WatchCommand {
  static override args = { name: watchNameArgument };

  async run(): Promise<void> {
    const { args } = await this.parse(WatchRemove);
    const { book, watch } = this.openWatch(args.name);
    removeWatch(book, watch.name);
    if (this.common.json) await this.print({ removed: args.name }, '');
    else this.note(say`removed the watch ${args.name}`);
  }
}
