import { parties, party } from '../../questions/parties.ts';
import { argsOf, examplesOf } from '../question-flags.ts';
import { ReadingCommand } from '../reading-command.ts';

export default class Parties extends ReadingCommand {
  static override summary = 'list parties and parliamentary groups, or show one with its members and sources';
  static override examples = examplesOf(parties, party);
  static override args = argsOf(party, { isRequired: false });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Parties);
    if (args.slug !== undefined) return this.show(party, this.valuesOf(party, args), flags);
    await this.answer(parties, {}, flags);
  }
}
