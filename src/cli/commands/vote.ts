import { Args, Flags } from '@oclif/core';
import { type Chamber, chambers } from '../../model/ballot.ts';
import { splitReference } from '../../store/to-fetch.ts';
import { writeRecord } from '../../terminal/record-view.ts';
import { ReadingCommand } from '../reading-command.ts';

export default class Vote extends ReadingCommand {
  static override summary = 'one ballot, with its votes by party';
  static override description =
    'The result is what the chamber announced; a count that it does not publish is shown empty, never as 0.';
  static override examples = [
    { description: 'A ballot of the Assemblée nationale', command: '<%= config.bin %> vote VAL1V4' },
    { description: 'A ballot of the Sénat', command: '<%= config.bin %> vote 2026-6 --chamber Senat' },
  ];
  static override args = {
    scrutin_id: Args.string({
      ignoreStdin: true,
      description: 'id of the ballot, or CHAMBER:ID',
      required: true,
    }),
  };
  static override flags = {
    chamber: Flags.string({
      description: 'chamber that held the ballot',
      options: [...chambers],
      default: 'AN',
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Vote);
    const named = splitReference(args.scrutin_id) ?? {
      chamber: flags.chamber as Chamber,
      scrutinId: args.scrutin_id,
    };
    const { source, attribution } = await this.source(flags, ['ballot']);
    const { item, origin } = await source.ballot(named.chamber ?? 'AN', named.scrutinId);
    await writeRecord(
      { item, origin, kind: 'ballot', attribution: attribution(origin.as_of) },
      this.outputOptions(flags),
      this.sinks(),
    );
  }
}
