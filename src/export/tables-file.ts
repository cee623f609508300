import { hash } from 'node:crypto';
import { basename } from 'node:path';
import { writeAtomically } from '../format/atomic-file.ts';
import { readJsonFile } from '../format/package-description.ts';
import { attributionText, type LicensedTable, licenceText } from './companions.ts';
import type { ExportedTable } from './folder.ts';
import { formerTables, isAsLeft } from './former.ts';
import type { WrittenTable } from './part.ts';
import { type ExportTable, pastFacts, tableMark, withoutDay } from './table.ts';

/** The mark of a file that holds these tables; null where that of one is not known. */
export function marksOf(tables: ExportTable[], look = ''): string | null {
  const marks = tables.map((table) => tableMark(table, table.state()));
  return marks.includes(null) ? null : hash('sha256', JSON.stringify([look, ...marks]));
}

/** The tables of a file that nobody wrote since the export with that mark; null where it is not as that left it. */
export async function unchangedTables(path: string, mark: string | null): Promise<ExportedTable[] | null> {
  if (!(await isAsLeft(path, mark))) return null;
  const held = [...formerTables(await readJsonFile(`${path}.meta.json`))];
  return held.map(([name, { rows }]) => {
    return { name, outcome: 'unchanged', path, rows: rows ?? 0, bytes: null, sha256: null };
  });
}

/** Describes a file that holds several tables, in `FILE.meta.json`. */
export async function writeTablesMeta(
  path: string,
  file: { format?: 'sqlite'; created: string; mark: string | null; bytes: number; sha256: string },
  { written, tables }: { written: WrittenTable[]; tables: ExportTable[] },
): Promise<void> {
  const resources = written.map(({ name, columns, ...counts }) => {
    const { description, attribution } = tables.find((table) => table.name === name)!;
    return { name, description, ...counts, columns: columns.map((column) => column.name), attribution };
  });
  const text = JSON.stringify({ path: basename(path), ...file, resources }, null, 2);
  await writeAtomically(`${path}.meta.json`, (sink) => sink.write(`${text}\n`));
}

/** Source, attribution and licence of a file of several tables, without the day, so that same data gives same bytes. */
export function aboutTables(tables: Omit<LicensedTable, 'path'>[]): Record<string, string> {
  const always = tables.map((table) => ({
    ...table,
    path: table.name,
    attribution: withoutDay(table.attribution),
  }));
  const { name, url } = always[0]!.attribution;
  return {
    source: name,
    ...(url ? { source_url: url } : {}),
    ...pastFacts(always[0]!.attribution),
    attribution: attributionText(always.map(({ attribution }) => attribution)).trim(),
    licence: licenceText(always).trim(),
  };
}
