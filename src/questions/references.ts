import { AmbiguousNameError, NotFoundError } from '../errors.ts';
import { type Kind, type KindName, kinds } from '../model/kinds.ts';
import { namedKinds } from '../names/database.ts';
import { type KeyedName, resolveSlug } from '../names/lookup.ts';
import type { Mirror } from '../store/mirror.ts';
import { resolveRecords } from '../store/records/reference.ts';
import { refuseWithheld } from '../store/tombstones.ts';
import { say } from '../words/speech.ts';

/** Finds the kind and key of the record that a text names; throws an error if none, several or a withheld one match. */
export function resolveReference(mirror: Mirror, text: string, kind: Kind | null = null) {
  const matches = resolveRecords(mirror, text, kind);
  const candidates = matches.map(({ kind: { name }, key, title }) => ({ key: `${name}:${key}`, name: title ?? name }));
  if (matches.length > 1) throw new AmbiguousNameError(text, candidates, say`kind and key`);
  const [onlyMatch] = matches;
  if (onlyMatch) return { kind: onlyMatch.kind.name, key: onlyMatch.key };
  if (kind !== null) return { kind: kind.name, key: text };
  for (const { name } of kinds) refuseWithheld(mirror, name, text);
  const { bearers, near } = findBearers(mirror, text);
  if (bearers.length > 1) throw new AmbiguousNameError(text, bearers, say`kind and key`);
  if (bearers[0]) return { kind: bearers[0].kind, key: bearers[0].slug };
  throw new NotFoundError(
    say`no record has the key "${text}" in the mirror`,
    say`add its kind: \`hemicycle show KIND KEY\`; to find records by words: \`hemicycle search WORD\``,
    near,
  );
}

/** A politician or party with the name; `key` is `KIND:SLUG`. */
type NameBearer = KeyedName & { kind: KindName; slug: string };

function findBearers(mirror: Mirror, text: string) {
  const bearers: NameBearer[] = [];
  const near: KeyedName[] = [];
  for (const kind of namedKinds) {
    const resolution = resolveSlug(mirror, kind, text);
    const withKind = (each: KeyedName) => ({ ...each, kind, slug: each.key, key: `${kind}:${each.key}` });
    if (resolution.match === 'one') bearers.push(withKind({ key: resolution.key, name: resolution.key }));
    else if (resolution.match === 'several') bearers.push(...resolution.candidates.map(withKind));
    else near.push(...resolution.suggestions.map(withKind));
  }
  return { bearers, near };
}
