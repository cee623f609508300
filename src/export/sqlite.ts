import { makeAtomically } from '../format/atomic-file.ts';
import type { ExportWatch } from '../terminal/export-progress.ts';
import type { ExportOptions, ExportOutcome } from './files.ts';
import { aboutTables } from './folder.ts';
import { hashOfFile, refuseShrunken, refuseVanished } from './former.ts';
import { type Interruption, interruptibleWatch, refuseInterrupted } from './interruptible.ts';
import { makePlainFile, plainFileRows } from './sqlite-file.ts';
import type { ExportTable } from './table.ts';

type SqliteOptions = Pick<ExportOptions, 'ifChanged' | 'maxShrink'> & {
  watch: ExportWatch | undefined;
  interruption: Interruption;
  /** Told of each table when the file is complete. */
  done: (table: { name: string; rows: number }) => void;
};

/** Writes tables into one plain SQLite file, which takes the place of the one before as a whole. */
export async function exportSqlite(
  tables: ExportTable[],
  path: string,
  { watch, interruption, ifChanged, maxShrink, done }: SqliteOptions,
): Promise<ExportOutcome> {
  const former = plainFileRows(path);
  const names = tables.map(({ name }) => name);
  refuseVanished(former, names, maxShrink);
  const content = {
    tables,
    about: aboutTables(tables),
    target: path,
    watch: interruptibleWatch(watch, interruption, Date.now),
  };
  const made = await makeAtomically(path, async (file) => {
    const written = await makePlainFile(file, content);
    for (const table of written) refuseShrunken(table, former.get(table.name), maxShrink);
    await refuseInterrupted(interruption);
    return ifChanged && (await hashOfFile(file)) === (await hashOfFile(path)) ? null : written;
  });
  for (const table of made ?? []) done(table);
  return made ? 'written' : 'unchanged';
}
