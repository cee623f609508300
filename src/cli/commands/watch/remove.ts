import { removeWatch } from '../../../store/watches.ts';
import { say } from '../../../words/speech.ts';
import { noWatch, WatchCommand, watchNameArgument } from '../../watch-command.ts';

export default class WatchRemove extends WatchCommand {
  static override summary = 'remove a watch, with what it was still to tell';
  static override examples = [
    { description: 'No longer of interest', command: '<%= config.bin %> watch remove logement' },
  ];
  static override args = { name: watchNameArgument };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WatchRemove);
    const book = this.watchesIfAny(flags);
    if (!book || !removeWatch(book, args.name!)) throw noWatch(args.name!);
    if (flags.json) await this.sinks().stdout.write(`${JSON.stringify({ removed: args.name })}\n`);
    else if (!flags.quiet) this.sinks().stderr(say`removed the watch ${args.name!}`);
  }
}
