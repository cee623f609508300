import { AmbiguousNameError, NotFoundError } from '../errors.ts';
import { fold } from '../language/fold.ts';
import { type Phrase, say, wordPhrase } from '../words/speech.ts';
import { calledBy } from './candidates.ts';
import { isHeld, type NameDatabase, type NamedKind } from './database.ts';
import { guessNames } from './guess.ts';
import { type Named, nearMisses } from './nearness.ts';
import { bearersOf, type Resolution, resolveName } from './resolve.ts';
import { searchNames } from './search.ts';
import { nameSource } from './source.ts';

export type { NamedKind } from './database.ts';
export type { Named } from './nearness.ts';

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
  const { names } = searchNames(db, input, { kinds: [kind], limit: 5, areGuessed: false });
  return { match: 'none', suggestions: names.map(({ key, name }) => ({ key, name })) };
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
    .map((candidate) => calledBy(candidate, []));
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

/**
 * Where nothing is filed under any of some parties, but their members sit in groups: these, with how many do, the most first; 3
 * at most. Texts are filed under the group of their legislature.
 */
function groupsInstead(db: NameDatabase, parties: readonly string[]): { slug: string; members: number }[] {
  if (parties.length === 0) return [];
  const asked = JSON.stringify(parties);
  const among = 'IN (SELECT value FROM json_each(?))';
  const isFiled = db.sql(
    `SELECT 1 FROM record WHERE (party ${among} OR group_slug ${among})
     AND kind NOT IN ('politician', 'party') AND withdrawn IS NULL LIMIT 1`,
  );
  if (isFiled.get(asked, asked) !== undefined) return [];
  return db
    .sql<{ slug: string; members: number }>(
      `SELECT group_slug AS slug, count(*) AS members FROM record
       WHERE kind = 'politician' AND party ${among} AND group_slug IS NOT NULL AND withdrawn IS NULL
       GROUP BY group_slug ORDER BY members DESC, slug LIMIT 3`,
    )
    .all(asked);
}

/** The same as a remark for people; none where there is nothing to say. */
export function groupsRemark(db: NameDatabase, parties: readonly string[]): Phrase[] {
  const groups = groupsInstead(db, parties).map(({ slug, members }) => `${slug} (${members})`);
  if (groups.length === 0) return [];
  return [say`no text is filed under ${parties.join(', ')}; its members sit in ${groups.join(', ')}`];
}

/** Records that a slug which does not exist may have meant, by their names; 5 at most. */
export function nearSlugs(db: NameDatabase, kind: NamedKind, slug: string): Named[] {
  const found = resolveSlug(db, kind, slug.slice(0, 100).replaceAll('-', ' '));
  if (found.match === 'none') return found.suggestions;
  if (found.match === 'several') return found.candidates.slice(0, 5);
  const name = db
    .column<string | null>('SELECT name FROM record WHERE kind = ? AND key = ?')
    .get(kind, found.key);
  return [{ key: found.key, name: name ?? found.key }];
}

/** Politicians whose names are one or two slips away from the query, best first. */
export function similarNames(db: NameDatabase, query: string, limit: number): Named[] {
  return guessNames(query, nameSource(db, 'politician', query).near())
    .slice(0, limit)
    .map(({ candidate: { key, name } }) => ({ key, name }));
}

/**
 * The one of some values that a person means, whatever its case and accents, or as `sameWord` makes words equal; throws a
 * NotFoundError with near ones, in which `what` names the kind of value.
 */
export function findValue(
  values: string[],
  input: string,
  {
    what,
    sameWord = () => undefined,
  }: { what: string; sameWord?: ((text: string) => string | undefined) | undefined },
): string {
  const plain = (text: string) => fold(text).trim();
  const word = sameWord(input);
  const found =
    values.find((value) => value === input) ??
    values.find((value) => plain(value) === plain(input)) ??
    (word === undefined ? undefined : values.find((value) => sameWord(value) === word));
  if (found !== undefined) return found;
  throw new NotFoundError(
    say`no ${wordPhrase(what)} is called "${input}" in the mirror`,
    nearValues(values, input),
    values.length === 0
      ? null
      : values.length === 1
        ? say`there is ${listed(values)}`
        : say`there are ${listed(values)}`,
  );
}

/** The values that are nearly one that is not among them, 5 at most. */
export function nearValues(values: string[], input: string): Named[] {
  return nearMisses(
    input,
    values.map((value) => ({ key: value, name: value })),
  );
}

function listed(values: string[]): string {
  const shown = values.slice(0, 12).join(', ');
  return values.length > 12 ? `${shown} and ${values.length - 12} more` : shown;
}
