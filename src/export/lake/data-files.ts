import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { writeAtomically } from '../../format/atomic-file.ts';
import { readBytes } from '../../format/foreign-file.ts';
import type { WrittenColumn } from '../../format/format.ts';
import { writeParquet } from '../../format/parquet/file.ts';
import { column } from '../../model/columns.ts';
import { type Document, textOf } from '../../model/document.ts';
import type { Column } from '../../model/kinds.ts';
import { type ExportWatch, fileMetadata } from '../table.ts';
import type { WarehouseTable } from '../warehouse.ts';
import type { DataFile } from './delta-log.ts';
import type { LakeStorage } from './storage.ts';

const hasColumn = ({ columns }: WarehouseTable, name: string) => columns.some((column) => column.name === name);

/** Partition columns of a table; `writeFiles` may join small years to decades. */
function partitionsOf(table: WarehouseTable): string[] {
  if (!hasColumn(table, 'date') || hasColumn(table, 'year')) return [];
  return hasColumn(table, 'chamber') ? ['chamber', 'year'] : ['year'];
}

type Partition = Record<string, string | null>;

const yearOf = (row: Document) => /^\d{4}(?=-)/.exec(textOf(row, 'date') ?? '')?.[0] ?? null;
const decadeOf = (year: string | null) => year && `${year.slice(0, 3)}0`;

/** The partition of a row. */
export function partitionOf(row: Document, names: string[]): Partition {
  const cellOf = (name: string) => {
    if (name === 'year') return yearOf(row);
    if (name === 'decade') return decadeOf(yearOf(row));
    return typeof row[name] === 'string' ? row[name] || null : null;
  };
  return Object.fromEntries(names.map((name) => [name, cellOf(name)]));
}

/** The partition's values as text. */
export const partitionText = (values: Partition) => JSON.stringify(values);

/** The years of a partition; null for rows without one. */
export function yearsOf({ year, decade }: Partition): (string | null)[] {
  return decade ? Array.from({ length: 10 }, (_, at) => String(Number(decade) + at)) : [year ?? null];
}

const partitionColumns = [
  column.integer('year', 'Year of the date.'),
  column.integer('decade', 'Decade of the date; files are partitioned by it.'),
];

/** Limit in bytes of text per decade for joining years: that much is rewritten in a moment. */
const maxJoinedBytes = 4 << 20;

/** Writes a Parquet file, named by its hash, per partition (by size if null); null if years outgrew `partitions`. */
export async function writeFiles(
  table: WarehouseTable,
  rows: Iterable<Document>,
  { storage, watch, partitions }: { storage: LakeStorage; watch: ExportWatch; partitions: string[] | null },
) {
  const byYear = partitionsOf(table);
  const years = await spillRows(table, rows, { names: byYear, staging: storage.staging, watch });
  const decades = Map.groupBy(years, ({ values }) => partitionText(joinDecade(values)));
  const isSmall =
    byYear.includes('year') &&
    [...decades.values()].every((all) => all.reduce((sum, { bytes }) => sum + bytes, 0) < maxJoinedBytes);
  const names = partitions ?? (isSmall ? byYear.map((name) => (name === 'year' ? 'decade' : name)) : byYear);
  if (names.includes('decade') && !isSmall) {
    for (const { path } of years) rmSync(path);
    return null;
  }
  const dataColumns = table.columns.map(({ isGuessed: _, ...each }): Column => each);
  const columns = [
    ...dataColumns,
    ...partitionColumns.filter(({ name }) => names.includes(name) || (name === 'year' && names.includes('decade'))),
  ];
  const files: { file: DataFile; staged: string }[] = [];
  const rawColumns = new Map<string, WrittenColumn>();
  for (const { values, path: spillPath, rows: count } of names.includes('decade')
    ? [...decades.values()].map(joinYears)
    : years) {
    const staged = `${spillPath}.parquet`;
    const parquetFile = await writeAtomically(staged, async (sink) => {
      const noted = (all: WrittenColumn[]) => {
        for (const each of all) if (each.rawOf !== undefined) rawColumns.set(each.name, each);
      };
      const options = { columns, metadata: fileMetadata(table.attribution), noted, isOfLake: true };
      await writeParquet({ rows: () => readSpillFile(spillPath, byYear.length > 0) }, options, sink);
    });
    rmSync(spillPath);
    const path = `data/${parquetFile.sha256()}.parquet`;
    files.push({ staged, file: { path, partitionValues: values, size: parquetFile.bytes, rows: count } });
  }
  return { files, columns: [...columns, ...rawColumns.values()], partitions: names };
}

function* readSpillFile(path: string, hasDates: boolean): Generator<Document> {
  const decoder = new StringDecoder();
  let remainder = '';
  let at = 0;
  for (let bytes = readBytes(path, chunkLength); bytes.length > 0; bytes = readBytes(path, chunkLength, at)) {
    at += bytes.length;
    const lines = (remainder + decoder.write(bytes)).split('\n');
    remainder = lines.pop()!;
    for (const line of lines) {
      const row: Document = JSON.parse(line);
      if (hasDates) {
        const year = yearOf(row);
        Object.assign(row, { year: year && Number(year), decade: year && Number(decadeOf(year)) });
      }
      yield row;
    }
  }
}

const chunkLength = 1 << 20;

const joinDecade = ({ year = null, ...otherValues }: Partition): Partition => ({
  ...otherValues,
  decade: decadeOf(year),
});

function joinYears([first, ...otherParts]: SpillFile[]): SpillFile {
  const decadeFile = { ...first!, values: joinDecade(first!.values) };
  for (const { path, rows } of otherParts) {
    appendFileSync(decadeFile.path, readFileSync(path));
    rmSync(path);
    decadeFile.rows += rows;
  }
  return decadeFile;
}

type SpillFile = { values: Partition; path: string; rows: number; bytes: number };

async function spillRows(
  table: WarehouseTable,
  rows: Iterable<Document>,
  { names, staging, watch }: { names: string[]; staging: string; watch: ExportWatch },
): Promise<SpillFile[]> {
  const parts = new Map<string, SpillFile & { bufferedLines: string[] }>();
  const flush = ({ path, bufferedLines }: { path: string; bufferedLines: string[] }) =>
    appendFileSync(path, bufferedLines.splice(0).join(''));
  let count = 0;
  let length = 0;
  for (const row of rows) {
    const values = partitionOf(row, names);
    const partitionKey = partitionText(values);
    let part = parts.get(partitionKey);
    if (!part) {
      part = { values, path: join(staging, `${table.name}-${parts.size}`), rows: 0, bytes: 0, bufferedLines: [] };
      parts.set(partitionKey, part);
    }
    const line = `${JSON.stringify(row)}\n`;
    part.bufferedLines.push(line);
    part.rows += 1;
    part.bytes += line.length;
    length += line.length;
    if (length > maxBufferedChars) {
      for (const each of parts.values()) flush(each);
      length = 0;
    }
    count += 1;
    if (count % 500 === 0) await watch(table, count);
  }
  for (const each of parts.values()) flush(each);
  await watch(table, count);
  return [...parts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, part]) => part);
}

const maxBufferedChars = 8 << 20;
