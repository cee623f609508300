import { AmbiguousNameError, NotFoundError } from '../errors.ts';
import { say, wordPhrase } from '../words/speech.ts';
import type { Candidate } from './candidate.ts';
import { isHeld, type NameDatabase, type NamedKind } from './database.ts';
import { guessNames } from './guess.ts';
import { byName, type KeyedName } from './nearness.ts';
import { bearersOf, distinctNames, surestMatches } from './rules.ts';
import { searchNames } from './search.ts';
import { nameSource } from './source.ts';

export type { NamedKind } from './database.ts';
export type { KeyedName } from './nearness.ts';

/** What a name stands for: one key, several candidates between which nobody may choose, or nothing but guesses. */
export type Resolution =
  | { match: 'one'; key: string }
  | { match: 'several'; candidates: KeyedName[] }
  | { match: 'none'; suggestions: KeyedName[] };

const mostSuggested = 5;

/**
 * Returns what a person meant by a slug or a name (see `surestMatches`). Near misses are only ever suggested, 5 at most, of those
 * that `near` gives; candidates with the same key count once.
 */
export function resolveName(
  input: string,
  candidates: readonly Candidate[],
  near: () => readonly Candidate[] = () => candidates,
): Resolution {
  const found = distinctNames(surestMatches(input, candidates));
  if (found.length > 1) return { match: 'several', candidates: found.sort(byName) };
  if (found[0] !== undefined) return { match: 'one', key: found[0].key };
  const guesses = guessNames(input, near()).map(({ candidate }) => candidate);
  return { match: 'none', suggestions: distinctNames(guesses).slice(0, mostSuggested) };
}

/** The slug that a slug or a human name means; throws NotFoundError with near misses, or AmbiguousNameError. */
export function findSlug(db: NameDatabase, kind: NamedKind, input: string): string {
  const found = resolveSlug(db, kind, input);
  if (found.match === 'one') return found.key;
  if (found.match === 'several') throw new AmbiguousNameError(input, found.candidates);
  throw new NotFoundError(
    say`no ${wordPhrase(kind)} is called "${input}" in the mirror`,
    found.suggestions,
    say`look for one with \`hemicycle search\` or list them with \`hemicycle ${kind === 'party' ? 'parties' : 'politicians -q WORD'}\``,
  );
}

/** What a slug or a human name means among the records of a kind. */
export function resolveSlug(db: NameDatabase, kind: NamedKind, input: string): Resolution {
  if (isHeld(db, kind, input)) return { match: 'one', key: input };
  const { named, near } = nameSource(db, kind, input);
  const found = resolveName(input, named(), near);
  if (found.match !== 'none' || found.suggestions.length > 0) return found;
  // Whom a sentence names may be meant by it.
  const { names } = searchNames(db, input, { kinds: [kind], limit: mostSuggested, areGuessed: false });
  return { match: 'none', suggestions: distinctNames(names) };
}

/** The slug of the one record that a slug or a human name means, or null; throws an AmbiguousNameError for several. */
export function slugMeant(db: NameDatabase, kind: NamedKind, input: string): string | null {
  const found = resolveSlug(db, kind, input);
  if (found.match === 'several') throw new AmbiguousNameError(input, found.candidates);
  return found.match === 'one' ? found.key : null;
}

/** True for text in the form of a slug: lower case words with hyphens between. */
export function isSlug(text: string): boolean {
  return /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text);
}

/** The slugs that are written with commas between, each once. */
export function slugsIn(written: string): string[] {
  const slugs = written.split(',').map((slug) => slug.trim());
  return [...new Set(slugs.filter((slug) => slug !== ''))];
}

/** The slug that a filter means: a slug that any record names, or a human name as in findSlug. */
export function findFilterSlug(db: NameDatabase, kind: NamedKind, input: string): string {
  return isNamedSlug(db, kind, input) ? input : findSlug(db, kind, input);
}

/**
 * The slugs that a filter of texts means, the likeliest first: of a short name every party and group that bears it, for
 * texts are filed under the groups of their legislature; else the one of findFilterSlug.
 */
export function findFilterSlugs(db: NameDatabase, kind: NamedKind, input: string): string[] {
  if (isNamedSlug(db, kind, input)) return [input];
  const bearers = kind === 'party' ? bearersOf(input, nameSource(db, kind, input).named()) : [];
  if (bearers.length === 0) return [findSlug(db, kind, input)];
  return [...bearers]
    .sort((one, other) => (other.preference ?? 0) - (one.preference ?? 0))
    .map(({ key }) => key);
}

/** True if a record has that slug, or names it as its politician, party or group. */
export function isNamedSlug(db: NameDatabase, kind: NamedKind, slug: string): boolean {
  const columns = kind === 'party' ? ['party', 'group_slug'] : ['politician'];
  const names = (column: string) =>
    db.sql(`SELECT 1 FROM record WHERE ${column} = ? AND withdrawn IS NULL LIMIT 1`).get(slug) !== undefined;
  return isHeld(db, kind, slug) || columns.some(names);
}

/**
 * The slugs of the groups that a person means in a question about ballots, of those that voted in any: a slug, every group
 * that bore a short name (several legislatures have their RN), or the one of a name. Throws as findSlug does, and a
 * NotFoundError for a party or group that is known and voted in none.
 */
export function findGroups(db: NameDatabase, input: string, voting: ReadonlySet<string>): string[] {
  const asked = input.trim();
  if (voting.has(asked)) return [asked];
  const { named, near } = nameSource(db, 'party', asked);
  // Groups of several legislatures have had one name: what texts call one of them by chooses none.
  const candidates = named()
    .filter(({ key }) => voting.has(key))
    .map((candidate) => ({ ...candidate, acronyms: [] }));
  const bearers = bearersOf(asked, candidates);
  if (bearers.length > 0) return bearers.map(({ key }) => key);
  const found = resolveName(asked, candidates, () => near().filter(({ key }) => voting.has(key)));
  if (found.match === 'one') return [found.key];
  if (found.match === 'several') throw new AmbiguousNameError(input, found.candidates);
  // A name of nothing is told as elsewhere; one of something else than a voting group as that.
  const slug = findSlug(db, 'party', input);
  const reason = voting.has(slug)
    ? say`no group is called "${input}" in the ballots of this mirror`
    : say`${slug} has voted in no ballot of this mirror`;
  throw new NotFoundError(reason, found.suggestions);
}

/** Records that a slug which does not exist may have meant, by their names; 5 at most. */
export function nearSlugs(db: NameDatabase, kind: NamedKind, slug: string): KeyedName[] {
  const found = resolveSlug(db, kind, slug.slice(0, 100).replaceAll('-', ' '));
  if (found.match === 'none') return found.suggestions;
  if (found.match === 'several') return found.candidates.slice(0, mostSuggested);
  const name = db
    .column<string | null>('SELECT name FROM record WHERE kind = ? AND key = ?')
    .get(kind, found.key);
  return [{ key: found.key, name: name ?? found.key }];
}

/** Politicians whose names are one or two slips away from the query, best first. */
export function similarNames(db: NameDatabase, query: string, limit: number): KeyedName[] {
  const found = guessNames(query, nameSource(db, 'politician', query).near());
  return distinctNames(found.map(({ candidate }) => candidate)).slice(0, limit);
}
