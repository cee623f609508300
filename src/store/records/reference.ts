import type { Document } from '../../model/document.ts';
import { titleOf } from '../../model/facets.ts';
import { decodeSegment, findKind, findPageRecord, type Kind, type KindName, kindOf, kinds } from '../../model/kinds.ts';
import { currentKey, fieldSql, quotedText } from '../../names/database.ts';
import { type KeyedName, nearSlugs } from '../../names/lookup.ts';
import type { Mirror } from '../mirror.ts';
import { holds, readRecord } from '../record.ts';
import { ballotKeys } from '../syncs/to-fetch.ts';

/** A record by its kind and key. */
export type RecordReference = { kind: Kind; key: string };

/** Records for a reference: `KIND:KEY`, a ballot's `CHAMBER:ID`, a record's URL or page URL, or a key of any kind. */
export function findReferences(mirror: Mirror, text: string): RecordReference[] {
  if (/^(https?:\/)?\//.test(text)) {
    const recordsWithUrl = selectReferences(mirror, `json_extract(coalesce(row, detail), '$.url') = ?`, text);
    const path = URL.parse(text, 'http://localhost')?.pathname.replace('/api/v1/', '/').split('/').slice(1);
    const pageRecord = findPageRecord((path ?? []).map((part) => decodeSegment(part) ?? ''));
    const key = pageRecord && findStoredKey(mirror, kindOf(pageRecord.kind), pageRecord.key);
    return recordsWithUrl.length > 0 || !key ? recordsWithUrl : [{ kind: kindOf(pageRecord.kind), key }];
  }
  const colon = text.indexOf(':');
  const [head, keyPart] = colon < 0 ? ['', text] : [text.slice(0, colon), text.slice(colon + 1)];
  const kind = findKind(head);
  if (kind) return [{ kind, key: keyPart }];
  return kinds.flatMap((each) => {
    const key = findStoredKey(mirror, each, text);
    return key === null ? [] : [{ kind: each, key }];
  });
}

/** Records of a kind (null: any) whose key equals the text except for case. */
export function findKeysIgnoringCase(mirror: Mirror, text: string, kind: Kind | null): RecordReference[] {
  const ofKind = kind === null ? '' : `kind = ${quotedText(kind.name)} AND`;
  return selectReferences(mirror, `${ofKind} key = ? COLLATE NOCASE`, text);
}

/** The key of a current record, or null; a ballot's chamber may be spelt in any way, or omitted if the id is unique. */
export function findStoredKey(mirror: Mirror, kind: Kind, text: string): string | null {
  if (kind.name !== 'ballot') return currentKey(mirror, kind.name, text);
  if (holds(mirror, kind.name, text)) return text;
  const storedKeys = ballotKeys(text).filter((key) => holds(mirror, kind.name, key));
  return storedKeys.length === 1 ? storedKeys[0]! : null;
}

/** A withdrawn record: its last document, and when it was withdrawn (ISO 8601). */
export type WithdrawnRecord = { kind: KindName; key: string; withdrawn_at: string; document: Document };

/** The withdrawn record of a key; when the past is read, only if withdrawn by then; else undefined. */
export function readWithdrawnRecord(mirror: Mirror, kind: Kind, text: string): WithdrawnRecord | undefined {
  const find = mirror.sql<{ key: string; withdrawn_at: string; json: string }>(
    `SELECT key, withdrawn AS withdrawn_at, coalesce(row, detail) AS json FROM main.record
     WHERE kind = ? AND key = ? AND withdrawn <= ? AND coalesce(row, detail) IS NOT NULL`,
  );
  const keys = kind.name === 'ballot' ? ballotKeys(text) : [text];
  const [row] = keys.flatMap((key) => find.get(kind.name, key, mirror.asOf ?? '9999') ?? []);
  if (!row) return undefined;
  const { key, withdrawn_at, json } = row;
  return { kind: kind.name, key, withdrawn_at, document: JSON.parse(json) };
}

/** The first key of a kind, or null. */
export function firstKey(mirror: Mirror, { name }: Kind): string | null {
  const sql = 'SELECT key FROM record WHERE kind = ? AND withdrawn IS NULL ORDER BY key LIMIT 1';
  return mirror.column<string>(sql).get(name) ?? null;
}

function selectReferences(mirror: Mirror, condition: string, parameter: string): RecordReference[] {
  const sql = `SELECT kind, key FROM record WHERE withdrawn IS NULL AND ${condition} LIMIT 20`;
  return mirror
    .sql<{ kind: KindName; key: string }>(sql)
    .all(parameter)
    .map(({ kind, key }) => ({ kind: kindOf(kind), key }));
}

/** Ballots of a chamber with ids similar to an unknown one. */
export function findSimilarBallots(mirror: Mirror, chamber: string, scrutinId: string): KeyedName[] {
  const stem = scrutinId.replace(/\d+$/, '') || scrutinId;
  const target = { stem: `${chamber}:${stem}`, key: `${chamber}:${scrutinId}` };
  return findByPrefix(mirror, 'ballot', target);
}

/** Records of a kind similar to an unknown key: by name, or by key prefix. */
export function findSimilarRecords(mirror: Mirror, kind: Kind, key: string): KeyedName[] {
  if (kind.name === 'politician' || kind.name === 'party') return nearSlugs(mirror, kind.name, key);
  const stem = key.replace(/[^-:]+$/, '') || key.slice(0, -1) || key;
  return findByLongestPrefix(mirror, kind.name, { stem, key }).map((similar) => ({
    ...similar,
    name: titleOf(kind, readRecord(mirror, kind, similar.key)!),
  }));
}

/** Keys that share the longest beginning with a key: at least a stem. */
function findByLongestPrefix(mirror: Mirror, kind: string, { stem, key }: { stem: string; key: string }) {
  for (let end = key.length - 1; end > stem.length; end -= 1) {
    const similarRecords = findByPrefix(mirror, kind, { stem: key.slice(0, end), key });
    if (similarRecords.length > 0) return similarRecords;
  }
  return findByPrefix(mirror, kind, { stem, key });
}

function findByPrefix(mirror: Mirror, kind: string, { stem, key }: { stem: string; key: string }) {
  const sql = `SELECT key, coalesce(date, '') AS name FROM record
    WHERE kind = ? AND key >= ? AND key < ? AND withdrawn IS NULL ORDER BY abs(length(key) - length(?)), key LIMIT 3`;
  return mirror.sql<KeyedName>(sql).all(kind, stem, `${stem}\u{10ffff}`, key);
}

/** A completion with its meaning. */
export type Completion = { word: string; meaning: string };

const maxCompletions = 1000;

/** Keys of a kind with a prefix, and their names, sorted, at most 1000. */
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
