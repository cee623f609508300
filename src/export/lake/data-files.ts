import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../../format/atomic-file.ts';
import type { WrittenColumn } from '../../format/format.ts';
import { writeParquet } from '../../format/parquet/file.ts';
import { column } from '../../model/columns.ts';
import type { Document } from '../../model/document.ts';
import type { Column } from '../../model/kinds.ts';
import { type ExportWatch, fileMetadata } from '../table.ts';
import type { WarehouseTable } from '../warehouse.ts';
import type { DataFile } from './delta-log.ts';
import type { LakeStorage } from './storage.ts';

const has = ({ columns }: WarehouseTable, name: string) => columns.some((column) => column.name === name);

/** The columns by which the files of a table are divided. */
export function partitionsOf(table: WarehouseTable): string[] {
  if (!has(table, 'date') || has(table, 'year')) return [];
  return has(table, 'chamber') ? ['chamber', 'year'] : ['year'];
}

type Place = Record<string, string | null>;

/** The partition of a row. */
export function partitionOf(row: Document, names: string[]): Place {
  const year = /^\d{4}(?=-)/.exec(String(row.date ?? ''))?.[0] ?? null;
  return Object.fromEntries(
    names.map((name) => [
      name,
      name === 'year' ? year : typeof row[name] === 'string' ? row[name] || null : null,
    ]),
  );
}

/** The name of a partition. */
export const placeOf = (values: Place) => JSON.stringify(values);

type StagedFile = { file: DataFile; staged: string };

const yearColumn = column.integer('year', 'Year of the date; the files are divided by it.');

/** Writes the rows as one Parquet file for each partition, named by its hash; and the columns that these have. */
export async function writeFiles(
  table: WarehouseTable,
  rows: Iterable<Document>,
  { storage, watch }: { storage: LakeStorage; watch: ExportWatch },
): Promise<{ files: StagedFile[]; columns: (Pick<Column, 'name'> & Partial<Column>)[] }> {
  const names = partitionsOf(table);
  const own = table.columns.map(({ isGuessed: _, ...each }): Column => each);
  const columns = names.includes('year') ? [...own, yearColumn] : own;
  const parts = await divide(table, rows, { names, staging: storage.staging, watch });
  const files: StagedFile[] = [];
  const raw = new Map<string, WrittenColumn>();
  for (const { values, path: spilled, rows: count } of parts) {
    const staged = `${spilled}.parquet`;
    const year: Document = names.includes('year') ? { year: values.year ? Number(values.year) : null } : {};
    const written = await writeAtomically(staged, async (sink) => {
      const noted = (all: WrittenColumn[]) => {
        for (const each of all) if (each.rawOf !== undefined) raw.set(each.name, each);
      };
      const options = { columns, metadata: fileMetadata(table.attribution), noted, isOfLake: true };
      await writeParquet({ rows: () => linesOf(spilled, year) }, options, sink);
    });
    rmSync(spilled);
    const path = `data/${written.sha256()}.parquet`;
    files.push({ staged, file: { path, partitionValues: values, size: written.bytes, rows: count } });
  }
  return { files, columns: [...columns, ...raw.values()] };
}

function linesOf(path: string, more: Document): Iterable<Document> {
  return readFileSync(path, 'utf8')
    .split('\n')
    .values()
    .filter(Boolean)
    .map((line): Document => ({ ...JSON.parse(line), ...more }));
}

type Part = { values: Place; path: string; rows: number };

/** Splits rows into one file of lines for each partition, in the order of their names. */
async function divide(
  table: WarehouseTable,
  rows: Iterable<Document>,
  { names, staging, watch }: { names: string[]; staging: string; watch: ExportWatch },
): Promise<Part[]> {
  const parts = new Map<string, Part & { waiting: string[] }>();
  const flush = ({ path, waiting }: { path: string; waiting: string[] }) =>
    appendFileSync(path, waiting.splice(0).join(''));
  let [count, length] = [0, 0];
  for (const row of rows) {
    const values = partitionOf(row, names);
    const place = placeOf(values);
    let part = parts.get(place);
    if (!part) {
      part = { values, path: join(staging, `${table.name}-${parts.size}`), rows: 0, waiting: [] };
      parts.set(place, part);
    }
    const line = `${JSON.stringify(row)}\n`;
    part.waiting.push(line);
    part.rows += 1;
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
