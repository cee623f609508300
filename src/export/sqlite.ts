import { statSync } from 'node:fs';
import { makeAtomically } from '../format/atomic-file.ts';
import type { UserText } from '../words/speech.ts';
import { hashOfFile, sha256Of } from './former.ts';
import { misfitLines, refuseInterrupted, type WrittenTable } from './part.ts';
import { makePlainFile } from './plain-file.ts';
import type { ExportTable } from './table.ts';
import { aboutTables, exportOneFile, marksOf, type OneFileOptions } from './tables-file.ts';

type SqliteOptions = OneFileOptions & { warn?: (line: UserText) => void };

/** Replaces a plain SQLite file by one of these tables, and writes its `FILE.meta.json`. */
export function exportSqlite(tables: ExportTable[], path: string, { warn, ...options }: SqliteOptions) {
  const about = aboutTables(tables);
  const described = { ...options, format: 'sqlite', mark: marksOf(tables) } as const;
  return exportOneFile(tables, path, described, async (refuse, watch) => {
    let written: WrittenTable[] = [];
    const writtenTables = await makeAtomically(path, async (file) => {
      written = await makePlainFile(file, { tables, about, target: path, watch });
      for (const table of written) refuse(table);
      await refuseInterrupted(options.signal);
      return options.ifChanged && (await hashOfFile(file)) === (await hashOfFile(path)) ? null : written;
    });
    for (const { name, columns } of writtenTables ?? [])
      for (const line of misfitLines({ name, written: () => columns })) warn?.(line);
    const file = { bytes: statSync(path).size, sha256: await sha256Of(path) };
    return { written, isKept: writtenTables === null, file };
  });
}
