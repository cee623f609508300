import { feedOfPeople } from '../../questions/feed.ts';
import { feedBlocks } from '../../terminal/feed-view.ts';
import { Flags } from '../oclif.ts';
import { examplesOf, flagsOf } from '../question-flags.ts';
import { ReadingCommand } from '../reading-command.ts';

export default class Feed extends ReadingCommand {
  static override summary = 'the feed of sourced facts, newest first';
  static override examples = examplesOf(feedOfPeople);
  static override flags = {
    ...flagsOf(feedOfPeople),
    all: Flags.boolean({ description: 'to the end of the feed, without a limit' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Feed);
    const values = this.valuesOf(feedOfPeople, flags);
    const view = this.terminal().isTTY ? { blocks: feedBlocks } : {};
    if (!flags.all) return void (await this.answer(feedOfPeople, values, flags, view));
    await this.answer(feedOfPeople, { ...values, limit: 50 }, flags, { ...view, isWhole: true });
  }
}
