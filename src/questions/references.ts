import { AmbiguousNameError, NotFoundError } from '../errors.ts';
import { type Kind, type KindName, kinds } from '../model/kinds.ts';
import { namedKinds } from '../names/database.ts';
import { candidatesIn, type KeyedName, resolveSlug } from '../names/lookup.ts';
import type { Mirror } from '../store/mirror.ts';
import { resolveRecords } from '../store/records/reference.ts';
import { refuseWithheld } from '../store/tombstones.ts';
import { say } from '../words/speech.ts';

/** Resolves a text to kind and key; throws if several match. Unmatched, it is a key of `kind`, else a name. */
export function resolveReference(mirror: Mirror, text: string, kind: Kind | null = null) {
  const matches = resolveRecords(mirror, text, kind);
  const candidates = matches.map(({ kind: { name }, key, title }) => ({ key: `${name}:${key}`, name: title ?? name }));
  if (matches.length > 1) throw new AmbiguousNameError(text, candidates, say`kind and key`);
  const [onlyMatch] = matches;
  if (onlyMatch) return { kind: onlyMatch.kind.name, key: onlyMatch.key };
  if (kind !== null) return { kind: kind.name, key: text }; // the caller reports a missing record
  for (const { name } of kinds) refuseWithheld(mirror, name, text);
  const { matches: namedMatches, suggestions } = findByName(mirror, text);
  if (namedMatches.length > 1) throw new AmbiguousNameError(text, namedMatches, say`kind and key`);
  if (namedMatches[0]) return { kind: namedMatches[0].kind, key: namedMatches[0].slug };
  throw new NotFoundError(
    say`no record has the key "${text}" in the mirror`,
    say`add its kind: \`hemicycle show KIND KEY\`; to find records by words: \`hemicycle search WORD\``,
    suggestions,
  );
}

/** A politician or party; `key` is `KIND:SLUG`. */
type NamedCandidate = KeyedName & { kind: KindName; slug: string };

/** Finds politicians and parties by name; `suggestions` are those with similar names. */
function findByName(mirror: Mirror, text: string) {
  const matches: NamedCandidate[] = [];
  const suggestions: NamedCandidate[] = [];
  for (const kind of namedKinds) {
    const resolution = resolveSlug(mirror, kind, text);
    const toCandidate = (each: KeyedName) => ({ ...each, key: `${kind}:${each.key}`, kind, slug: each.key });
    if (resolution.match === 'none') suggestions.push(...resolution.suggestions.map(toCandidate));
    else matches.push(...candidatesIn(resolution).map(toCandidate));
  }
  return { matches, suggestions };
}
