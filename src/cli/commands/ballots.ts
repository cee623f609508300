import { ballots } from '../../questions/ballots.ts';
import { examplesOf, flagsOf } from '../question-flags.ts';
import { ReadingCommand } from '../reading-command.ts';

export default class Ballots extends ReadingCommand {
  static override summary = 'list ballots, or find those that groups voted on in certain ways';
  static override description = ballots.description;
  static override examples = examplesOf(ballots);
  static override flags = flagsOf(ballots);

  async run(): Promise<void> {
    const { flags } = await this.parse(Ballots);
    await this.answer(ballots, this.valuesOf(ballots, flags), flags);
  }
}
