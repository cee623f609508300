import { ballots } from '../../questions/ballots.ts';
import { ballotBlocks } from '../../terminal/ballot-view.ts';
import { examplesOf, flagsOf } from '../question-flags.ts';
import { ReadingCommand } from '../reading-command.ts';
import { wordsArg } from '../typed-words.ts';

export default class Ballots extends ReadingCommand {
  static override summary = 'list ballots, or find those on which groups voted in certain ways';
  static override description = ballots.description;
  static override examples = examplesOf(ballots);
  static override strict = false;
  static override args = wordsArg;
  static override flags = flagsOf(ballots);

  async run(): Promise<void> {
    const { argv, flags: typed } = await this.parse(Ballots);
    const flags = this.withWords(ballots, argv, typed);
    // Ten columns do not fit a terminal without cutting ids that people have to type again.
    const view = this.terminal().isTTY ? { blocks: () => ballotBlocks() } : {};
    await this.answer(ballots, this.valuesOf(ballots, flags), flags, view);
  }
}
