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

const has = ({ columns }: WarehouseTable, name: string) => columns.some((column) => column.name === name);

/** Partition columns of a table; `writeFiles` may join small years to decades. */
function partitionsOf(table: WarehouseTable): string[] {
  if (!has(table, 'date') || has(table, 'year')) return [];
  return has(table, 'chamber') ? ['chamber', 'year'] : ['year'];
}

type Place = Record<string, string | null>;

const yearOf = (row: Document) => /^\d{4}(?=-)/.exec(textOf(row, 'date') ?? '')?.[0] ?? null;
const decadeOf = (year: string | null) => year && `${year.slice(0, 3)}0`;

/** The partition of a row. */
export function partitionOf(row: Document, names: string[]): Place {
  const cellOf = (name: string) => {
    if (name === 'year') return yearOf(row);
    if (name === 'decade') return decadeOf(yearOf(row));
    return typeof row[name] === 'string' ? row[name] || null : null;
  };
  return Object.fromEntries(names.map((name) => [name, cellOf(name)]));
}

/** The partition's values as text. */
export const placeOf = (values: Place) => JSON.stringify(values);

/** The years of a partition; null for rows without one. */
export function yearsOf({ year, decade }: Place): (string | null)[] {
  return decade ? Array.from({ length: 10 }, (_, at) => String(Number(decade) + at)) : [year ?? null];
}

const added = [
  column.integer('year', 'Year of the date.'),
  column.integer('decade', 'Decade of the date; files are partitioned by it.'),
];

/** Limit in bytes of text per decade for joining years: that much is rewritten in a moment. */
const mostJoined = 4 << 20;

/** Writes a Parquet file, named by its hash, per partition (by size if null); null if years outgrew `partitions`. */
export async function writeFiles(
  table: WarehouseTable,
  rows: Iterable<Document>,
  { storage, watch, partitions }: { storage: LakeStorage; watch: ExportWatch; partitions: string[] | null },
) {
  const byYear = partitionsOf(table);
  const years = await divide(table, rows, { names: byYear, staging: storage.staging, watch });
  const decades = Map.groupBy(years, ({ values }) => placeOf(decadesOf(values)));
  const isSmall =
    byYear.includes('year') &&
    [...decades.values()].every((all) => all.reduce((sum, { bytes }) => sum + bytes, 0) < mostJoined);
  const names = partitions ?? (isSmall ? byYear.map((name) => (name === 'year' ? 'decade' : name)) : byYear);
  if (names.includes('decade') && !isSmall) {
    for (const { path } of years) rmSync(path);
    return null;
  }
  const own = table.columns.map(({ isGuessed: _, ...each }): Column => each);
  const columns = [
    ...own,
    ...added.filter(({ name }) => names.includes(name) || (name === 'year' && names.includes('decade'))),
  ];
  const files: { file: DataFile; staged: string }[] = [];
  const raw = new Map<string, WrittenColumn>();
  for (const { values, path: spilled, rows: count } of names.includes('decade')
    ? [...decades.values()].map(joined)
    : years) {
    const staged = `${spilled}.parquet`;
    const written = await writeAtomically(staged, async (sink) => {
      const noted = (all: WrittenColumn[]) => {
        for (const each of all) if (each.rawOf !== undefined) raw.set(each.name, each);
      };
      const options = { columns, metadata: fileMetadata(table.attribution), noted, isOfLake: true };
      await writeParquet({ rows: () => linesOf(spilled, byYear.length > 0) }, options, sink);
    });
    rmSync(spilled);
    const path = `data/${written.sha256()}.parquet`;
    files.push({ staged, file: { path, partitionValues: values, size: written.bytes, rows: count } });
  }
  return { files, columns: [...columns, ...raw.values()], partitions: names };
}

function* linesOf(path: string, isDated: boolean): Generator<Document> {
  const decoder = new StringDecoder();
  let remainder = '';
  let at = 0;
  for (let bytes = readBytes(path, chunkLength); bytes.length > 0; bytes = readBytes(path, chunkLength, at)) {
    at += bytes.length;
    const lines = (remainder + decoder.write(bytes)).split('\n');
    remainder = lines.pop()!;
    for (const line of lines) {
      const row: Document = JSON.parse(line);
      if (isDated) {
        const year = yearOf(row);
        Object.assign(row, { year: year && Number(year), decade: year && Number(decadeOf(year)) });
      }
      yield row;
    }
  }
}

const chunkLength = 1 << 20;

const decadesOf = ({ year = null, ...otherValues }: Place): Place => ({
  ...otherValues,
  decade: decadeOf(year),
});

function joined([first, ...otherParts]: Part[]): Part {
  const whole = { ...first!, values: decadesOf(first!.values) };
  for (const { path, rows } of otherParts) {
    appendFileSync(whole.path, readFileSync(path));
    rmSync(path);
    whole.rows += rows;
  }
  return whole;
}

type Part = { values: Place; path: string; rows: number; bytes: number };

async function divide(
  table: WarehouseTable,
  rows: Iterable<Document>,
  { names, staging, watch }: { names: string[]; staging: string; watch: ExportWatch },
): Promise<Part[]> {
  const parts = new Map<string, Part & { waiting: string[] }>();
  const flush = ({ path, waiting }: { path: string; waiting: string[] }) =>
    appendFileSync(path, waiting.splice(0).join(''));
  let count = 0;
  let length = 0;
  for (const row of rows) {
    const values = partitionOf(row, names);
    const partitionKey = placeOf(values);
    let part = parts.get(partitionKey);
    if (!part) {
      part = { values, path: join(staging, `${table.name}-${parts.size}`), rows: 0, bytes: 0, waiting: [] };
      parts.set(partitionKey, part);
    }
    const line = `${JSON.stringify(row)}\n`;
    part.waiting.push(line);
    part.rows += 1;
    part.bytes += line.length;
    length += line.length;
    if (length > mostWaiting) {
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

const mostWaiting = 8 << 20;
