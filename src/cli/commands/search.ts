import { Args, Flags } from '@oclif/core';
import { UsageError } from '../../errors.ts';
import type { Listing } from '../../questions/source.ts';
import { kindNamed } from '../../sync/import.ts';
import { writeAnswer } from '../../terminal/answer.ts';
import { ReadingCommand, refuseAsOf } from '../reading-command.ts';

export default class Search extends ReadingCommand {
  static override summary = 'search politicians, parties, content and speeches';
  static override description =
    `Accents, hyphens, apostrophes and endings do not matter; "quoted words" must stand together; word* finds what begins so.`;
  static override examples = [
    { description: 'All words, anywhere', command: '<%= config.bin %> search retraites des gardiens' },
    {
      description: 'Only speeches and promises',
      command: '<%= config.bin %> search "nuit en train" --type speech,promise',
    },
    { description: 'The next program gets JSON', command: '<%= config.bin %> search 49.3 --json' },
  ];
  static override strict = false;
  static override args = {
    query: Args.string({ ignoreStdin: true, description: 'what to look for', required: true }),
  };
  static override flags = {
    type: Flags.string({ description: 'kinds to search, with commas between', helpValue: 'KIND,…' }),
    limit: Flags.integer({ description: 'how many', min: 1, default: 20 }),
    semantic: Flags.boolean({
      description: 'search by meaning where the source can, else full text, said so',
    }),
    topic: Flags.string({ description: 'only records of this topic' }),
    k: Flags.integer({ char: 'k', description: 'how many, for --semantic', min: 1, max: 50 }),
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Search);
    refuseAsOf(flags, 'search knows the records of now');
    const query = argv.join(' ');
    if (query.trim() === '') throw new UsageError('there is nothing to search for', 'name a word or a name');
    const types = flags.type?.split(',').map((word) => kindNamed(word.trim()).name);
    const { source, attribution } = await this.source(flags);
    const listing = await source.search({
      query,
      types,
      limit: flags.k ?? flags.limit,
      semantic: flags.semantic === true,
      topic: flags.topic,
    });
    const columns = ['type', 'slug', 'title', 'snippet', 'politician', 'date'];
    const allColumns = ['type', 'slug', 'id', 'title', 'snippet', 'score', 'politician', 'date'];
    await writeAnswer(
      {
        ...listing,
        columns,
        allColumns,
        notes: notesOf(listing),
        attribution: attribution(listing.origin.as_of),
      },
      this.outputOptions(flags),
      this.sinks(),
    );
  }
}

function notesOf({ extra }: Listing): string[] {
  const suggestions = (extra?.suggestions ?? []) as { slug: string; full_name: string }[];
  return [
    ...(extra?.fallback === true ? ['semantic search is not available here; full text answered'] : []),
    ...(suggestions.length > 0
      ? [`did you mean: ${suggestions.map(({ full_name, slug }) => `${full_name} (${slug})`).join(', ')}?`]
      : []),
  ];
}
