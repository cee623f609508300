import { statSync } from 'node:fs';
import { createAtomically } from '../format/atomic-file.ts';
import type { Phrase } from '../words/speech.ts';
import { hashFile, hashIfReadable } from './former.ts';
import { misfitWarnings, refuseInterrupted, type WrittenTable } from './part.ts';
import { createSqliteFile } from './plain-file.ts';
import type { ExportTable } from './table.ts';
import { aboutTables, combinedMark, exportOneFile, type OneFileOptions } from './tables-file.ts';

type SqliteOptions = OneFileOptions & { warn?: (line: Phrase) => void };

/** Replaces a plain SQLite file by one of these tables, and writes its `FILE.meta.json`. */
export function exportSqlite(tables: ExportTable[], path: string, { warn, ...options }: SqliteOptions) {
  const about = aboutTables(tables);
  const fileOptions = { ...options, format: 'sqlite', mark: combinedMark(tables) } as const;
  return exportOneFile(tables, path, fileOptions, async (refuse, watch) => {
    let written: WrittenTable[] = [];
    const writtenTables = await createAtomically(path, async (file) => {
      written = await createSqliteFile(file, { tables, about, target: path, watch });
      for (const table of written) refuse(table);
      await refuseInterrupted(options.signal);
      return options.ifChanged && (await hashIfReadable(file)) === (await hashIfReadable(path)) ? null : written;
    });
    for (const { name, columns } of writtenTables ?? [])
      for (const line of misfitWarnings({ name, written: () => columns })) warn?.(line);
    const file = { bytes: statSync(path).size, sha256: await hashFile(path) };
    return { written, isKept: writtenTables === null, file };
  });
}
