import { Args } from '@oclif/core';
import { AmbiguousNameError, NotFoundError } from '../errors.ts';
import type { KindName } from '../model/kinds.ts';
import type { Mirror } from '../store/mirror.ts';
import { findReferences } from '../store/reference.ts';

/** The arguments of a command about any one record: KIND KEY, or one text that names it. */
export const referenceArgs = {
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

/** What such a command says of its arguments. */
export const referenceHelp =
  'A record is named by its kind and key, as KIND:KEY, by the CHAMBER:ID of a ballot, by its own address, or by any id that was printed.';

/** The one record that a text names; throws where there is none, or several. */
export function referredTo(mirror: Mirror, reference: string): { kind: KindName; key: string } {
  const found = findReferences(mirror, reference);
  if (found.length > 1)
    throw new AmbiguousNameError(
      reference,
      found.map(({ kind, key }) => ({ key: `${kind.name}:${key}`, name: kind.name })),
      'kind and key',
    );
  const [only] = found;
  if (!only)
    throw new NotFoundError(
      `no record has the key "${reference}" in the mirror`,
      [],
      'name its kind too: `hemicycle show KIND KEY`; `hemicycle search` finds records by their words',
    );
  return { kind: only.kind.name, key: only.key };
}
