import { writeAtomically } from '../format/atomic-file.ts';
import { readJsonFile } from '../format/package-description.ts';
import { pacedSink } from '../format/sink.ts';
import { talliedTable } from '../format/tally.ts';
import { openWorkbook } from '../format/xlsx.ts';
import { figure, type Phrase, say } from '../words/speech.ts';
import { dictionaryRow } from './companions.ts';
import type { ExportOptions, ExportResult } from './folder.ts';
import { formerTables, hashOfFile, refuseShrunken, refuseVanished } from './former.ts';
import { type Interruption, interruptibleWatch, refuseInterrupted, type WrittenTable } from './part.ts';
import type { ExportTable, ExportWatch } from './table.ts';
import { aboutTables, marksOf, unchangedTables, writeTablesMeta } from './tables-file.ts';

type WorkbookOptions = ExportOptions & {
  watch: ExportWatch | undefined;
  interruption: Interruption;
  headerOf: (name: string) => string;
  /** Receives a remark about truncated cells. */
  told: (remark: Phrase) => void;
};

const dictionaryColumns = ['table', 'column', 'type', 'description', 'filled', 'values'];
const plain = (names: string[]) => names.map((name) => ({ name, type: 'text' as const }));

/** Replaces a workbook by a sheet for each table, `dictionary` and `terms`, and describes it in `FILE.meta.json`. */
export async function exportWorkbook(
  tables: ExportTable[],
  path: string,
  options: WorkbookOptions,
): Promise<ExportResult> {
  const { created, ifChanged, maxShrink, interruption, told } = options;
  const headers = tables.map(({ columns }) => columns.map(({ name }) => options.headerOf(name)));
  const mark = marksOf(tables, JSON.stringify(headers));
  const unchanged = ifChanged && (await unchangedTables(path, mark));
  if (unchanged) return { outcome: 'unchanged', tables: unchanged };
  const former = formerTables(await readJsonFile(`${path}.meta.json`));
  const names = tables.map(({ name }) => name);
  refuseVanished(former, names, maxShrink);
  const watch = interruptibleWatch(options.watch, interruption);
  const sheets: (WrittenTable & { cut: number })[] = [];
  let isKept = false;
  const file = await writeAtomically(path, async (output) => {
    let [name, rows] = ['', 0];
    const sink = pacedSink(output, () => watch({ name, count: () => null }, rows));
    const workbook = openWorkbook(sink);
    for (const table of tables) {
      [name, rows] = [table.name, 0];
      const tallied = talliedTable(table, () => {
        rows += 1;
      });
      const headed = table.columns.map((column) => ({ ...column, header: options.headerOf(column.name) }));
      const written = await workbook.sheet(table.name, headed, tallied.rows);
      refuseShrunken({ name, rows: written.rows, columns: table.columns }, former.get(name), options);
      sheets.push({ name, ...written, columns: tallied.columns() });
    }
    const described = sheets.flatMap((sheet) => sheet.columns.map((column) => dictionaryRow(sheet, column)));
    await workbook.sheet('dictionary', plain(dictionaryColumns), described);
    const about = Object.entries(aboutTables(tables)).map(([key, value]) => ({ key, value }));
    await workbook.sheet('terms', plain(['key', 'value']), about);
    await workbook.end();
    await refuseInterrupted(interruption);
    isKept = ifChanged && output.sha256() === (await hashOfFile(path));
    return !isKept;
  });
  const outcome: ExportResult['outcome'] = isKept ? 'unchanged' : 'written';
  const exported = sheets.map(({ name, rows }) => ({ name, outcome, path, rows, bytes: null, sha256: null }));
  if (isKept) return { outcome, tables: exported };
  for (const { name, cut } of sheets)
    if (cut > 0)
      told(say`${path}: ${name}: ${figure(cut)} cells were cut to the 32,767 characters that a cell holds`);
  const about = { created, mark, bytes: file.bytes, sha256: file.sha256() };
  await writeTablesMeta(path, about, { written: sheets, tables });
  return { outcome, tables: exported };
}
