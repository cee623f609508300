import { politician, politicians } from '../../questions/politicians.ts';
import { argsOf, examplesOf, flagsOf } from '../question-flags.ts';
import { ReadingCommand } from '../reading-command.ts';
import { nameTyped } from '../reference-args.ts';

export default class Politicians extends ReadingCommand {
  static override summary = 'list politicians, or show the profile of one';
  static override examples = examplesOf(politicians, politician);
  static override strict = false;
  static override args = argsOf(politician, { isRequired: false });
  static override flags = flagsOf(politicians);

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Politicians);
    // A name may be typed without quotes.
    if (argv.length > 0) {
      const slug = nameTyped(() => this.mirror(), 'politician', argv as string[]);
      return this.show(politician, this.valuesOf(politician, { slug }), flags);
    }
    await this.answer(politicians, this.valuesOf(politicians, flags), flags);
  }
}
