import { hash } from 'node:crypto';
import { basename } from 'node:path';
import { writeAtomically } from '../format/atomic-file.ts';
import { readJsonFile } from '../format/package-description.ts';
import { attributionText, type LicensedTable, licenceText } from './companions.ts';
import type { ExportOptions, ExportResult } from './folder.ts';
import { isUnmodified, parseFormerTables, refuseMissingTables, refuseShrunken } from './former-export.ts';
import { interruptibleWatch, type WrittenTable } from './part.ts';
import { type ExportTable, type ExportWatch, pastMoments, tableMark, withoutDay } from './table.ts';

/** The mark of a file: a hash of its tables' marks and of `layout` (headers); null if the mark of a table is null. */
export function combinedMark(tables: ExportTable[], layout = ''): string | null {
  const marks = tables.map((table) => tableMark(table, table.state()));
  return marks.includes(null) ? null : hash('sha256', JSON.stringify([layout, ...marks]));
}

/** Options of an export of several tables into one file, of any format. */
export type OneFileOptions = ExportOptions & { watch: ExportWatch | undefined; signal: AbortSignal };

/** Result of a write; `isKept`: the equal former file stays; `file` is null if `.meta.json` needs no rewrite. */
type WrittenFile = { written: WrittenTable[]; isKept: boolean; file: { bytes: number; sha256: string } | null };

/** Writes a file and its `.meta.json`; with `ifChanged`, skips an unchanged one. Losses throw a RefusedTableError. */
export async function exportOneFile(
  tables: ExportTable[],
  path: string,
  { mark, format, created, ...options }: OneFileOptions & { mark: string | null; format?: 'sqlite' },
  write: (checkLosses: (table: WrittenTable) => void, watch: ExportWatch) => Promise<WrittenFile>,
): Promise<ExportResult> {
  const former = parseFormerTables(await readJsonFile(`${path}.meta.json`));
  const createResult = (outcome: ExportResult['outcome'], resultTables: { name: string; rows: number | null }[]) => ({
    outcome,
    tables: resultTables.map(({ name, rows }) => ({ name, outcome, path, rows: rows ?? 0, bytes: null })),
  });
  const formerCounts = Array.from(former, ([name, { rows }]) => ({ name, rows }));
  if (options.ifChanged && (await isUnmodified(path, mark))) return createResult('unchanged', formerCounts);
  const names = tables.map(({ name }) => name);
  refuseMissingTables(former, names, options.maxShrink);
  const { written, isKept, file } = await write(
    (table) => refuseShrunken(table, former.get(table.name), options),
    interruptibleWatch(options.watch, options.signal),
  );
  if (file) {
    const resources = written.map(({ name, columns, ...counts }) => {
      const { description, attribution } = tables.find((table) => table.name === name)!;
      return { name, description, ...counts, columns: columns.map((column) => column.name), attribution };
    });
    const metadata = { path: basename(path), format, created, mark, ...file, resources };
    await writeAtomically(`${path}.meta.json`, (sink) => sink.write(`${JSON.stringify(metadata, null, 2)}\n`));
  }
  return createResult(isKept ? 'unchanged' : 'written', written);
}

/** Source, attribution and licence fields of a file of several tables, without days: same data gives same bytes. */
export function aboutTables(tables: Omit<LicensedTable, 'path'>[]): Record<string, string> {
  const undatedTables = tables.map((each) => ({ ...each, path: each.name, attribution: withoutDay(each.attribution) }));
  const { name, url } = undatedTables[0]!.attribution;
  return {
    source: name,
    ...(url ? { source_url: url } : {}),
    ...pastMoments(undatedTables[0]!.attribution),
    attribution: attributionText(undatedTables.map(({ attribution }) => attribution)).trim(),
    licence: licenceText(undatedTables).trim(),
  };
}
