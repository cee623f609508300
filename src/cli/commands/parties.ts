import { Args } from '@oclif/core';
import { kindOf } from '../../model/kinds.ts';
import { writeAnswer } from '../../terminal/answer.ts';
import { writeRecord } from '../../terminal/record-view.ts';
import { ReadingCommand } from '../reading-command.ts';

export default class Parties extends ReadingCommand {
  static override summary = 'list parties and parliamentary groups, or show one with its members and sources';
  static override examples = [
    { description: 'All parties and groups', command: '<%= config.bin %> parties' },
    {
      description: 'One party with its members, as JSON',
      command: '<%= config.bin %> parties alliance-des-rivages --json',
    },
  ];
  static override args = {
    name: Args.string({ ignoreStdin: true, description: 'slug or name of one party', required: false }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Parties);
    const { source, attribution } = await this.source(flags, ['party']);
    if (args.name !== undefined) {
      const { item, origin } = await source.party(args.name);
      return writeRecord(
        { item, origin, kind: 'party', attribution: attribution(origin.as_of) },
        this.outputOptions(flags),
        this.sinks(),
      );
    }
    const listing = await source.parties();
    const columns = kindOf('party').listColumns;
    await writeAnswer(
      { ...listing, columns, attribution: attribution(listing.origin.as_of) },
      this.outputOptions(flags),
      this.sinks(),
    );
  }
}
