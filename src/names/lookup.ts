import { AmbiguousNameError, NotFoundError, orNull, WithdrawnError } from '../errors.ts';
import { nameWords } from '../language/name.ts';
import { isStopWord } from '../language/stop-words.ts';
import { isNonAttached } from '../model/ballot.ts';
import { partsOfList } from '../model/document.ts';
import { instant, say, wordPhrase } from '../words/speech.ts';
import type { Candidate } from './candidate.ts';
import { currentKey, findWithdrawn, hasRecord, type NameDatabase, type NamedKind, textFieldSql } from './database.ts';
import { byName, type KeyedName } from './nearness.ts';
import nicknames from './nicknames.json' with { type: 'json' };
import {
  chooseSlug,
  currentGroupsHint,
  currentGroupsOfMembers,
  groupsByParty,
  latestGroupsFirst,
  type PartyFacts,
  partyFacts,
  successorGroups,
} from './party-groups.ts';
import { distinctNames, findByShortName, guessNames, mostCertainMatches } from './rules.ts';
import { searchNames } from './search.ts';
import { nameSource } from './source.ts';

export type { NamedKind } from './database.ts';
export type { KeyedName } from './nearness.ts';

/** Result of resolving a name: the key of one record, several candidates to choose from, or none with suggestions. */
export type Resolution =
  | { match: 'one'; key: string }
  | { match: 'several'; candidates: KeyedName[] }
  | { match: 'none'; suggestions: KeyedName[] };

const maxSuggestions = 5;

/** Resolves a slug or a name (see `mostCertainMatches`); similar names of a second list are suggestions, at most 5. */
export function resolveName(
  input: string,
  candidates: readonly Candidate[],
  readSimilar: () => readonly Candidate[] = () => candidates,
): Resolution {
  const matches = distinctNames(mostCertainMatches(input, candidates));
  if (matches.length > 1) return { match: 'several', candidates: matches.sort(byName) };
  if (matches[0] !== undefined) return { match: 'one', key: matches[0].key };
  const guesses = guessNames(input, readSimilar()).map(({ candidate }) => candidate);
  return { match: 'none', suggestions: distinctNames(guesses).slice(0, maxSuggestions) };
}

/** The slug for a slug or a name; throws a NotFoundError, a WithdrawnError or an AmbiguousNameError. */
export function findSlug(db: NameDatabase, kind: NamedKind, input: string): string {
  const resolution = resolveSlug(db, kind, input);
  if (resolution.match !== 'none') return keyOrThrow(db, kind, { resolution, input });
  const withdrawal = findWithdrawn(db, kind, input);
  if (withdrawal)
    throw new WithdrawnError(withdrawal.key, {
      message: say`${withdrawal.key} was withdrawn on ${instant(withdrawal.withdrawn)}, as this mirror saw it`,
      hint: say`what was said before: \`hemicycle history ${kind} ${withdrawal.key}\``,
    });
  const person = kind === 'party' ? resolveSlug(db, 'politician', input) : null;
  throw new NotFoundError(
    say`no ${wordPhrase(kind === 'party' ? 'party or group' : kind)} is called "${input}" in the mirror`,
    person?.match === 'one'
      ? say`that is a politician: \`hemicycle politicians ${person.key}\` shows the party and the group`
      : say`list them with \`hemicycle ${kind === 'party' ? 'parties' : 'politicians'}\``,
    resolution.suggestions,
  );
}

/** Resolves a slug or a name among the records of a kind; chooses among parties and groups as `chooseSlug` does. */
export function resolveSlug(db: NameDatabase, kind: NamedKind, input: string): Resolution {
  const key = currentKey(db, kind, input);
  if (key !== null) return { match: 'one', key };
  const { byAllWords, bySimilarWords } = nameSource(db, kind, input);
  const resolution = resolveName(input, byAllWords(), bySimilarWords);
  if (kind === 'party') {
    const [word, ...otherWords] = nameWords(input);
    // The input is the first word of a longer short name: LFI for LFI-NFP.
    const beginsWithWord = ({ shortNameParts }: Candidate) =>
      otherWords.length === 0 && shortNameParts.length > 1 && shortNameParts[0] === word;
    const candidates = resolution.match === 'none' ? byAllWords().filter(beginsWithWord) : candidatesIn(resolution);
    const keys = candidates.map((each) => each.key);
    const resolvedKey = chooseSlug(db, keys);
    if (resolvedKey !== null) return { match: 'one', key: resolvedKey };
    if (candidates.length > 1) return { match: 'several', candidates: distinctNames(candidates).sort(byName) };
  }
  if (resolution.match !== 'none' || resolution.suggestions.length > 0) return resolution;
  // A name inside a sentence is only a suggestion.
  const { names } = searchNames(db, input, { kinds: [kind], limit: maxSuggestions, allowsGuesses: false });
  return { match: 'none', suggestions: distinctNames(names) };
}

/** The slug for a slug or a name; null if there is none. Throws an AmbiguousNameError for several. */
export function findSlugOrNull(db: NameDatabase, kind: NamedKind, input: string): string | null {
  const resolution = resolveSlug(db, kind, input);
  return resolution.match === 'none' ? null : keyOrThrow(db, kind, { resolution, input });
}

/** The result of a lookup by name; undefined if it throws a NotFoundError or an AmbiguousNameError. */
export const ifResolved = <Result>(lookUp: () => Result): Result | undefined =>
  orNull(lookUp, NotFoundError, AmbiguousNameError) ?? undefined;

type ResolvedName = { resolution: Exclude<Resolution, { match: 'none' }>; input: string };

function keyOrThrow(db: NameDatabase, kind: NamedKind, { resolution, input }: ResolvedName): string {
  if (resolution.match === 'one') return resolution.key;
  const describe = (each: KeyedName) => ({ ...each, about: describeNamesake(db, kind, each.key) });
  throw new AmbiguousNameError(input, resolution.candidates.map(describe));
}

/** Text that distinguishes namesakes: chamber and years of a group, office and years of a politician. */
function describeNamesake(db: NameDatabase, kind: NamedKind, key: string): string {
  const partyFields = ['chamber', 'start_date', 'end_date'] as const;
  const fields = kind === 'party' ? partyFields : (['current_role', 'birth_date', 'death_date'] as const);
  const [first, from, to] = fields.map((field) => textFieldSql(field));
  const sql = `SELECT ${first} AS first, ${from} AS "from", ${to} AS "to" FROM record WHERE kind = ? AND key = ?`;
  const facts = db.sql<{ first: string | null; from: string | null; to: string | null }>(sql).get(kind, key);
  const year = (day: string | null | undefined) => day?.slice(0, 4) ?? '';
  const years = `${year(facts?.from)}–${year(facts?.to)}`;
  return [facts?.first, years !== '–' && years].filter(Boolean).join(', ');
}

/** True for lower-case words joined by hyphens. */
export const isSlug = (text: string): boolean => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text);

/** The slugs in a comma-separated list, without duplicates. */
export const slugsIn = (written: string): string[] => [...new Set(partsOfList(written))];

/** The resolved records; the only one has its key as its name. */
export function candidatesIn(resolution: Exclude<Resolution, { match: 'none' }>): KeyedName[] {
  return resolution.match === 'several' ? resolution.candidates : [{ key: resolution.key, name: resolution.key }];
}

/** What the name `asked` refers to: a party (null if only groups, or replaced by them) and groups, latest first. */
export type PartyMeaning = {
  asked: string;
  party: PartyFacts | null;
  groups: PartyFacts[];
  successors?: PartyFacts[]; // current groups of members of ended ones
  omitsParty?: boolean; // required groups replace the party
};

/** Resolves a name to a party and its groups, or to groups; required groups replace a party. Throws like `findSlug`. */
export function resolveParty(db: NameDatabase, input: string, requiresGroups = false): PartyMeaning {
  // A slug gives that record; a short name gives all groups that have it, even of several parties.
  const partyName = input.trim();
  const onlyGroups = (groups: PartyFacts[]) => ({ asked: partyName, party: null, groups: latestGroupsFirst(groups) });
  const facts = partyFacts(db);
  const isRecord = hasRecord(db, 'party', partyName);
  if (!isRecord && isNonAttached({ party: partyName.toLowerCase(), party_name: partyName })) {
    // The non-attached members of each chamber have a record of their own.
    const groups = [...facts.values()].filter(({ slug, name }) => isNonAttached({ party: slug, party_name: name }));
    if (groups.length > 0) return onlyGroups(groups);
  }
  const shortNameBearers = isRecord ? [] : findByShortName(partyName, nameSource(db, 'party', partyName).byAllWords());
  const bearerFacts = shortNameBearers.map(({ key }) => facts.get(key)!);
  const resolution = resolveSlug(db, 'party', partyName);
  // Among parties and groups with the same short name, none is preferred.
  if (resolution.match === 'several' && bearerFacts.length > 0) return onlyGroups(bearerFacts);
  if (requiresGroups && resolution.match === 'several') {
    // Of several candidates, choose the only party with current groups, unless one is a group of another party.
    const keys = resolution.candidates.map(({ key }) => key);
    const groupsOf = (key: string) => groupsByParty(db).get(key) ?? [];
    const [partyKey, ...otherKeys] = keys.filter((key) => groupsOf(key).some(({ end_date: end }) => !end));
    const groups = partyKey === undefined || otherKeys.length > 0 ? [] : groupsOf(partyKey);
    const isForeign = (key: string) => facts.get(key)?.chamber !== null && groups.every(({ slug }) => slug !== key);
    if (groups.length > 0 && !keys.some(isForeign)) return onlyGroups(groups);
  }
  // One record, a group or a party with its groups: add the groups that have the name as their short name.
  const slug = resolution.match === 'one' ? resolution.key : findSlug(db, 'party', partyName);
  const record = facts.get(slug) ?? { ...emptyFacts, slug };
  const groups = bearerFacts.filter(({ chamber }) => chamber !== null);
  if (record.chamber !== null) return onlyGroups([record, ...groups]);
  const allGroups = latestGroupsFirst([...(groupsByParty(db).get(slug) ?? []), ...groups]);
  const omitsParty = requiresGroups && allGroups.length > 0;
  return { asked: partyName, party: omitsParty ? null : record, groups: allGroups, omitsParty };
}

/** The slug for a filter: a slug that any record references, or a name; throws like `findSlug`. */
export function findFilterSlug(db: NameDatabase, kind: NamedKind, input: string): string {
  return isUsedSlug(db, kind, input) ? input : findSlug(db, kind, input);
}

/** The slug of the latest group in a chamber that a name means; undefined for a party, a slug, or without a group. */
export function findGroupIn(db: NameDatabase, chamber: unknown, input: string): string | undefined {
  const meaning = isUsedSlug(db, 'party', input) ? undefined : ifResolved(() => resolveParty(db, input));
  return meaning?.party === null ? meaning.groups.find((group) => group.chamber === chamber)?.slug : undefined;
}

/** The slugs for a filter of texts: a slug only itself, a name one slug, a party's name also its groups. */
export function findFilterSlugs(db: NameDatabase, kind: NamedKind, input: string, requiresGroups = false): string[] {
  if (isFilterSlug(db, kind, input, requiresGroups)) return [input];
  if (kind !== 'party') return [findSlug(db, kind, input)];
  const { party, groups } = resolveParty(db, input, requiresGroups);
  return [...(party === null ? [] : [party]), ...groups].map(({ slug }) => slug);
}

/** True if a filter uses the input as a slug; if groups are required, false for a party, as it means its groups. */
export const isFilterSlug = (db: NameDatabase, kind: NamedKind, input: string, requiresGroups = false): boolean =>
  isUsedSlug(db, kind, input) && !(requiresGroups && partyFacts(db).get(input)?.chamber === null);

/** True if a record has that slug, or references it as politician, party or group. */
export function isUsedSlug(db: NameDatabase, kind: NamedKind, slug: string): boolean {
  const columns = kind === 'party' ? ['party', 'group_slug'] : ['politician'];
  const isReferencedBy = (column: string) =>
    db.sql(`SELECT 1 FROM record WHERE ${column} = ? AND withdrawn IS NULL LIMIT 1`).get(slug) !== undefined;
  return hasRecord(db, kind, slug) || columns.some(isReferencedBy);
}

/** Resolves a name among slugs that vote; throws like `findSlug`, and a NotFoundError for a party without votes. */
export function resolveVoters(db: NameDatabase, input: string, votingSlugs: ReadonlySet<string>): PartyMeaning {
  const partyName = input.trim();
  if (votingSlugs.has(partyName)) {
    const group = partyFacts(db).get(partyName) ?? { ...emptyFacts, slug: partyName };
    return { asked: partyName, party: null, groups: [group] };
  }
  const { byAllWords, bySimilarWords } = nameSource(db, 'party', partyName);
  const hasVotes = ({ slug }: { slug: string }) => votingSlugs.has(slug);
  const hasVoter = ({ key }: KeyedName) => votingSlugs.has(key) || groupsByParty(db).get(key)?.some(hasVotes) === true;
  let partyError: unknown;
  // First among all parties and groups; if what matches has no votes, among those with votes.
  try {
    const { party, groups } = resolveParty(db, partyName);
    const successors = hasRecord(db, 'party', partyName) ? [] : successorGroups(db, groups);
    const votingGroups = latestGroupsFirst([...groups, ...successors]).filter(hasVotes);
    if (votingGroups.length > 0 || (party !== null && hasVotes(party)))
      return { asked: partyName, party, groups: votingGroups, successors };
  } catch (error) {
    partyError = error;
  }
  // Groups of several legislatures share a name, so an acronym from texts identifies none of them.
  const voters = byAllWords().filter(hasVoter);
  const candidates = voters.map((each) => ({ ...each, acronyms: [] }));
  const resolution = resolveName(partyName, candidates, () => bySimilarWords().filter(hasVoter));
  if (resolution.match !== 'none') {
    const keys = candidatesIn(resolution).map(({ key }) => key);
    const voter = chooseSlug(db, keys) ?? keyOrThrow(db, 'party', { resolution, input });
    return { ...resolveVoters(db, voter, votingSlugs), asked: partyName };
  }
  if (partyError !== undefined && !(partyError instanceof NotFoundError)) throw partyError;
  // An unknown name throws in `findSlug`; a known party without votes throws below.
  const slug = findSlug(db, 'party', input);
  const memberGroups = currentGroupsOfMembers(db, slug).filter(hasVotes);
  const hint = memberGroups.length > 0 ? currentGroupsHint(memberGroups, 'ballots') : null;
  throw new NotFoundError(say`${slug} has voted in no ballot of this mirror`, hint, resolution.suggestions);
}

/** The slugs with ballots that a name resolves to (see `resolveVoters`). */
export function findGroups(db: NameDatabase, input: string, votingSlugs: ReadonlySet<string>): string[] {
  const { party, groups } = resolveVoters(db, input, votingSlugs);
  return [party, ...groups].flatMap((each) => (each !== null && votingSlugs.has(each.slug) ? [each.slug] : []));
}

const emptyFacts = { name: null, short_name: null, chamber: null, start_date: null, end_date: null };

/** Up to 5 records whose names resemble an unknown slug. */
export function nearSlugs(db: NameDatabase, kind: NamedKind, slug: string): KeyedName[] {
  const resolution = resolveSlug(db, kind, slug.slice(0, 100).replaceAll('-', ' '));
  if (resolution.match === 'none') return resolution.suggestions;
  if (resolution.match === 'several') return resolution.candidates.slice(0, maxSuggestions);
  const name = db.column<string | null>('SELECT name FROM record WHERE kind = ? AND key = ?').get(kind, resolution.key);
  return [{ key: resolution.key, name: name ?? resolution.key }];
}

/** Politicians whose names are similar to the query (see `guessNames`), best first. */
export function similarNames(db: NameDatabase, query: string, limit: number): KeyedName[] {
  const guesses = guessNames(query, nameSource(db, 'politician', query).bySimilarWords());
  return distinctNames(guesses.map(({ candidate }) => candidate)).slice(0, limit);
}

/** The parties that a nickname of nicknames.json refers to (macronistes, les écolos); empty for other words. */
export function partiesByNickname(db: NameDatabase, query: string): KeyedName[] {
  const [word = '', ...otherWords] = nameWords(query.slice(0, 100)).filter((each) => !isStopWord(each));
  const nickname = otherWords.length > 0 ? '' : word.replace(/s$/, '');
  const [name] = Object.entries(nicknames).find(([, words]) => words.split(' ').includes(nickname)) ?? [];
  if (name === undefined) return [];
  const nicknameParties = mostCertainMatches(name, nameSource(db, 'party', name).byAllWords());
  return distinctNames(nicknameParties.sort((one, other) => (other.preference ?? 0) - (one.preference ?? 0)));
}
