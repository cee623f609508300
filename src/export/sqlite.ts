import { statSync } from 'node:fs';
import { makeAtomically, writeAtomically } from '../format/atomic-file.ts';
import type { UserText } from '../words/speech.ts';
import {
  aboutTables,
  type ExportedTable,
  type ExportOptions,
  type ExportResult,
  writeTablesMeta,
} from './folder.ts';
import { formerFile, hashOfFile, refuseShrunken, refuseVanished, sha256Of } from './former.ts';
import { datasetteText, type MetadataName } from './metadata.ts';
import {
  type Interruption,
  interruptibleWatch,
  misfitLines,
  refuseInterrupted,
  type WrittenTable,
} from './part.ts';
import { makePlainFile, openPlainFile } from './plain-file.ts';
import { type ExportTable, type ExportWatch, withoutDay } from './table.ts';

type SqliteOptions = ExportOptions & {
  /** Tables that are copied from the former file, or left out if it lacks them. */
  kept?: string[];
  watch: ExportWatch | undefined;
  interruption: Interruption;
  /** `datasette` for an index of words in the file, and what Datasette reads beside it. */
  metadata?: MetadataName[];
  /** Receives a line for each column with misfitting values. */
  warn?: (line: UserText) => void;
};

/** Replaces a plain SQLite file by one of these tables, and describes it in `FILE.meta.json`. */
export async function exportSqlite(
  tables: ExportTable[],
  path: string,
  options: SqliteOptions,
): Promise<ExportResult> {
  const { watch, interruption, ifChanged, maxShrink, kept = [], metadata = [], warn } = options;
  const isSearched = metadata.includes('datasette');
  const before = openPlainFile(path);
  const former = new Map(
    [...(before?.tables ?? [])].map(([name, { count, columns }]) => [
      name,
      { rows: count(), columns: columns.map((column) => column.name) },
    ]),
  );
  try {
    const stays = (name: string) => kept.includes(name) && before !== null && !before.showsPast;
    const present = tables.filter(({ name }) => !kept.includes(name) || (stays(name) && former.has(name)));
    const names = present.map(({ name }) => name);
    refuseVanished(former, names, maxShrink);
    const content = {
      tables: present.map((table) => (stays(table.name) ? before!.tables.get(table.name)! : table)),
      about: aboutTables(present),
      target: path,
      isSearched,
      watch: interruptibleWatch(watch, interruption),
    };
    let written: WrittenTable[] = [];
    const made = await makeAtomically(path, async (file) => {
      written = await makePlainFile(file, content);
      for (const table of written) refuseShrunken(table, former.get(table.name), options);
      await refuseInterrupted(interruption);
      return ifChanged && (await hashOfFile(file)) === (await hashOfFile(path)) ? null : written;
    });
    const outcome = made ? 'written' : 'unchanged';
    if (isSearched) {
      const described = present.map(({ name, description, attribution }, at) => ({
        ...{ name, description, columns: written[at]!.columns },
        // Without the day: same data, same bytes.
        attribution: withoutDay(attribution),
      }));
      const text = datasetteText(path, described);
      await writeAtomically(`${path}.datasette.json`, (sink) => sink.write(text));
    }
    const sha256 = await sha256Of(path);
    // Rewrite the metadata of an unchanged file only if it describes other bytes.
    if (made || (await formerFile(path))?.sha256 !== sha256) {
      const about = {
        format: 'sqlite',
        created: options.created,
        bytes: statSync(path).size,
        sha256,
      } as const;
      await writeTablesMeta(path, about, { written, tables: present });
    }
    for (const { name, columns } of made ? written : [])
      for (const line of misfitLines({ name, written: () => columns })) warn?.(line);
    const toldOf = ({ name, rows }: { name: string; rows: number }): ExportedTable => ({
      ...{ name, path, rows, bytes: null, sha256: null },
      outcome: stays(name) ? 'unchanged' : outcome,
    });
    return { outcome, tables: written.map(toldOf) };
  } finally {
    before?.close();
  }
}
