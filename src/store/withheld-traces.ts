import { createTraceScanner, keyedHash, type Trace, tracesOf } from '../language/traces.ts';
import { type Document, type Json, textOf } from '../model/document.ts';
import { type KindName, kindOf } from '../model/kinds.ts';
import { hasTable, type Mirror, readMeta } from './mirror.ts';
import { readAdmissionFilter, type Tombstone, tombstoneSalt, tombstones } from './tombstones.ts';

type StoredTrace = Trace & Pick<Tombstone, 'kind' | 'hash'>;

/** Saves keyed hashes of the words of a record and its versions, to recognise its copies after it is erased. */
export function saveTraces(
  mirror: Mirror,
  { kind, hash }: Tombstone,
  { id, documents }: { id: number; documents: Document[] },
): void {
  const salt = tombstoneSalt(mirror);
  mirror.database.exec(`CREATE TABLE IF NOT EXISTS withheld_trace (
    id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, hash TEXT NOT NULL,
    words INTEGER NOT NULL, filter INTEGER NOT NULL, digest TEXT NOT NULL, UNIQUE (kind, hash, digest)) STRICT`);
  const insert = mirror.sql(`INSERT OR IGNORE INTO withheld_trace (kind, hash, words, filter, digest)
    VALUES ($kind, $hash, $words, $filter, $digest)`);
  const versions = mirror.column<string>('SELECT json FROM version WHERE record = ?').all(id);
  for (const document of [...documents, ...versions.map((json): Document => JSON.parse(json))]) {
    const names = kindOf(kind).search.name.map((field) => textOf(document, field) ?? '');
    const traces = [
      ...names.flatMap((name) => tracesOf(name, salt, true)),
      ...stringsIn(document).flatMap((text) => tracesOf(text, salt)),
    ];
    for (const trace of traces) insert.run({ kind, hash, ...trace });
  }
}

const stringsIn = (value: Json): string[] =>
  typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(stringsIn);

/** Deletes the traces of records that have no tombstone any more. */
export function deleteTraces(mirror: Mirror): void {
  if (hasTable(mirror, 'withheld_trace'))
    mirror.database.exec(
      'DELETE FROM withheld_trace WHERE (kind, hash) NOT IN (SELECT kind, hash FROM withheld_record)',
    );
}

/** A scanner that recognises withheld records in exports and other copies of the mirror. */
export type WithheldScanner = {
  /** Keyed hash of all tombstones and the number of traces; changes whenever more is withheld. */
  mark: string;
  /** Kinds of the withheld records in these texts, by kind and hash; omits hits that stored records contain, too. */
  search(texts: AsyncIterable<string> | Iterable<string>): Promise<Map<string, KindName>>;
};

/** Returns a scanner for the withheld records of a mirror; null if nothing is withheld. */
export function createWithheldScanner(mirror: Mirror): WithheldScanner | null {
  const admissionFilter = readAdmissionFilter(mirror);
  if (admissionFilter === null) return null;
  const storedTraces = hasTable(mirror, 'withheld_trace')
    ? mirror.sql<StoredTrace>('SELECT kind, hash, words, filter, digest FROM withheld_trace').all()
    : [];
  const salt = readMeta(mirror, 'tombstone_salt') ?? '';
  const scan = createTraceScanner(storedTraces, { salt, findKey: admissionFilter.findTombstoneOfAnyKind });
  let mirrorHits: ReturnType<typeof scan> | null = null;
  const hashes = tombstones(mirror).map(({ hash }) => hash);
  return {
    mark: keyedHash(salt, [storedTraces.length, ...hashes.sort()].join(' ')),
    async search(texts) {
      const textHits = await scan(texts);
      if (textHits.size === 0) return new Map();
      mirrorHits ??= scan(mirror.column<string>(documentTextsSql).iterate());
      const quotedHits = await mirrorHits;
      const hitRecords = [...textHits].filter((hit) => !quotedHits.has(hit));
      return new Map(hitRecords.map(({ kind, hash }) => [`${kind} ${hash}`, kind]));
    },
  };
}

const documentTextsSql = `SELECT coalesce(row, '') || ' ' || coalesce(detail, '') || ' ' FROM record
  UNION ALL SELECT json || ' ' FROM version`;
