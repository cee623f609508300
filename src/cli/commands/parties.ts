import { parties, party } from '../../questions/parties.ts';
import { argsOf, examplesOf } from '../question-flags.ts';
import { ReadingCommand } from '../reading-command.ts';
import { nameTyped } from '../reference-args.ts';

export default class Parties extends ReadingCommand {
  static override summary = 'list parties and parliamentary groups, or show one with its members and sources';
  static override examples = examplesOf(parties, party);
  static override strict = false;
  static override args = argsOf(party, { isRequired: false });

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Parties);
    // A name may be typed without quotes.
    if (argv.length > 0) {
      const slug = nameTyped(() => this.mirror(), 'party', argv as string[]);
      return this.show(party, this.valuesOf(party, { slug }), flags);
    }
    await this.answer(parties, {}, flags);
  }
}
