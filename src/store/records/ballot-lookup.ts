import type { Chamber } from '../../model/ballot.ts';
import { type Kind, kindOf } from '../../model/kinds.ts';
import { splitDays } from '../../model/moment.ts';
import { quotedText } from '../../names/database.ts';
import type { KeyedName } from '../../names/lookup.ts';
import type { Mirror } from '../mirror.ts';
import { ballotsOfText } from '../search/ballots-by-words.ts';
import { ballotIds } from '../search/reading.ts';
import { parseReference } from '../syncs/to-fetch.ts';
import { listBallots } from './ballots.ts';
import { findKeysIgnoringCase, findReferences, findStoredKey, type RecordReference } from './reference.ts';

const maxResults = 10;

/** Ballots by id, number, URL, or title words with a day, month or year, newest first, at most 10; '' matches all. */
export function searchBallots(mirror: Mirror, text: string, chamber: Chamber | null): KeyedName[] {
  const query = text.trim();
  if (/^https?:\/\//.test(query)) return findBallotsByUrl(mirror, query);
  const numberedBallots = findBallotsByNumber(mirror, query, chamber);
  if (numberedBallots.length > 0 || (query !== '' && !/\p{L}{2}/u.test(query))) return numberedBallots;
  return searchTitles(mirror, query, chamber);
}

/** The ballots of a key, URL, number or id in any case, in the reference's chamber if it names one. */
export function resolveBallotKeys(mirror: Mirror, reference: string): KeyedName[] {
  if (/^https?:\/\//.test(reference)) return findBallotsByUrl(mirror, reference);
  const key = findStoredKey(mirror, kindOf('ballot'), reference);
  return key === null ? findReferencedBallots(mirror, reference) : [{ key, name: '' }];
}

function findBallotsByUrl(mirror: Mirror, url: string): KeyedName[] {
  const references = findReferences(mirror, url).filter(({ kind }) => kind.name === 'ballot');
  return references.map(({ key }) => ({ key, name: '' }));
}

/** Ballots by id in any case, else by number, newest first, at most 10. */
export function findBallotsByNumber(mirror: Mirror, query: string, chamber: Chamber | null): KeyedName[] {
  const first = quotedText(`${chamber ?? 'AN'}:` as const);
  const last = quotedText(`${chamber ?? 'AN'};` as const);
  const inChamber = chamber === null ? '' : `AND key >= ${first} AND key < ${last}`;
  const selectBallots = (condition: string, parameter: string) =>
    mirror
      .sql<KeyedName>(
        `SELECT key, trim(coalesce(date, '') || ' ' || coalesce(json_extract(coalesce(row, detail), '$.title'), '')) AS name
         FROM record WHERE kind = 'ballot' AND withdrawn IS NULL ${inChamber} AND ${condition}
         ORDER BY date DESC, id DESC LIMIT ${maxResults}`,
      )
      .all(parameter);
  const ballotsWithId = selectBallots(`substr(key, instr(key, ':') + 1) = ? COLLATE NOCASE`, query);
  if (ballotsWithId.length > 0 || !/^\d+$/.test(query)) return ballotsWithId;
  return selectBallots('id IN (SELECT value FROM json_each(?))', JSON.stringify(ballotIds(mirror, query)));
}

type ResolvedRecord = RecordReference & { title?: string };

/** The records of a reference: by exact key, also of a merged one, by key in another case, or ballots by number. */
export function resolveRecords(mirror: Mirror, text: string, requestedKind: Kind | null): ResolvedRecord[] {
  const [firstReference, ...otherReferences] =
    requestedKind === null ? findReferences(mirror, text) : [{ kind: requestedKind, key: text }];
  if (otherReferences.length > 0) return [firstReference!, ...otherReferences];
  const kind = firstReference?.kind ?? requestedKind;
  const key = firstReference?.key ?? text;
  const storedKey = kind === null ? null : findStoredKey(mirror, kind, key);
  if (kind !== null && storedKey !== null) return [{ kind, key: kind.name === 'ballot' ? storedKey : key }];
  const caseMatches = findKeysIgnoringCase(mirror, key, kind);
  if (caseMatches.length > 0) return caseMatches;
  const ballotMatches = kind === null || kind.name === 'ballot' ? findReferencedBallots(mirror, key) : [];
  return ballotMatches.length > 0 || !firstReference
    ? ballotMatches.map(({ key, name }) => ({ kind: kindOf('ballot'), key, title: name }))
    : [firstReference];
}

/** The key of the only current record of a kind that a reference resolves to, or null. */
export function resolveKey(mirror: Mirror, kind: Kind, text: string): string | null {
  const candidates = resolveRecords(mirror, text, kind);
  return candidates.length === 1 ? findStoredKey(mirror, kind, candidates[0]!.key) : null;
}

/** The candidates of an ambiguous reference to a kind; empty if it is not ambiguous. */
export function ambiguousRecords(mirror: Mirror, kind: Kind, text: string): KeyedName[] {
  const candidates = resolveRecords(mirror, text, kind);
  return candidates.length < 2 ? [] : candidates.map(({ key, title }) => ({ key, name: title ?? key }));
}

/** Ballots by `CHAMBER:ID`, id or number, in any case; `chamber` applies if the text names none. */
export function findReferencedBallots(mirror: Mirror, text: string, chamber: Chamber | null = null): KeyedName[] {
  const reference = parseReference(text);
  return findBallotsByNumber(mirror, reference?.scrutinId ?? text, reference?.chamber ?? chamber);
}

function searchTitles(mirror: Mirror, query: string, chamber: Chamber | null): KeyedName[] {
  const { words, days } = splitDays(query.split(/\s+/));
  const find = (q: string, days: { since?: string; until?: string }) => {
    const ids = q.trim() === '' ? undefined : ballotsOfText(mirror, q);
    const filter = { ids, ...days, chamber: chamber ?? undefined, voted: [] };
    return listBallots(mirror, { ...filter, sort: 'date', limit: maxResults }).items.map((json) => {
      const { chamber, scrutin_id, date, title } = JSON.parse(json) as Record<string, string | null>;
      return { key: `${chamber}:${scrutin_id}`, name: [date, title].filter(Boolean).join(' ') };
    });
  };
  if (days !== null && words.length > 0) {
    const ballotsInDays = find(words.join(' '), { since: days[0], until: days[1] });
    if (ballotsInDays.length > 0) return ballotsInDays;
  }
  // Ballots of another year are excluded unless the title names the year.
  return find(query, {}).filter(({ name }) => days === null || name.includes(days[0].slice(0, 4)));
}
