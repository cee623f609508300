import { writeAtomically } from '../format/atomic-file.ts';
import { pacedSink } from '../format/sink.ts';
import { tallyTable } from '../format/tally.ts';
import { openWorkbook } from '../format/xlsx.ts';
import { figure, type Phrase, say } from '../words/speech.ts';
import { dictionaryRow } from './companions.ts';
import { hashIfReadable } from './former-export.ts';
import { refuseInterrupted, type WrittenTable } from './part.ts';
import type { ExportTable } from './table.ts';
import { aboutTables, combinedMark, exportOneFile, type OneFileOptions } from './tables-file.ts';

/** `headerOf` translates column names; `onRemark` receives remarks about truncated cells. */
type SheetOptions = OneFileOptions & { headerOf: (name: string) => string; onRemark: (remark: Phrase) => void };

const dictionaryColumns = ['table', 'column', 'type', 'description', 'filled', 'values'];
const textColumns = (names: string[]) => names.map((name) => ({ name, type: 'text' as const }));

/** Writes a workbook with a sheet for each table, `dictionary` and `terms`, and its `FILE.meta.json`. */
export function exportWorkbook(tables: ExportTable[], path: string, { headerOf, onRemark, ...options }: SheetOptions) {
  const headers = tables.map(({ columns }) => columns.map(({ name }) => headerOf(name)));
  const fileOptions = { ...options, mark: combinedMark(tables, JSON.stringify(headers)) };
  return exportOneFile(tables, path, fileOptions, async (checkLosses, watch) => {
    const sheets: (WrittenTable & { cut: number })[] = []; // `cut`: number of truncated cells
    let isKept = false; // true if the former file is identical and stays
    const file = await writeAtomically(path, async (output) => {
      let name = '';
      let rows = 0;
      const sink = pacedSink(output, () => watch({ name, count: () => null }, rows)); // reports progress
      const workbook = openWorkbook(sink);
      for (const table of tables) {
        [name, rows] = [table.name, 0];
        const onRow = () => {
          rows += 1;
        };
        const tallyResult = tallyTable(table, { onRow });
        const sheetColumns = table.columns.map((column) => ({ ...column, header: headerOf(column.name) }));
        const sheetCounts = await workbook.sheet(name, sheetColumns, tallyResult.rows);
        sheets.push({ name, ...sheetCounts, columns: tallyResult.columns() });
        checkLosses(sheets.at(-1)!);
      }
      const dictionary = sheets.flatMap((sheet) => sheet.columns.map((column) => dictionaryRow(sheet, column)));
      await workbook.sheet('dictionary', textColumns(dictionaryColumns), dictionary);
      const terms = Object.entries(aboutTables(tables)).map(([key, value]) => ({ key, value }));
      await workbook.sheet('terms', textColumns(['key', 'value']), terms);
      await workbook.end();
      await refuseInterrupted(options.signal);
      isKept = options.ifChanged && output.sha256() === (await hashIfReadable(path));
      return !isKept; // false discards the new file
    });
    for (const { name, cut } of isKept ? [] : sheets.filter(({ cut }) => cut > 0))
      onRemark(say`${path}: ${name}: ${figure(cut)} cells were truncated to 32,767 characters, the maximum of a cell`);
    return { written: sheets, isKept, file: isKept ? null : { bytes: file.bytes, sha256: file.sha256() } };
  });
}
