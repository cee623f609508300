import { analyserVersion } from '../../language/stem.ts';
import type { Document } from '../../model/document.ts';
import { idBounds, type Kind, kinds, recordRange } from '../../model/kinds.ts';
import { deleteAcronyms, deleteAllAcronyms, saveAcronyms } from '../../names/acronyms.ts';
import { quotedText } from '../../names/database.ts';
import { type Mirror, readMeta, saveMeta } from '../mirror.ts';
import type { Sql } from '../page.ts';
import { documentAt, kindOfRecord } from '../record.ts';
import { type IndexEntry, indexEntryOf, textHash } from './index-entry.ts';

/** An FTS5 table, and SQL ` AND …` for its valid rows; empty if all are. */
export type IndexPart = { table: string; condition: string };

/** The index of the present state. */
export const currentIndex: IndexPart = { table: 'search', condition: '' };

/** SQL for the past moment that a mirror shows; it is in a temporary table because views take no parameters. */
export const pastMomentSql = '(SELECT at FROM temp.past_moment WHERE rowid = 1)';

/** Tables to search: the current index; for a past state, its unchanged rows and an index of changed records. */
export function indexParts({ asOf }: Mirror): IndexPart[] {
  if (asOf === null) return [currentIndex];
  const unchangedSql = `rowid NOT IN (SELECT id FROM changed) AND EXISTS
    (SELECT 1 FROM main.record AS stored WHERE stored.id = main.search.rowid AND first_seen <= ${pastMomentSql})`;
  return [
    { table: 'main.search', condition: ` AND ${unchangedSql}` },
    { table: 'temp.search', condition: '' },
  ];
}

/** Condition on a rowid range. The cast matters: better-sqlite3 binds REALs, with which FTS5 cannot seek. */
export const rowidRangeSql = 'rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)';

/** The condition on `id` of records that match an FTS5 expression, in the id range from the first to the last kind. */
export function matchingIdsSql(parts: readonly IndexPart[], match: string, kinds: readonly Kind[]): Sql {
  const bounds = kinds.flatMap(idBounds);
  const selects = parts.map(
    ({ table, condition }) => `SELECT rowid FROM ${table} WHERE search MATCH ? AND ${rowidRangeSql}${condition}`,
  );
  return {
    sql: `id IN (${selects.join(' UNION ALL ')})`,
    parameters: parts.flatMap(() => [match, Math.min(...bounds), Math.max(...bounds)]),
  };
}

/** The kinds in the full-text index. */
export const indexedKinds: ReadonlySet<Kind> = new Set(
  kinds.filter(({ search }) => Object.values(search).some((fields) => fields.length > 0)),
);

/** True for a kind in the full-text index. */
export const isIndexed = (kind: Kind): boolean => indexedKinds.has(kind);

/** Id range of each kind up to its newest record; of a kind without records, `last` is less than `first`. */
export function usedRanges(mirror: Mirror, kinds: Iterable<Kind>): ReturnType<typeof recordRange>[] {
  const newest = mirror.column<number | null>('SELECT max(id) FROM main.record WHERE id BETWEEN ? AND ?');
  const ranges = Array.from(kinds, recordRange);
  return ranges.map(({ first, last }) => ({ first, last: newest.get(first, last) ?? first - 1 }));
}

/** Estimated number of indexed records, from the newest id of each kind. */
export function countIndexedRecords(mirror: Mirror): number {
  const count = () => usedRanges(mirror, indexedKinds).reduce((sum, { first, last }) => sum + last - first + 1, 0);
  return mirror.readOnce('number of indexed records', count);
}

/** Adds a record that is not in the full-text index, and the acronyms that it defines. */
export function addToIndex(mirror: Mirror, id: number, { columns, acronyms }: IndexEntry): void {
  mirror.sql('INSERT INTO search (rowid, name, title, body, about) VALUES (?, ?, ?, ?, ?)').run(id, ...columns);
  // The temporary index of a past state saves no acronyms.
  if (acronyms.length > 0 && mirror.asOf === null && !mirror.readonly) saveAcronyms(mirror, id, acronyms);
}

/** Adds a document that is not yet in the full-text index, and saves the hash of its text with the record. */
export function indexDocument(mirror: Mirror, kind: Kind, { id, document }: { id: number; document: Document }): void {
  mirror.sql('UPDATE record SET text_hash = ? WHERE id = ?').run(textHash(kind, document), id);
  addToIndex(mirror, id, indexEntryOf(kind, document));
}

/** Sets FTS5's automerge (2 to 16 segments: many while writing, few for reading) and its write buffer in MB. */
export function setIndexMerging(mirror: Mirror, segmentCount: number, bufferMb = 1): void {
  const setOption = mirror.sql('INSERT INTO search (search, rank) VALUES (?, ?)');
  // FTS5 options must be integers, and better-sqlite3 binds numbers as REAL.
  setOption.run('automerge', BigInt(segmentCount));
  setOption.run('hashsize', BigInt(bufferMb * 2 ** 20));
}

/** Merges the index into one segment for faster searches; takes two seconds for a million records. */
export function optimizeIndex(mirror: Mirror): void {
  mirror.sql("INSERT INTO search (search) VALUES ('optimize')").run();
}

/** Removes a record and its acronyms from the full-text index. */
export function removeFromIndex(mirror: Mirror, id: number): void {
  mirror.sql('DELETE FROM search WHERE rowid = ?').run(id);
  deleteAcronyms(mirror, id);
}

/** Rebuilds the index if the analysis rules changed since it was built. */
export function refreshIndex(mirror: Mirror): void {
  if (readMeta(mirror, 'analyser') === String(analyserVersion)) return;
  mirror.sql('DELETE FROM search').run();
  deleteAllAcronyms(mirror);
  const kindNames = [...indexedKinds].map((kind) => quotedText(kind.name));
  const sql = `SELECT id FROM record WHERE withdrawn IS NULL AND kind IN (${kindNames.join(',')}) ORDER BY id`;
  for (const id of mirror.column<number>(sql).all())
    indexDocument(mirror, kindOfRecord(id), { id, document: documentAt(mirror, id) });
  saveMeta(mirror, 'analyser', String(analyserVersion));
}

/** The kinds that the service's own search covers. */
export const searchedKinds = kinds.filter(({ searched }) => searched);
