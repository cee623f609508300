import { Flags } from '@oclif/core';
import { feed } from '../../questions/feed.ts';
import { examplesOf, flagsOf } from '../question-flags.ts';
import { ReadingCommand } from '../reading-command.ts';

export default class Feed extends ReadingCommand {
  static override summary = 'the feed of sourced facts, newest first';
  static override examples = examplesOf(feed);
  static override flags = {
    ...flagsOf(feed),
    all: Flags.boolean({ description: 'to the end of the feed, without a limit' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Feed);
    const values = this.valuesOf(feed, flags);
    if (!flags.all) return void (await this.answer(feed, values, flags));
    await this.answer(feed, { ...values, limit: 50 }, flags, { isWhole: true });
  }
}
