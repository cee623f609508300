import { politician, politicians } from '../../questions/politicians.ts';
import { argsOf, examplesOf, flagsOf } from '../question-flags.ts';
import { ReadingCommand } from '../reading-command.ts';

export default class Politicians extends ReadingCommand {
  static override summary = 'list politicians, or show the profile of one';
  static override examples = examplesOf(politicians, politician);
  static override args = argsOf(politician, { isRequired: false });
  static override flags = flagsOf(politicians);

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Politicians);
    if (args.slug !== undefined) return this.show(politician, this.valuesOf(politician, args), flags);
    await this.answer(politicians, this.valuesOf(politicians, flags), flags);
  }
}
