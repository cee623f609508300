import { Args } from '@oclif/core';
import { AmbiguousNameError, NotFoundError } from '../../errors.ts';
import { record } from '../../questions/record.ts';
import { findReferences } from '../../store/reference.ts';
import { examplesOf } from '../question-flags.ts';
import { ReadingCommand } from '../reading-command.ts';

export default class Show extends ReadingCommand {
  static override summary = record.summary;
  static override description =
    'A record is named by its kind and key, as KIND:KEY, by the CHAMBER:ID of a ballot, or by any id that was printed.';
  static override examples = examplesOf(record);
  static override args = {
    reference: Args.string({
      ignoreStdin: true,
      description: 'kind of record, or all of it',
      required: true,
    }),
    key: Args.string({
      ignoreStdin: true,
      description: 'slug, id, or CHAMBER:ID of a ballot',
      required: false,
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Show);
    const { reference, key } = args;
    if (key !== undefined) return this.show(record, this.valuesOf(record, { kind: reference, key }), flags);
    const found = findReferences(this.mirror(this.settingsWith(flags)), reference);
    if (found.length > 1)
      throw new AmbiguousNameError(
        reference,
        found.map(({ kind, key }) => ({ key: `${kind.name}:${key}`, name: kind.name })),
      );
    const [only] = found;
    if (!only)
      throw new NotFoundError(
        `no record has the key "${reference}" in the mirror`,
        [],
        'name its kind too: `hemicycle show KIND KEY`; `hemicycle search` finds records by their words',
      );
    await this.show(record, { kind: only.kind.name, key: only.key }, flags);
  }
}
