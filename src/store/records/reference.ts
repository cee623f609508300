import type { Chamber } from '../../model/ballot.ts';
import type { Document } from '../../model/document.ts';
import { titleOf } from '../../model/facets.ts';
import { decodeSegment, findKind, findPageRecord, type Kind, type KindName, kindOf, kinds } from '../../model/kinds.ts';
import { splitDays } from '../../model/moment.ts';
import { currentKey, fieldSql, quotedText } from '../../names/database.ts';
import { type KeyedName, nearSlugs } from '../../names/lookup.ts';
import type { Mirror } from '../mirror.ts';
import { hasRecord, readRecord } from '../record.ts';
import { ballotsOfText, type NearMatchKinds } from '../search/ballots-by-words.ts';
import { ballotIds } from '../search/reading.ts';
import { parseReference, possibleKeys } from '../syncs/to-fetch.ts';
import { listBallots } from './ballots.ts';

/** A record; `title` only of a ballot that was found by its id or number. */
export type RecordReference = { kind: Kind; key: string; title?: string };

/** Records for a reference: `KIND:KEY`, a ballot's `CHAMBER:ID`, a record's URL or page URL, or a key of any kind. */
export function findReferences(mirror: Mirror, text: string): RecordReference[] {
  if (/^(https?:\/)?\//.test(text)) {
    const recordsWithUrl = selectReferences(mirror, `json_extract(coalesce(row, detail), '$.url') = ?`, text);
    const path = URL.parse(text, 'http://localhost')?.pathname.replace('/api/v1/', '/').split('/').slice(1);
    const pageRecord = findPageRecord((path ?? []).map((part) => decodeSegment(part) ?? ''));
    const key = pageRecord && findStoredKey(mirror, kindOf(pageRecord.kind), pageRecord.key);
    return recordsWithUrl.length > 0 || !key ? recordsWithUrl : [{ kind: kindOf(pageRecord.kind), key }];
  }
  const [, kindPrefix = '', keyPart = ''] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  const kind = findKind(kindPrefix);
  if (kind) return [{ kind, key: keyPart }];
  return kinds.flatMap((each) => {
    const key = findStoredKey(mirror, each, text);
    return key === null ? [] : [{ kind: each, key }];
  });
}

/** The key of a current record, or null; a ballot's chamber may be spelt in any way, or omitted if the id is unique. */
export function findStoredKey(mirror: Mirror, kind: Kind, text: string): string | null {
  if (kind.name !== 'ballot') return currentKey(mirror, kind.name, text);
  if (hasRecord(mirror, kind.name, text)) return text;
  const storedKeys = possibleKeys(kind.name, text).filter((key) => hasRecord(mirror, kind.name, key));
  return storedKeys.length === 1 ? storedKeys[0]! : null;
}

/** A withdrawn record: its last document, and when it was withdrawn (ISO 8601). */
export type WithdrawnRecord = { kind: KindName; key: string; withdrawn_at: string; document: Document };

/** The withdrawn record of a key, if withdrawn by the moment that the mirror shows; else undefined. */
export function readWithdrawnRecord(mirror: Mirror, kind: Kind, text: string): WithdrawnRecord | undefined {
  const sql = `SELECT key, withdrawn AS withdrawn_at, coalesce(row, detail) AS json FROM main.record
    WHERE kind = ? AND key = ? AND withdrawn <= ? AND coalesce(row, detail) IS NOT NULL`;
  const rowQuery = mirror.sql<{ key: string; withdrawn_at: string; json: string }>(sql);
  const latest = mirror.asOf ?? '9999';
  const [row] = possibleKeys(kind.name, text).flatMap((key) => rowQuery.get(kind.name, key, latest) ?? []);
  return row && { kind: kind.name, key: row.key, withdrawn_at: row.withdrawn_at, document: JSON.parse(row.json) };
}

/** The first key of the current records of a kind, or null. */
export function firstKey(mirror: Mirror, { name }: Kind): string | null {
  const sql = 'SELECT key FROM record WHERE kind = ? AND withdrawn IS NULL ORDER BY key LIMIT 1';
  return mirror.column<string>(sql).get(name) ?? null;
}

function selectReferences(mirror: Mirror, condition: string, parameter: string): RecordReference[] {
  const sql = `SELECT kind, key FROM record WHERE withdrawn IS NULL AND ${condition} LIMIT 20`;
  const rows = mirror.sql<{ kind: KindName; key: string }>(sql).all(parameter);
  return rows.map(({ kind, key }) => ({ kind: kindOf(kind), key }));
}

/** Ballots of a chamber whose ids differ from an unknown one by the final number, at most 3. */
export function findSimilarBallots(mirror: Mirror, chamber: string, scrutinId: string): KeyedName[] {
  const stem = scrutinId.replace(/\d+$/, '') || scrutinId;
  return findByPrefix(mirror, 'ballot', { stem: `${chamber}:${stem}`, key: `${chamber}:${scrutinId}` });
}

/** Records of a kind similar to an unknown key: by name, or at most 3 that share the longest prefix with it. */
export function findSimilarRecords(mirror: Mirror, kind: Kind, key: string): KeyedName[] {
  if (kind.name === 'politician' || kind.name === 'party') return nearSlugs(mirror, kind.name, key);
  const stem = key.replace(/[^-:]+$/, '') || key.slice(0, -1) || key;
  for (let end = Math.max(stem.length, key.length - 1); end >= stem.length; end -= 1) {
    const similarRecords = findByPrefix(mirror, kind.name, { stem: key.slice(0, end), key });
    if (similarRecords.length > 0)
      return similarRecords.map((similar) => ({
        key: similar.key,
        name: titleOf(kind, readRecord(mirror, kind, similar.key)!),
      }));
  }
  return [];
}

function findByPrefix(mirror: Mirror, kind: string, { stem, key }: { stem: string; key: string }) {
  const sql = `SELECT key, coalesce(date, '') AS name FROM record
    WHERE kind = ? AND key >= ? AND key < ? AND withdrawn IS NULL ORDER BY abs(length(key) - length(?)), key LIMIT 3`;
  return mirror.sql<KeyedName>(sql).all(kind, stem, `${stem}\u{10ffff}`, key);
}

/** A word that completes a user's input, and what it means. */
export type Completion = { word: string; meaning: string };

const maxCompletions = 1000;

/** Keys of a kind with a prefix, and their names, sorted, at most `maxCompletions`. */
export function completeKeys(mirror: Mirror, kind: KindName, prefix: string): Completion[] {
  const meaningSql = `coalesce(${fieldSql('full_name')}, ${fieldSql('name')}, ${fieldSql('title')}, '')`;
  const sql = `SELECT key AS word, ${meaningSql} AS meaning FROM record
    WHERE kind = ? AND key >= ? AND key < ? AND withdrawn IS NULL ORDER BY key LIMIT ${maxCompletions}`;
  return mirror.sql<Completion>(sql).all(kind, prefix, `${prefix}\u{10ffff}`);
}

/** Distinct short names of parties and groups with a prefix, in any case. */
export function completeShortNames(mirror: Mirror, prefix: string): Completion[] {
  const sql = `SELECT ${fieldSql('short_name')} AS word, min(${fieldSql('name')}) AS meaning FROM record
    WHERE kind = 'party' AND withdrawn IS NULL AND word LIKE ? ESCAPE '\\' GROUP BY word ORDER BY word`;
  return mirror.sql<Completion>(sql).all(`${prefix.replace(/[\\%_]/g, '\\$&')}%`);
}

const maxResults = 10;

/** Ballots by id, number, URL, or title words with a day, month or year, newest first, at most 10; '' matches all. */
export function searchBallots(mirror: Mirror, text: string, chamber: Chamber | null): KeyedName[] {
  const query = text.trim();
  if (/^https?:\/\//.test(query)) return findBallotsByUrl(mirror, query);
  const numberedBallots = findBallotsByNumber(mirror, query, chamber);
  if (numberedBallots.length > 0 || (query !== '' && !/\p{L}{2}/u.test(query))) return numberedBallots;
  return searchTitles(mirror, query, { chamber, nearMatchKinds: 'files' });
}

/** Ballots whose titles resemble the words, for suggestions: also by other forms and spellings of them. */
export const similarBallots = (mirror: Mirror, text: string, chamber: Chamber | null): KeyedName[] =>
  searchTitles(mirror, text, { chamber, nearMatchKinds: 'forms-and-files' });

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
  const rangeSql = (name: Chamber) =>
    `AND key >= ${quotedText(`${name}:` as const)} AND key < ${quotedText(`${name};` as const)}`; // ';' follows ':'
  const inChamber = chamber === null ? '' : rangeSql(chamber);
  const selectBallots = (condition: string, parameter: string) => {
    const sql = `SELECT key, trim(coalesce(date, '') || ' ' || coalesce(${fieldSql('title')}, '')) AS name
      FROM record WHERE kind = 'ballot' AND withdrawn IS NULL ${inChamber} AND ${condition}
      ORDER BY date DESC, id DESC LIMIT ${maxResults}`;
    return mirror.sql<KeyedName>(sql).all(parameter);
  };
  const ballotsWithId = selectBallots(`substr(key, instr(key, ':') + 1) = ? COLLATE NOCASE`, query);
  if (ballotsWithId.length > 0 || !/^\d+$/.test(query)) return ballotsWithId;
  return selectBallots('id IN (SELECT value FROM json_each(?))', JSON.stringify(ballotIds(mirror, query)));
}

/** Records of a reference, the first that exist: by exact key, by key in another case, ballots by number. */
export function resolveRecords(mirror: Mirror, text: string, requestedKind: Kind | null): RecordReference[] {
  const references = requestedKind === null ? findReferences(mirror, text) : [{ kind: requestedKind, key: text }];
  if (references.length > 1) return references;
  const { kind = null, key = text } = references[0] ?? {};
  const storedKey = kind === null ? null : findStoredKey(mirror, kind, key);
  if (kind !== null && storedKey !== null) return [{ kind, key: kind.name === 'ballot' ? storedKey : key }];
  const ofKind = kind === null ? '' : `kind = ${quotedText(kind.name)} AND`;
  const caseMatches = selectReferences(mirror, `${ofKind} key = ? COLLATE NOCASE`, key);
  if (caseMatches.length > 0) return caseMatches;
  const ballotMatches = kind === null || kind.name === 'ballot' ? findReferencedBallots(mirror, key) : [];
  // A reference that matches nothing is returned as it is, for the caller to report.
  if (ballotMatches.length === 0) return references;
  return ballotMatches.map(({ key, name }) => ({ kind: kindOf('ballot'), key, title: name }));
}

/** The key of the only current record of a kind that a reference resolves to, or null. */
export function resolveKey(mirror: Mirror, kind: Kind, text: string): string | null {
  const candidates = resolveRecords(mirror, text, kind);
  return candidates.length === 1 ? findStoredKey(mirror, kind, candidates[0]!.key) : null;
}

/** The records that an ambiguous reference to a kind may mean; empty if it is not ambiguous. */
export function ambiguousRecords(mirror: Mirror, kind: Kind, text: string): KeyedName[] {
  const candidates = resolveRecords(mirror, text, kind);
  return candidates.length < 2 ? [] : candidates.map(({ key, title }) => ({ key, name: title ?? key }));
}

/** Ballots by `CHAMBER:ID`, id or number, in any case; `chamber` applies if the text names none. */
export function findReferencedBallots(mirror: Mirror, text: string, chamber: Chamber | null = null): KeyedName[] {
  const reference = parseReference(text);
  return findBallotsByNumber(mirror, reference?.scrutinId ?? text, reference?.chamber ?? chamber);
}

/** Ballots by words of the title, in the days among them if they name any, newest first, at most 10. */
function searchTitles(
  mirror: Mirror,
  query: string,
  { chamber, nearMatchKinds }: { chamber: Chamber | null; nearMatchKinds: NearMatchKinds },
): KeyedName[] {
  const { words, days } = splitDays(query.split(/\s+/));
  const find = (q: string, period: { since?: string; until?: string }) => {
    const ids = q.trim() === '' ? undefined : ballotsOfText(mirror, q, nearMatchKinds);
    const filter = { ids, ...period, chamber: chamber ?? undefined, voted: [] };
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
