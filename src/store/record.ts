import { nameSortKey } from '../language/name.ts';
import { type Ballot, type Chamber, readBallot } from '../model/ballot.ts';
import { type Document, documentOf, type RecordTexts, textOf } from '../model/document.ts';
import type { Facets } from '../model/facets.ts';
import { idBounds, idSpan, type Kind, type KindName, kindOf, kinds, recordRange } from '../model/kinds.ts';
import { readRecord } from '../names/database.ts';
import type { Mirror } from './mirror.ts';

export { hasRecord, readRecord } from '../names/database.ts';

/** Id ranges of several kinds; adjacent ranges are merged. */
export function recordRanges(kinds: readonly Kind[]): ReturnType<typeof recordRange>[] {
  const numbers = [...new Set(kinds.map(({ number }) => number))].sort((a, b) => a - b);
  const ranges: ReturnType<typeof recordRange>[] = [];
  for (const number of numbers) {
    const { first, last } = recordRange({ number });
    const previousRange = ranges.at(-1);
    if (previousRange && numbers.includes(number - 1)) previousRange.last = last;
    else ranges.push({ first, last });
  }
  return ranges;
}

/** SQL of the id of a kind's next record: the ids of erased records (table `gone`) are not used again. */
export function nextIdSql(kind: Kind): string {
  const { first, last } = recordRange(kind);
  return `1 + max((SELECT coalesce(max(id), ${first - 1}) FROM record WHERE id BETWEEN ${first} AND ${last}),
    (SELECT coalesce(max(record), 0) FROM gone WHERE record BETWEEN ${first} AND ${last}))`;
}

const kindsByNumber = new Map(kinds.map((kind) => [kind.number, kind]));

/** The kind of a record by its id. */
export function kindOfRecord(id: number): Kind {
  const kind = kindsByNumber.get(Math.floor(id / idSpan));
  if (!kind) throw new RangeError(`record ${id} is of no known kind`);
  return kind;
}

/** The most complete document of a record by its id, withdrawn or not. */
export function documentAt(mirror: Mirror, id: number): Document {
  return documentOf(mirror.sql<RecordTexts>('SELECT row, detail FROM record WHERE id = ?').get(id)!);
}

/** Keys of the current records of a kind in the order of arrival, each with its permanent number within the kind. */
export function recordOrdinals(mirror: Mirror, kind: KindName): { key: string; ordinal: number }[] {
  const sql = `SELECT key, id & ${idSpan - 1} AS ordinal FROM record WHERE kind = ? AND withdrawn IS NULL ORDER BY id`;
  return mirror.sql<{ key: string; ordinal: number }>(sql).all(kind);
}

/** Records that have former versions or are withdrawn, each with its ordinal within the kind. */
export function recordsWithHistory(mirror: Mirror): { kind: KindName; key: string; ordinal: number }[] {
  const sql = `SELECT kind, key, id & ${idSpan - 1} AS ordinal FROM record WHERE id IN (SELECT record FROM version)
    OR withdrawn IS NOT NULL ORDER BY kind, key`;
  return mirror.sql<{ kind: KindName; key: string; ordinal: number }>(sql).all();
}

/** The name of a current record, as of a politician or party; null if it has none or is not stored. */
export function recordName(mirror: Mirror, kind: KindName, key: string): string | null {
  const sql = 'SELECT name FROM record WHERE kind = ? AND key = ? AND withdrawn IS NULL';
  return mirror.column<string | null>(sql).get(kind, key) ?? null;
}

/** A current ballot in the shape of `/votes/{id}`; undefined if it is not stored. */
export function readBallotOf(mirror: Mirror, chamber: Chamber, scrutinId: string): Ballot | undefined {
  const document = readRecord(mirror, kindOf('ballot'), `${chamber}:${scrutinId}`);
  return document && readBallot(document, { chamber, scrutinId });
}

/** When the mirror last saw a change of a record, ISO 8601; null if it is not stored. */
export function lastChangeAt(mirror: Mirror, kind: KindName, key: string): string | null {
  const sql = "SELECT max(last_changed, coalesce(detail_since, '')) FROM record WHERE kind = ? AND key = ?";
  return mirror.column<string | null>(sql).get(kind, key) ?? null;
}

/** When the newest record of a kind was first received, ISO 8601; null without records. */
export function lastAdditionAt(mirror: Mirror, kind: Kind): string | null {
  const newest = mirror.column<string | null>('SELECT max(first_seen) FROM record WHERE id BETWEEN ? AND ?');
  return newest.get(...idBounds(kind))!;
}

/** A former version of a record's dataset row or full document, with its validity period. */
export type FormerVersion = Record<'json' | 'hash' | 'seen_from' | 'seen_to', string> & {
  part: 'row' | 'detail';
  ended_by: 'edited' | 'withdrawn';
};

/** Saves a former version of a record. */
export function saveVersion(mirror: Mirror, record: number, version: FormerVersion): void {
  const sql = `INSERT INTO version (record, part, json, hash, seen_from, seen_to, ended_by)
    VALUES ($record, $part, $json, $hash, $seen_from, $seen_to, $ended_by)`;
  mirror.sql(sql).run({ ...version, record });
}

/** Values derived from a document for the columns of `record` in `facetColumns`, in that order. */
export function facetValues(kind: Kind, document: Document, facets: Facets): (string | null)[] {
  const name = kind.search.name.length > 0 ? textOf(document, kind.search.name[0]!) : null;
  const sortName = name === null ? '' : sortNameOf(kind, document, name);
  const { politician, party, group, topic, date, updatedAt } = facets;
  return [name, sortName, politician, party, group, topic, date, updatedAt];
}

export const facetColumns = ['name', 'sort_name', 'politician', 'party', 'group_slug', 'topic', 'date', 'updated_at'];

function sortNameOf(kind: Kind, document: Document, name: string): string {
  if (kind.name !== 'politician') return nameSortKey(name, name, '');
  return nameSortKey(name, textOf(document, 'last_name'), textOf(document, 'first_name'));
}
