import { Args, Flags } from '@oclif/core';
import { kindOf } from '../../model/kinds.ts';
import type { PoliticianSort } from '../../store/politicians.ts';
import { writeAnswer } from '../../terminal/answer.ts';
import { writeRecord } from '../../terminal/record-view.ts';
import { ReadingCommand } from '../reading-command.ts';

export default class Politicians extends ReadingCommand {
  static override summary = 'list politicians, or show the profile of one';
  static override examples = [
    {
      description: 'The members of a party, by name',
      command: '<%= config.bin %> politicians --party alliance-des-rivages',
    },
    {
      description: 'One profile, by slug or by name',
      command: '<%= config.bin %> politicians "Océane Bruyèvre"',
    },
    {
      description: 'The hundred that were updated last, as CSV',
      command: '<%= config.bin %> politicians --sort updated_at --limit 100 --format csv',
    },
  ];
  static override args = {
    name: Args.string({ ignoreStdin: true, description: 'slug or name of one politician', required: false }),
  };
  static override flags = {
    query: Flags.string({ char: 'q', description: 'words that the name must hold, each from its beginning' }),
    party: Flags.string({ description: 'slug or name of a party or parliamentary group' }),
    sort: Flags.string({
      description: 'order: by name, or newest first',
      options: ['name', 'freshness', 'updated_at'],
      default: 'name',
    }),
    limit: Flags.integer({ description: 'how many', min: 1, default: 20 }),
    cursor: Flags.string({ description: 'go on where a list ended (its next_cursor)' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Politicians);
    const { source, attribution } = await this.source(flags, ['politician']);
    if (args.name !== undefined) {
      const { item, origin } = await source.politician(args.name);
      return writeRecord(
        { item, origin, kind: 'politician', attribution: attribution(origin.as_of) },
        this.outputOptions(flags),
        this.sinks(),
      );
    }
    const { query: q, party, limit, cursor } = flags;
    const listing = await source.politicians({ q, party, sort: flags.sort as PoliticianSort, limit, cursor });
    const columns = kindOf('politician').listColumns;
    await writeAnswer(
      { ...listing, columns, attribution: attribution(listing.origin.as_of) },
      this.outputOptions(flags),
      this.sinks(),
    );
  }
}
