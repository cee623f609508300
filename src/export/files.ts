import { basename } from 'node:path';
import { writeAtomically } from '../format/atomic-file.ts';
import type { Attribution } from '../model/attribution.ts';
import type { Document } from '../model/document.ts';
import { fileMeta } from './companions.ts';
import { formerFile, type Gates, hashOfFile, refuseShrunken } from './former.ts';
import type { ExportPart } from './part.ts';

export type ExportOptions = Gates & {
  /** When the newest data was retrieved, ISO 8601. */
  created: string;
  /** Leaves files untouched whose data has not changed. */
  ifChanged: boolean;
};

/** One exported table; `unchanged` if its bytes equal those of the previous export. */
export type ExportedTable = {
  name: string;
  outcome: 'written' | 'unchanged';
  path: string;
  rows: number;
  /** Null for a table within a file. */
  bytes: number | null;
  sha256: string | null;
};

/** The result of an export; `unchanged` if it changed no file. */
export type ExportResult = { outcome: ExportedTable['outcome']; tables: ExportedTable[] };

/** Writes one file, and `FILE.meta.json` beside it. */
export async function exportFile(
  part: ExportPart,
  path: string,
  { created, ifChanged, ...gates }: ExportOptions,
): Promise<ExportResult> {
  const former = await formerFile(path);
  let [rows, isKept] = [0, false];
  const file = await writeAtomically(path, async (sink) => {
    rows = await part.write(sink);
    refuseShrunken({ ...part, rows }, former, gates);
    // Hashing rereads the file, so only `ifChanged` pays for it.
    if (ifChanged && former && termsOf(part.attribution) === termsOf(former.attribution))
      isKept = sink.sha256() === (await hashOfFile(path));
    return !isKept;
  });
  const [bytes, sha256] = [file.bytes, file.sha256()];
  const outcome = former?.sha256 === sha256 ? 'unchanged' : 'written';
  const table: ExportedTable = { name: part.name, outcome, path, rows, bytes, sha256 };
  if (isKept) return { outcome: 'unchanged', tables: [table] };
  const described = { ...part, columns: part.written() };
  const meta = fileMeta({ part: described, path: basename(path), created, rows, bytes, sha256 });
  await writeAtomically(`${path}.meta.json`, (sink) => sink.write(meta));
  return { outcome: 'written', tables: [table] };
}

const termsOf = (attribution: Partial<Attribution> | Document | null) => {
  const { name, url, licence, as_of } = attribution ?? {};
  return JSON.stringify([name, url, licence, as_of]);
};
