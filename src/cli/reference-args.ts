import { AmbiguousNameError, NotFoundError, UsageError } from '../errors.ts';
import type { Kind, KindName } from '../model/kinds.ts';
import { namedKinds } from '../names/database.ts';
import { type KeyedName, type NamedKind, resolveSlug } from '../names/lookup.ts';
import type { Mirror } from '../store/mirror.ts';
import { recordsMeant } from '../store/records/ballot-lookup.ts';
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

/** The record that a text names, of `kind` if given; throws a NotFoundError or an AmbiguousNameError. */
export function referredTo(
  mirror: Mirror,
  text: string,
  kind: Kind | null = null,
): { kind: KindName; key: string } {
  const found = recordsMeant(mirror, text, kind);
  if (found.length > 1)
    throw new AmbiguousNameError(
      text,
      found.map(({ kind: { name }, key, title }) => ({ key: `${name}:${key}`, name: title ?? name })),
      say`kind and key`,
    );
  const [only] = found;
  if (only) return { kind: only.kind.name, key: only.key };
  if (kind !== null) return { kind: kind.name, key: text };
  const { bearers, near } = recordsNamed(mirror, text);
  if (bearers.length > 1) throw new AmbiguousNameError(text, bearers, say`kind and key`);
  if (bearers[0]) return { kind: bearers[0].kind, key: bearers[0].slug };
  throw new NotFoundError(
    say`no record has the key "${text}" in the mirror`,
    near,
    say`name its kind too: \`hemicycle show KIND KEY\`; \`hemicycle search\` finds records by their words`,
  );
}

/** Joins words typed without quotes into a name; throws a UsageError if several words match no name. */
export function nameTyped(mirror: () => Mirror, kind: NamedKind, words: string[]): string {
  const name = words.join(' ');
  if (words.length < 2) return name;
  const found = resolveSlug(mirror(), kind, name);
  if (found.match !== 'none' || found.suggestions.length > 0) return name;
  throw new UsageError(
    say`no ${wordPhrase(kind)} is called "${name}" in the mirror`,
    say`one is shown at a time, by a slug or a name`,
  );
}

type NamedRecord = KeyedName & { kind: KindName; slug: string };

/** People and parties that have a name, else near matches; keys are prefixed with the kind. */
function recordsNamed(mirror: Mirror, text: string): { bearers: NamedRecord[]; near: KeyedName[] } {
  const [bearers, near]: [NamedRecord[], KeyedName[]] = [[], []];
  for (const kind of namedKinds) {
    const found = resolveSlug(mirror, kind, text);
    const keyed = (each: KeyedName) => ({ ...each, kind, slug: each.key, key: `${kind}:${each.key}` });
    if (found.match === 'one') bearers.push(keyed({ key: found.key, name: found.key }));
    else if (found.match === 'several') bearers.push(...found.candidates.map(keyed));
    else near.push(...found.suggestions.map(keyed));
  }
  return { bearers, near };
}
