import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeAtomically } from '../../format/atomic-file.ts';
import type { TableOptions, WrittenColumn } from '../../format/format.ts';
import { writeParquet } from '../../format/parquet/file.ts';
import { column } from '../../model/columns.ts';
import { type Document, textOf } from '../../model/document.ts';
import type { Column } from '../../model/kinds.ts';
import type { Handle } from '../../store/mirror.ts';
import { openNewDatabase } from '../../store/open.ts';
import { databaseError } from '../sqlite.ts';
import { type ExportWatch, fileMetadata } from '../table.ts';
import type { WarehouseTable } from '../warehouse.ts';
import type { DataFile } from './delta-log.ts';
import type { LakeStorage } from './storage.ts';

type Partition = Record<string, string | null>;

const yearOf = (row: Document) => /^\d{4}(?=-)/.exec(textOf(row, 'date') ?? '')?.[0] ?? null;
const decadeOf = (year: string | null) => year && `${year.slice(0, 3)}0`;

/** The partition of a row: its values of the partition columns, null where it has none. */
export function partitionOf(row: Document, names: string[]): Partition {
  const cellOf = (name: string) => {
    if (name === 'year') return yearOf(row);
    if (name === 'decade') return decadeOf(yearOf(row));
    return typeof row[name] === 'string' ? row[name] || null : null;
  };
  return Object.fromEntries(names.map((name) => [name, cellOf(name)]));
}

/** The values of a partition as JSON, used as its key. */
export const partitionKey = (values: Partition) => JSON.stringify(values);

/** The years of a partition, ten for a decade; `[null]` for rows without a year. */
export function yearsOf({ year, decade }: Partition): (string | null)[] {
  return decade ? Array.from({ length: 10 }, (_, at) => `${decade.slice(0, 3)}${at}`) : [year ?? null];
}

const partitionColumns = [
  column.integer('year', 'Year of the date.'),
  column.integer('decade', 'Decade of the date; files are partitioned by it.'),
];

/** A table is partitioned by decade, not by year, while every decade has fewer characters of JSON than this. */
const maxDecadeChars = 4 << 20;

/** Stages a Parquet file per partition (null `partitions`: chosen here); returns null if decades grew too large. */
export async function writeFiles(
  table: WarehouseTable,
  rows: Iterable<Document>,
  { storage, watch, partitions }: { storage: LakeStorage; watch: ExportWatch; partitions: string[] | null },
) {
  const hasColumn = (name: string) => table.columns.some((column) => column.name === name);
  const isDated = hasColumn('date') && !hasColumn('year');
  // Partition columns; `decade` replaces `year` below if every decade is small.
  const yearColumns = isDated ? [...(hasColumn('chamber') ? ['chamber'] : []), 'year'] : [];
  const path = join(storage.staging, table.name);
  await writeFile(path, '');
  using _file = { [Symbol.dispose]: () => rmSync(path, { force: true }) };
  const database = openNewDatabase(path);
  using _database = { [Symbol.dispose]: () => database.close() };
  try {
    const yearParts = await sortRows(database, table, rows, { names: yearColumns, watch });
    const decades = Map.groupBy(yearParts, ({ values }) => partitionKey(toDecade(values)));
    const charsOf = (parts: SortedPartition[]) => parts.reduce((sum, { chars }) => sum + chars, 0);
    const fitsDecades = isDated && [...decades.values()].every((parts) => charsOf(parts) < maxDecadeChars);
    const decadeColumns = yearColumns.map((name) => (name === 'year' ? 'decade' : name));
    const names = partitions ?? (fitsDecades ? decadeColumns : yearColumns);
    const isByDecade = names.includes('decade');
    if (isByDecade && !fitsDecades) return null;
    const isStored = ({ name }: Column) => names.includes(name) || (name === 'year' && isByDecade);
    const columns = [...table.columns, ...partitionColumns.filter(isStored)];
    const files: { file: DataFile; staged: string }[] = [];
    const writtenColumns = new Map<string, WrittenColumn>(columns.map((each) => [each.name, each]));
    const report = (fileColumns: WrittenColumn[]) => {
      for (const each of fileColumns) writtenColumns.set(each.name, each);
    };
    const metadata = fileMetadata(table.attribution);
    for (const fileParts of isByDecade ? decades.values() : yearParts.map((part) => [part])) {
      const staged = `${path}-${files.length}.parquet`;
      const source = { rows: () => readRows(database, fileParts, isDated) };
      const options: TableOptions = { columns, metadata, report, isForLake: true };
      const { bytes: size, sha256 } = await writeAtomically(staged, (sink) => writeParquet(source, options, sink));
      const { values } = fileParts[0]!;
      const partitionValues = isByDecade ? toDecade(values) : values;
      const count = fileParts.reduce((sum, part) => sum + part.rows, 0);
      files.push({ staged, file: { path: `data/${sha256()}.parquet`, partitionValues, size, rows: count } });
    }
    return { files, columns: [...writtenColumns.values()], partitions: names };
  } catch (error) {
    throw databaseError(dirname(storage.staging), error);
  }
}

const toDecade = ({ year = null, ...values }: Partition): Partition => ({ ...values, decade: decadeOf(year) });

/** A partition in the temporary database: row count, characters of JSON. */
type SortedPartition = { partition: string; values: Partition; rows: number; chars: number };

/** Inserts rows into a temporary database by partition; returns the partitions in order. */
async function sortRows(
  database: Handle,
  table: WarehouseTable,
  rows: Iterable<Document>,
  { names, watch }: { names: string[]; watch: ExportWatch },
): Promise<SortedPartition[]> {
  // The file is temporary: it need not survive a crash. Large pages hold a row without overflow.
  for (const pragma of ['page_size = 65536', 'cache_size = -16384', 'journal_mode = MEMORY', 'synchronous = OFF'])
    database.pragma(pragma);
  database.exec(`CREATE TABLE part (partition TEXT, n INTEGER, json TEXT, PRIMARY KEY (partition, n)) WITHOUT ROWID;
    BEGIN`);
  const insert = database.prepare('INSERT INTO part VALUES (?, ?, ?)');
  let count = 0;
  for (const row of rows) {
    count += 1;
    insert.run(partitionKey(partitionOf(row, names)), count, JSON.stringify(row));
    if (count % 500 === 0) await watch(table, count);
  }
  database.exec('COMMIT');
  await watch(table, count);
  const sql = 'SELECT partition, count(*) AS rows, sum(length(json) + 1) AS chars FROM part GROUP BY 1 ORDER BY 1';
  const parts = database.prepare<[], Omit<SortedPartition, 'values'>>(sql).all();
  return parts.map((part) => ({ ...part, values: JSON.parse(part.partition) }));
}

function* readRows(database: Handle, parts: SortedPartition[], isDated: boolean): Generator<Document> {
  const sql = 'SELECT json FROM part WHERE partition BETWEEN ? AND ? ORDER BY partition, n';
  const range = [parts[0]!.partition, parts.at(-1)!.partition]; // the years of a decade are adjacent keys
  for (const json of database.prepare(sql).pluck().iterate(range)) {
    const row: Document = JSON.parse(json as string);
    const year = isDated ? yearOf(row) : null;
    if (isDated) Object.assign(row, { year: year && Number(year), decade: year && Number(decadeOf(year)) });
    yield row;
  }
}
