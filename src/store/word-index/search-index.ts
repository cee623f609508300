import { analyserVersion } from '../../language/stem.ts';
import { documentOf } from '../../model/document.ts';
import { type Kind, kindOf, kinds, recordRange } from '../../model/kinds.ts';
import { forgetAcronyms, forgetAllAcronyms, saveAcronyms } from '../../names/acronyms.ts';
import { readMeta, saveMeta } from '../meta.ts';
import type { Mirror } from '../mirror.ts';
import { kindOfRecord } from '../record.ts';
import { type IndexEntry, indexEntryOf } from './index-entry.ts';

/** A table of indexed words, and the condition under which an entry of it holds. */
export type IndexPart = { table: string; isValid: string };

export const indexOfNow: IndexPart = { table: 'search', isValid: '' };

/**
 * Where to look for words: in one table, or, for a moment of the past, in that of now for the records that have not
 * changed since, and in one of what the others said then.
 */
export function indexParts({ pastOf }: Mirror): IndexPart[] {
  if (pastOf === null) return [indexOfNow];
  const isUnchanged = `rowid NOT IN (SELECT id FROM changed) AND EXISTS
    (SELECT 1 FROM main.record AS held WHERE held.id = main.search.rowid AND first_seen <= '${pastOf}')`;
  return [
    { table: 'main.search', isValid: ` AND ${isUnchanged}` },
    { table: 'temp.search', isValid: '' },
  ];
}

/**
 * The condition on a rowid range, both bounds bound. FTS5 seeks only to integers: a REAL, as better-sqlite3 binds numbers,
 * would have it read every entry of a word.
 */
export const isBetween = 'rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)';

/**
 * The table of FTS5's own that lists the words of the index in their order: each place where one stands, or one row for each
 * with the number of its records. https://www.sqlite.org/fts5.html#the_fts5vocab_virtual_table_module
 */
export function vocabularyOf(
  { database }: Mirror,
  { schema = 'main', type = 'instance' }: { schema?: 'main' | 'temp'; type?: 'instance' | 'row' } = {},
): string {
  const table = `temp.${type}_${schema}`;
  database.exec(
    `CREATE VIRTUAL TABLE IF NOT EXISTS ${table} USING fts5vocab('${schema}', 'search', '${type}')`,
  );
  return table;
}

/** The records of a kind that match an expression, by their numbers. */
export function matchingRecords(mirror: Mirror, kind: Kind, match: string): number[] {
  const { first, last } = recordRange(kind);
  return indexParts(mirror).flatMap(({ table, isValid }) =>
    mirror
      .column<number>(`SELECT rowid FROM ${table} WHERE search MATCH ? AND ${isBetween}${isValid}`)
      .all(match, first, last),
  );
}

/** The kinds whose records stand in the full-text index. */
export const indexedKinds: ReadonlySet<Kind> = new Set(
  kinds.filter(({ search }) => Object.values(search).some((fields) => fields.length > 0)),
);

/** True if records of the kind stand in the full-text index. */
export function isIndexed(kind: Kind): boolean {
  return indexedKinds.has(kind);
}

/** Puts a record's analysed words into the full-text index; the record must not stand there yet. */
export function addToIndex(mirror: Mirror, id: number, entry: IndexEntry<string | Uint8Array>): void {
  const { name, title, body, about, acronyms } = entry;
  mirror
    .sql('INSERT INTO search (rowid, name, title, body, about) VALUES (?, ?, ?, ?, ?)')
    .run(id, name, title, body, about);
  // A past index belongs to a mirror that is only read.
  if (acronyms.length > 0 && mirror.pastOf === null && !mirror.readonly) saveAcronyms(mirror, id, acronyms);
}

/**
 * Sets how many segments may stand side by side before FTS5 merges them (2 to 16: many while writing, few for reading), and
 * how many MB of words it buffers before it writes one.
 */
export function mergeIndexAt(mirror: Mirror, parts: number, bufferMb = 1): void {
  const set = mirror.sql('INSERT INTO search (search, rank) VALUES (?, ?)');
  // FTS5 options must be integers, and better-sqlite3 binds numbers as REAL.
  set.run('automerge', BigInt(parts));
  set.run('hashsize', BigInt(bufferMb * 2 ** 20));
}

/** Merges the index into one segment, so that a search reads one place: two seconds for a million records. */
export function joinIndexParts(mirror: Mirror): void {
  mirror.sql("INSERT INTO search (search) VALUES ('optimize')").run();
}

/** Takes a record out of the full-text index. */
export function removeFromIndex(mirror: Mirror, id: number): void {
  mirror.sql('DELETE FROM search WHERE rowid = ?').run(id);
  forgetAcronyms(mirror, id);
}

/** Builds the whole index anew when the way words are analysed changed since it was built. */
export function refreshIndex(mirror: Mirror): void {
  if (readMeta(mirror, 'analyser') === String(analyserVersion)) return;
  mirror.sql('DELETE FROM search').run();
  forgetAllAcronyms(mirror);
  const indexed = [...indexedKinds].map((kind) => `'${kind.name}'`);
  const ids = mirror
    .column<number>(
      `SELECT id FROM record WHERE withdrawn IS NULL AND kind IN (${indexed.join(',')}) ORDER BY id`,
    )
    .all();
  for (const id of ids) {
    const stored = mirror.sql<StoredDocument>('SELECT row, detail FROM record WHERE id = ?').get(id)!;
    addToIndex(mirror, id, indexEntryOf(kindOfRecord(id), documentOf(stored)));
  }
  saveMeta(mirror, 'analyser', String(analyserVersion));
}

type StoredDocument = { row: string | null; detail: string | null };

export const searchedKinds = kinds.filter((kind) => kind.searched).map((kind) => kindOf(kind.name));
