import { AmbiguousNameError, NotFoundError, WithdrawnError } from '../errors.ts';
import { nameWords } from '../language/name.ts';
import { isStopWord } from '../language/stop-words.ts';
import { instant, say, wordPhrase } from '../words/speech.ts';
import type { Candidate } from './candidate.ts';
import { findWithdrawn, isHeld, type NameDatabase, type NamedKind } from './database.ts';
import { byName, type KeyedName } from './nearness.ts';
import nicknames from './nicknames.json' with { type: 'json' };
import {
  groupsByParty,
  groupsNow,
  latest,
  oneMeant,
  type PartyFacts,
  partyFacts,
  sittingNow,
} from './party-groups.ts';
import { bearersOf, distinctNames, guessNames, surestMatches } from './rules.ts';
import { searchNames } from './search.ts';
import { nameSource } from './source.ts';

export type { NamedKind } from './database.ts';
export type { KeyedName } from './nearness.ts';

/** Result of resolving a name: one key, several candidates among which only the caller may choose, or guesses. */
export type Resolution =
  | { match: 'one'; key: string }
  | { match: 'several'; candidates: KeyedName[] }
  | { match: 'none'; suggestions: KeyedName[] };

const mostSuggested = 5;

/** Resolves a slug or a name (see `surestMatches`); near misses from `near` are only suggested, 5 at most. */
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

/** The slug for a slug or a human name; throws NotFoundError with near misses, or AmbiguousNameError. */
export function findSlug(db: NameDatabase, kind: NamedKind, input: string): string {
  const found = resolveSlug(db, kind, input);
  if (found.match !== 'none') return keyOf(db, kind, { found, input });
  const gone = findWithdrawn(db, kind, input);
  if (gone)
    throw new WithdrawnError(gone.key, {
      message: say`${gone.key} was withdrawn on ${instant(gone.withdrawn)}, as this mirror saw it`,
      hint: say`what was said before: \`hemicycle history ${kind} ${gone.key}\``,
    });
  const person = kind === 'party' ? resolveSlug(db, 'politician', input) : null;
  throw new NotFoundError(
    say`no ${wordPhrase(kind)} is called "${input}" in the mirror`,
    person?.match === 'one'
      ? say`that is a politician: \`hemicycle politicians ${person.key}\` shows the party and the group`
      : say`look for one with \`hemicycle search\` or list them with \`hemicycle ${kind === 'party' ? 'parties' : 'politicians -q WORD'}\``,
    found.suggestions,
  );
}

/** Resolves a slug or a human name among the records of a kind. */
export function resolveSlug(db: NameDatabase, kind: NamedKind, input: string): Resolution {
  if (isHeld(db, kind, input)) return { match: 'one', key: input };
  const { named, near } = nameSource(db, kind, input);
  const found = resolveName(input, named(), near);
  if (kind === 'party') {
    const candidates = found.match === 'none' ? begunBy(input, named()) : candidatesIn(found);
    const meant = oneMeant(
      db,
      candidates.map(({ key }) => key),
    );
    if (meant !== null) return { match: 'one', key: meant };
    if (candidates.length > 1)
      return { match: 'several', candidates: distinctNames(candidates).sort(byName) };
  }
  if (found.match !== 'none' || found.suggestions.length > 0) return found;
  // A name within a sentence is suggested.
  const { names } = searchNames(db, input, { kinds: [kind], limit: mostSuggested, areGuessed: false });
  return { match: 'none', suggestions: distinctNames(names) };
}

/** The slug that a slug or a human name refers to, or null; throws AmbiguousNameError for several. */
export function slugMeant(db: NameDatabase, kind: NamedKind, input: string): string | null {
  const found = resolveSlug(db, kind, input);
  return found.match === 'none' ? null : keyOf(db, kind, { found, input });
}

type FoundName = { found: Exclude<Resolution, { match: 'none' }>; input: string };

function keyOf(db: NameDatabase, kind: NamedKind, { found, input }: FoundName): string {
  if (found.match === 'one') return found.key;
  const told = found.candidates.map((each) => ({ ...each, about: aboutOf(db, kind, each.key) }));
  throw new AmbiguousNameError(input, told);
}

/** What tells records of one name apart: the chamber and years of a group, the office and years of a politician. */
function aboutOf(db: NameDatabase, kind: NamedKind, key: string): string {
  const [first, from, to] =
    kind === 'party' ? ['chamber', 'start_date', 'end_date'] : ['current_role', 'birth_date', 'death_date'];
  const stated = (field: string | undefined) => `coalesce(row, detail) ->> '$.${field}'`;
  const facts = db
    .sql<{ first: string | null; from: string | null; to: string | null }>(
      `SELECT ${stated(first)} AS first, ${stated(from)} AS "from", ${stated(to)} AS "to"
       FROM record WHERE kind = ? AND key = ?`,
    )
    .get(kind, key);
  const year = (day: string | null | undefined) => day?.slice(0, 4) ?? '';
  const years = `${year(facts?.from)}–${year(facts?.to)}`;
  return [facts?.first, years !== '–' && years].filter(Boolean).join(', ');
}

/** True for text in the form of a slug: lower-case words joined by hyphens. */
export const isSlug = (text: string): boolean => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text);

/** The slugs in a comma-separated list, without duplicates. */
export function slugsIn(written: string): string[] {
  const slugs = written.split(',').map((slug) => slug.trim());
  return [...new Set(slugs.filter((slug) => slug !== ''))];
}

function candidatesIn(found: Exclude<Resolution, { match: 'none' }>): KeyedName[] {
  return found.match === 'several' ? found.candidates : [{ key: found.key, name: found.key }];
}

/** Parties whose short name has several words, the first of which was typed: LFI of LFI-NFP. */
function begunBy(input: string, candidates: readonly Candidate[]): Candidate[] {
  const [word, ...others] = nameWords(input);
  return others.length > 0 ? [] : candidates.filter(({ short }) => short.length > 1 && short[0] === word);
}

/** What a name of a party or group means: the party, where it names one, and groups, the latest first. */
export type PartyMeaning = { asked: string; party: PartyFacts | null; groups: PartyFacts[] };

/**
 * The party that a name means with its groups, or the groups: a slug is that record, a short name of groups alone all groups
 * that bear it, and so of several parties. Throws as findSlug does.
 */
export function partyMeant(db: NameDatabase, input: string): PartyMeaning {
  const asked = input.trim();
  const facts = partyFacts(db);
  const bearers = isHeld(db, 'party', asked) ? [] : bearersOf(asked, nameSource(db, 'party', asked).named());
  const bearing = bearers.map(({ key }) => facts.get(key)!);
  const found = resolveSlug(db, 'party', asked);
  // Of those with one short name none is chosen.
  if (found.match === 'several' && bearing.length > 0) return { asked, party: null, groups: latest(bearing) };
  const slug = found.match === 'one' ? found.key : findSlug(db, 'party', asked);
  const one = facts.get(slug) ?? { ...noFacts, slug };
  const groups = bearing.filter(({ chamber }) => chamber !== null);
  if (one.chamber !== null) return { asked, party: null, groups: latest([one, ...groups]) };
  return { asked, party: one, groups: latest([...(groupsByParty(db).get(slug) ?? []), ...groups]) };
}

/** The slug for a filter: a slug that any record references, or a human name as in findSlug. */
export function findFilterSlug(db: NameDatabase, kind: NamedKind, input: string): string {
  return isNamedSlug(db, kind, input) ? input : findSlug(db, kind, input);
}

/** The slugs for a filter of texts, likeliest first: the name of a party gives its groups, too, a slug only itself. */
export function findFilterSlugs(db: NameDatabase, kind: NamedKind, input: string): string[] {
  if (isNamedSlug(db, kind, input)) return [input];
  if (kind !== 'party') return [findSlug(db, kind, input)];
  const { party, groups } = partyMeant(db, input);
  return [...(party === null ? [] : [party]), ...groups].map(({ slug }) => slug);
}

/** True if a record has that slug, or references it as its politician, party or group. */
export function isNamedSlug(db: NameDatabase, kind: NamedKind, slug: string): boolean {
  const columns = kind === 'party' ? ['party', 'group_slug'] : ['politician'];
  const names = (column: string) =>
    db.sql(`SELECT 1 FROM record WHERE ${column} = ? AND withdrawn IS NULL LIMIT 1`).get(slug) !== undefined;
  return isHeld(db, kind, slug) || columns.some(names);
}

/**
 * What a person means among those in `voting` (the groups, or parties, with ballots): a slug, the party with its groups, the
 * groups of a short name, or the one group of a name. Throws as findSlug does, and a NotFoundError for a party or group
 * that never voted.
 */
export function votersMeant(db: NameDatabase, input: string, voting: ReadonlySet<string>): PartyMeaning {
  const asked = input.trim();
  if (voting.has(asked))
    return { asked, party: null, groups: [partyFacts(db).get(asked) ?? { ...noFacts, slug: asked }] };
  const { named, near } = nameSource(db, 'party', asked);
  const votes = ({ slug }: { slug: string }) => voting.has(slug);
  const votesAtAll = ({ key }: { key: string }) =>
    voting.has(key) || groupsByParty(db).get(key)?.some(votes) === true;
  let refused: unknown;
  try {
    const { party, groups } = partyMeant(db, asked);
    const meant = { asked, party, groups: groups.filter(votes) };
    if (meant.groups.length > 0 || (party !== null && votes(party))) return meant;
  } catch (error) {
    refused = error;
  }
  // Groups of several legislatures share a name, so an acronym from texts selects none of them.
  const candidates = named()
    .filter(votesAtAll)
    .map((each) => ({ ...each, acronyms: [] }));
  const found = resolveName(asked, candidates, () => near().filter(votesAtAll));
  if (found.match !== 'none') {
    const keys = candidatesIn(found).map(({ key }) => key);
    return { ...votersMeant(db, oneMeant(db, keys) ?? keyOf(db, 'party', { found, input }), voting), asked };
  }
  if (refused !== undefined && !(refused instanceof NotFoundError)) throw refused;
  // An unknown name fails as in findSlug; a known party without votes gets its own error.
  const slug = findSlug(db, 'party', input);
  const now = groupsNow(db, slug).filter(votes);
  const hint = now.length > 0 ? sittingNow(now, 'ballots') : null;
  throw new NotFoundError(say`${slug} has voted in no ballot of this mirror`, hint, found.suggestions);
}

/** The slugs with ballots of what a person means (see `votersMeant`). */
export function findGroups(db: NameDatabase, input: string, voting: ReadonlySet<string>): string[] {
  const { party, groups } = votersMeant(db, input, voting);
  return [party, ...groups].flatMap((each) => (each !== null && voting.has(each.slug) ? [each.slug] : []));
}

const noFacts = { name: null, short_name: null, chamber: null, start_date: null, end_date: null };

/** Records whose names resemble an unknown slug; 5 at most. */
export function nearSlugs(db: NameDatabase, kind: NamedKind, slug: string): KeyedName[] {
  const found = resolveSlug(db, kind, slug.slice(0, 100).replaceAll('-', ' '));
  if (found.match === 'none') return found.suggestions;
  if (found.match === 'several') return found.candidates.slice(0, mostSuggested);
  const name = db
    .column<string | null>('SELECT name FROM record WHERE kind = ? AND key = ?')
    .get(kind, found.key);
  return [{ key: found.key, name: name ?? found.key }];
}

/** Politicians whose names are one or two misspellings away from the query, best first. */
export function similarNames(db: NameDatabase, query: string, limit: number): KeyedName[] {
  const found = guessNames(query, nameSource(db, 'politician', query).near());
  return distinctNames(found.map(({ candidate }) => candidate)).slice(0, limit);
}

/** The parties that a query calls by a nickname, which no record bears: macronistes, les écolos. */
export function nicknamedParties(db: NameDatabase, query: string): KeyedName[] {
  const [word = '', ...more] = nameWords(query.slice(0, 100)).filter((each) => !isStopWord(each));
  const called = more.length > 0 ? '' : word.replace(/s$/, '');
  const [name] = Object.entries(nicknames).find(([, words]) => words.split(' ').includes(called)) ?? [];
  if (name === undefined) return [];
  const bearers = surestMatches(name, nameSource(db, 'party', name).named());
  return distinctNames(bearers.sort((one, other) => (other.preference ?? 0) - (one.preference ?? 0)));
}
