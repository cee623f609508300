import { statSync } from 'node:fs';
import { makeAtomically } from '../format/atomic-file.ts';
import { readJsonFile } from '../format/package-description.ts';
import type { UserText } from '../words/speech.ts';
import type { ExportOptions, ExportResult } from './folder.ts';
import { formerTables, hashOfFile, refuseShrunken, refuseVanished, sha256Of } from './former.ts';
import {
  type Interruption,
  interruptibleWatch,
  misfitLines,
  refuseInterrupted,
  type WrittenTable,
} from './part.ts';
import { makePlainFile } from './plain-file.ts';
import type { ExportTable, ExportWatch } from './table.ts';
import { aboutTables, marksOf, unchangedTables, writeTablesMeta } from './tables-file.ts';

type SqliteOptions = ExportOptions & {
  watch: ExportWatch | undefined;
  interruption: Interruption;
  /** Receives a line for each column with misfitting values. */
  warn?: (line: UserText) => void;
};

/** Replaces a plain SQLite file by one of these tables, and describes it in `FILE.meta.json`. */
export async function exportSqlite(
  tables: ExportTable[],
  path: string,
  options: SqliteOptions,
): Promise<ExportResult> {
  const { watch, interruption, ifChanged, maxShrink, created, warn } = options;
  const mark = marksOf(tables);
  const unchanged = ifChanged && (await unchangedTables(path, mark));
  if (unchanged) return { outcome: 'unchanged', tables: unchanged };
  const former = formerTables(await readJsonFile(`${path}.meta.json`));
  const names = tables.map(({ name }) => name);
  refuseVanished(former, names, maxShrink);
  const [about, turn] = [aboutTables(tables), interruptibleWatch(watch, interruption)];
  let written: WrittenTable[] = [];
  const made = await makeAtomically(path, async (file) => {
    written = await makePlainFile(file, { tables, about, target: path, watch: turn });
    for (const table of written) refuseShrunken(table, former.get(table.name), options);
    await refuseInterrupted(interruption);
    return ifChanged && (await hashOfFile(file)) === (await hashOfFile(path)) ? null : written;
  });
  const stated = { format: 'sqlite', created, mark, bytes: statSync(path).size } as const;
  await writeTablesMeta(path, { ...stated, sha256: await sha256Of(path) }, { written, tables });
  const outcome: ExportResult['outcome'] = made ? 'written' : 'unchanged';
  for (const { name, columns } of made ? written : [])
    for (const line of misfitLines({ name, written: () => columns })) warn?.(line);
  const exported = written.map(({ name, rows }) => ({
    name,
    outcome,
    path,
    rows,
    bytes: null,
    sha256: null,
  }));
  return { outcome, tables: exported };
}
