import { UsageError } from '../errors.ts';
import { type NamedKind, resolveSlug } from '../names/lookup.ts';
import type { Mirror } from '../store/mirror.ts';
import { say, wordPhrase } from '../words/speech.ts';
import { argument, optionalArgument } from './oclif.ts';

/** The arguments of a command about any one record: KIND KEY, or one text that names it. */
export const referenceArgs = {
  reference: argument('kind of record, or all of it'),
  key: optionalArgument('slug, id, or CHAMBER:ID of a ballot'),
};

/** Help text on how to name a record. */
export const referenceHelp =
  'A record is named by its kind and key, as KIND:KEY, by the CHAMBER:ID or number of a ballot, by its own address, or by any id that was printed, in any case; people and parties by their names.';

/** Joins words typed without quotes into a name; throws a UsageError if several words match no name. */
export function nameTyped(mirror: () => Mirror, kind: NamedKind, words: string[]): string {
  const name = words.join(' ');
  if (words.length < 2) return name;
  const found = resolveSlug(mirror(), kind, name);
  if (found.match !== 'none' || found.suggestions.length > 0) return name;
  const hint = say`one is shown at a time, by a slug or a name`;
  throw new UsageError(say`no ${wordPhrase(kind)} is called "${name}" in the mirror`, hint);
}
