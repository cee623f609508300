import { feedOfPeople } from '../../questions/feed.ts';
import { feedBlocks } from '../../terminal/feed-view.ts';
import { examplesOf, flagsOf } from '../question-flags.ts';
import { ReadingCommand } from '../reading-command.ts';
import { wordsArg } from '../typed-words.ts';

export default class Feed extends ReadingCommand {
  static override examples = examplesOf(feedOfPeople);
  static override strict = false;
  static override args = wordsArg;
  static override flags = flagsOf(feedOfPeople);

  async run(): Promise<void> {
    const { argv, flags: typed } = await this.parse(Feed);
    const flags = this.withWords(feedOfPeople, argv, typed);
    const values = this.valuesOf(feedOfPeople, flags);
    const view = this.terminal().isTTY ? { blocks: feedBlocks } : {};
    await this.answer(feedOfPeople, values, flags, view);
  }
}
