import { Flags } from '@oclif/core';
import { kindOf } from '../../model/kinds.ts';
import { writeAnswer } from '../../terminal/answer.ts';
import { ReadingCommand } from '../reading-command.ts';

export default class Audit extends ReadingCommand {
  static override summary = 'the anonymised log of moderation actions, newest first';
  static override examples = [
    { description: 'The newest entries', command: '<%= config.bin %> audit' },
    {
      description: 'What was done to promises, as CSV',
      command: '<%= config.bin %> audit --entity-type promise --limit 200 --format csv',
    },
  ];
  static override flags = {
    'entity-type': Flags.string({ description: 'only actions on this kind of record' }),
    limit: Flags.integer({ description: 'how many', min: 1, default: 20 }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Audit);
    const { source, attribution } = await this.source(flags, ['audit']);
    const listing = await source.audit({ entityType: flags['entity-type'], limit: flags.limit });
    const columns = kindOf('audit').listColumns;
    await writeAnswer(
      { ...listing, columns, attribution: attribution(listing.origin.as_of) },
      this.outputOptions(flags),
      this.sinks(),
    );
  }
}
