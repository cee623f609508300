import { basename } from 'node:path';
import { openAtomicFile, writeAtomically } from '../format/atomic-file.ts';
import { fileMeta } from './companions.ts';
import { type FormerFile, formerFile, hashOfFile, refuseShrunken } from './former.ts';
import type { ExportPart } from './part.ts';

export type ExportOptions = {
  /** The moment that the data stands for, ISO 8601. */
  created: string;
  /** True to leave files alone whose data is what it was. */
  ifChanged: boolean;
  /** Share of rows (0 to 1) that a table may lose against the export before; 1 takes anything. */
  maxShrink: number;
  /** Told of each file when it is complete. */
  done?: (file: WrittenFile) => void;
};

/** A file of an export; `rows` and `bytes` as it now stands. */
export type WrittenFile = { part: ExportPart; path: string; rows: number; bytes: number };

/** What an export came to: `unchanged` where it left everything as it was. */
export type ExportOutcome = 'written' | 'unchanged';

/** Writes one file, and `FILE.meta.json` beside it. */
export async function exportFile(
  part: ExportPart,
  path: string,
  { created, ifChanged, maxShrink, done }: ExportOptions,
): Promise<ExportOutcome> {
  const former = await formerFile(path);
  const file = await openAtomicFile(path);
  let rows = 0;
  try {
    rows = await part.write(file);
    refuseShrunken({ name: part.name, rows }, former, maxShrink);
    // Large files are read again only for whoever asks.
    const isSame = async () =>
      former && isOnSameTerms(part, former) && file.sha256() === (await hashOfFile(path));
    if (ifChanged && (await isSame())) {
      await file.abort();
      return 'unchanged';
    }
    await file.end();
  } catch (error) {
    await file.abort();
    throw error;
  }
  const [bytes, sha256] = [file.bytes, file.sha256()];
  const meta = fileMeta({ part, path: basename(path), created, rows, bytes, sha256 });
  await writeAtomically(`${path}.meta.json`, (sink) => sink.write(meta));
  done?.({ part, path, rows, bytes });
  return 'written';
}

/** True if an earlier export named the same service, address and licence. */
function isOnSameTerms({ attribution }: ExportPart, former: FormerFile): boolean {
  const { name, url, licence } = former.attribution ?? {};
  return (
    name === attribution.name &&
    url === attribution.url &&
    JSON.stringify(licence) === JSON.stringify(attribution.licence)
  );
}
