import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { RefusedTableError } from '../errors.ts';
import { whyUnreadable } from '../format/foreign-file.ts';
import { readJsonFile, resourcesOf } from '../format/package-description.ts';
import { type Document, isDocument, textOf } from '../model/document.ts';
import type { Column } from '../model/kinds.ts';
import { say } from '../words/speech.ts';
import { readChecksums } from './companions.ts';

/** A table of the previous export: row count, columns and format; null or absent if unknown. */
export type FormerTable = { rows: number | null; columns: string[] | null; format?: string | null };

/** A file of the previous export: its path, SHA-256, and its JSON description. */
export type FormerFile = FormerTable & { path: string; sha256: string | null; description: Document };

/** Reads a resource of `datapackage.json`, or a `FILE.meta.json`. */
function formerFileIn(description: Document): FormerFile {
  const { path, rows, schema, columns, hash = description.sha256 } = description;
  const columnList = isDocument(schema) ? schema.fields : columns;
  return {
    path: String(path),
    sha256: typeof hash === 'string' ? hash.replace(/^sha256:/, '') : null,
    rows: typeof rows === 'number' ? rows : null,
    columns: Array.isArray(columnList) ? columnList.map((each) => String(isDocument(each) ? each.name : each)) : null,
    format: textOf(description, 'format'),
    description,
  };
}

/** The tables in the description of a previous export, by name. */
export function parseFormerTables(description: Document | null): Map<string, FormerFile> {
  return new Map(resourcesOf(description).map((each) => [String(each.name), formerFileIn(each)]));
}

/** The metadata of the previous export in a folder. */
export type FormerFolder = Awaited<ReturnType<typeof readFormerFolder>>;

/** Reads the metadata of the previous export in a folder; everything is empty if there is none. */
export async function readFormerFolder(folder: string) {
  const text = await readFile(join(folder, 'SHA256SUMS'), 'utf8').catch(() => '');
  const description = await readJsonFile(join(folder, 'datapackage.json'));
  const listedPaths = [...readChecksums(text).keys()];
  const isOurs = description?.name === packageName || companionNames.every((name) => listedPaths.includes(name));
  const describedPaths = resourcesOf(description).map(({ path }) => String(path));
  return {
    files: parseFormerTables(description),
    /** The `--as-of` moment, ISO 8601; null for the current state. */
    asOf: textOf(description ?? {}, 'as_of'),
    /** Paths in `SHA256SUMS`. */
    listedPaths,
    /** Paths of the files that the export wrote; empty if the folder is not an export. */
    ownPaths: isOurs ? [...new Set([...listedPaths, ...describedPaths, ...companionNames, 'SHA256SUMS'])] : [],
  };
}

/** True if the description of a file has this mark, and the file was not changed after it; false for a null mark. */
export async function isUnmodified(path: string, mark: string | null): Promise<boolean> {
  const meta = `${path}.meta.json`;
  const description = await readJsonFile(meta);
  if (mark === null || description?.mark !== mark) return false;
  const [file, metaStats] = await Promise.all([lstat(path).catch(() => null), stat(meta)]);
  return file !== null && file.size === description.bytes && file.mtimeMs <= metaStats.mtimeMs;
}

/** The file that `FILE.meta.json` describes; null if that is missing or no JSON. */
export async function readFormerFile(path: string): Promise<FormerFile | null> {
  const description = await readJsonFile(`${path}.meta.json`);
  return description && formerFileIn(description);
}

/** Companion files of every exported folder, without the checksums. */
export const companionNames = ['datapackage.json', 'DICTIONARY.md', 'LICENSE.txt', 'ATTRIBUTION.txt'];

/** The `name` in every export's `datapackage.json`; marks a folder as ours. */
export const packageName = 'hemicycle-export';

/** Hexadecimal SHA-256 of a file, which must be inside `folder` unless that is null; null if it cannot be read. */
export async function hashIfReadable(path: string, folder: string | null = null): Promise<string | null> {
  if (whyUnreadable(path, Number.POSITIVE_INFINITY, folder) !== null) return null;
  return hashFile(folder === null ? path : join(folder, path)).catch(() => null);
}

/** Hexadecimal SHA-256 of a file; throws the system's error if it cannot be read. */
export const hashFile = (path: string): Promise<string> => hashStream(createReadStream(path));

/** Hexadecimal SHA-256 of a stream. */
export async function hashStream(bytes: Readable): Promise<string> {
  const digest = createHash('sha256');
  for await (const chunk of bytes) digest.update(chunk);
  return digest.digest('hex');
}

/** Throws a RefusedTableError if a table that had rows is missing from `names`; never if `maxShrink` is 1. */
export function refuseMissingTables(former: Map<string, FormerTable>, names: string[], maxShrink: number): void {
  if (maxShrink >= 1) return;
  const missingTable = [...former].find(([name, { rows }]) => rows !== null && rows > 0 && !names.includes(name));
  if (!missingTable) return;
  const [table, { rows }] = missingTable;
  throw new RefusedTableError(table, say`missing from this export; the previous one had ${rows} rows`);
}

/** Limits on what an export may lose against the previous one. */
export type SanityChecks = {
  /** Share of rows (0 to 1) that a table may lose; 1 disables the check. */
  maxShrink: number;
  /** True if columns were selected: fewer columns are then no loss. */
  picksColumns?: boolean;
  /** Number of withheld rows, which a table may lack in addition. */
  withheld?: (table: string) => number;
};

/** Throws a RefusedTableError if a table lost more rows than `maxShrink` allows, or a column in the same format. */
export function refuseShrunken(
  table: { name: string; rows: number; columns: Pick<Column, 'name'>[]; format?: string; derivation?: number },
  former: (FormerTable & { mark?: string | null }) | null | undefined,
  { maxShrink, picksColumns = false, withheld = () => 0 }: SanityChecks,
): void {
  if (maxShrink >= 1) return;
  const names = new Set(table.columns.map(({ name }) => name));
  const isComparable = !picksColumns && (former?.format ?? table.format) === table.format;
  // Raw-value columns exist only while values do not fit the column's type, so their absence is no loss.
  const isLost = (name: string) => !names.has(name) && !names.has(name.replace(/_raw$/, ''));
  const losses = isComparable ? (former?.columns ?? []).filter(isLost) : [];
  if (losses.length > 0)
    throw new RefusedTableError(table.name, say`the columns ${losses.join(', ')} of the previous export are missing`);
  const { rows: formerRows = null, mark } = former ?? {};
  // A mark (`tableMark`) starts with `derivation`: row counts of tables composed by different rules are not comparable.
  if (mark && !mark.startsWith(`[${table.derivation ?? 1},`)) return;
  if (formerRows === null || formerRows - table.rows <= formerRows * maxShrink + withheld(table.name)) return;
  throw new RefusedTableError(table.name, say`${table.rows} rows; the previous export had ${formerRows}`);
}
