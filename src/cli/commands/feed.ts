import { Flags } from '@oclif/core';
import { UsageError } from '../../errors.ts';
import { type FeedType, feedTypes } from '../../store/feed.ts';
import { writeAnswer } from '../../terminal/answer.ts';
import { ReadingCommand } from '../reading-command.ts';

export default class Feed extends ReadingCommand {
  static override summary = 'the feed of sourced facts, newest first';
  static override examples = [
    { description: 'The newest promises', command: '<%= config.bin %> feed --types promise' },
    {
      description: 'Everything of one politician, one JSON record a line',
      command: '<%= config.bin %> feed --politician oceane-bruyevre --all --format ndjson',
    },
    { description: 'One topic', command: '<%= config.bin %> feed --topic logement --limit 50' },
  ];
  static override flags = {
    types: Flags.string({ description: `with commas between: ${feedTypes.join(', ')}`, helpValue: 'TYPE,…' }),
    topic: Flags.string({ description: 'only this topic' }),
    politician: Flags.string({ description: 'slug or name of a politician' }),
    party: Flags.string({ description: 'slug or name of a party or group' }),
    limit: Flags.integer({ description: 'how many', min: 1, default: 20 }),
    cursor: Flags.string({ description: 'go on where a list ended (its next_cursor)' }),
    all: Flags.boolean({ description: 'to the end of the feed, without a limit' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Feed);
    const types = flags.types?.split(',').map(feedType);
    const { source, attribution } = await this.source(flags, types ?? feedTypes);
    const { topic, politician, party, limit, cursor, all } = flags;
    const listing = await source.feed({ types, topic, politician, party, limit, cursor, all });
    const columns = ['type', 'date', 'politician', 'party', 'topic', 'title'];
    await writeAnswer(
      { ...listing, columns, attribution: attribution(listing.origin.as_of) },
      this.outputOptions(flags),
      this.sinks(),
    );
  }
}

function feedType(word: string): FeedType {
  const type = feedTypes.find((each) => each === word.trim());
  if (!type) throw new UsageError(`"${word}" is not a type of the feed`, `types: ${feedTypes.join(', ')}`);
  return type;
}
