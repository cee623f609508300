import { vote } from '../../questions/vote.ts';
import { splitReference } from '../../store/to-fetch.ts';
import { argsOf, examplesOf, flagsOf } from '../question-flags.ts';
import { ReadingCommand } from '../reading-command.ts';

export default class Vote extends ReadingCommand {
  static override summary = 'one ballot, with its votes by party';
  static override description = vote.description;
  static override examples = examplesOf(vote);
  static override args = argsOf(vote);
  static override flags = flagsOf(vote);

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Vote);
    const values = this.valuesOf(vote, { ...args, ...flags });
    const named = splitReference(values.scrutin_id);
    const whole = named ? { scrutin_id: named.scrutinId, chamber: named.chamber ?? 'AN' } : values;
    await this.show(vote, whole, flags);
  }
}
