import { lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { whyClosed } from '../format/foreign-file.ts';
import { readRecords } from '../format/formats.ts';
import { kindOf } from '../model/kinds.ts';
import { filesBelow } from './folder-switch.ts';
import { openUnpacked } from './unpack-backup.ts';

/** Files that hold a key, and files that could not be searched. */
export type HoldingFiles = { holding: string[]; unread: string[] };

/** Searches a file, or the files of a folder, for the key of a record: exports, releases, evidence, sites and backups. */
export async function filesHolding(place: string, key: string): Promise<HoldingFiles> {
  const found: HoldingFiles = { holding: [], unread: [] };
  const isFolder = statSync(place, { throwIfNoEntry: false })?.isDirectory();
  for (const path of isFolder ? (await filesBelow(place)).map((name) => join(place, name)) : [place]) {
    // What a link leads to is searched where it stands.
    if (isFolder && lstatSync(path).isSymbolicLink()) continue;
    const isSearched = whyClosed(path, Number.POSITIVE_INFINITY) === null && !path.endsWith('.xlsx');
    const isHeld = isSearched ? await holdsKey(path, key).catch(() => null) : null;
    if (isHeld !== false) found[isHeld ? 'holding' : 'unread'].push(path);
  }
  return found;
}

async function holdsKey(path: string, key: string): Promise<boolean> {
  if (!path.endsWith('.parquet')) return holdsBytes(openUnpacked(path), Buffer.from(key));
  // Its pages are packed one by one.
  for await (const batch of readRecords({ path, format: 'parquet' }, kindOf('source')))
    if (batch.some(({ document }) => JSON.stringify(document).includes(JSON.stringify(key)))) return true;
  return false;
}

/** True if bytes hold a key that is not the beginning of a longer one. */
async function holdsBytes(chunks: AsyncIterable<Buffer>, key: Buffer): Promise<boolean> {
  let held = Buffer.alloc(0);
  for await (const chunk of chunks) {
    held = Buffer.concat([held, chunk]);
    for (let at = held.indexOf(key); at >= 0; at = held.indexOf(key, at + 1))
      if (!/[\w-]/.test(held.toString('latin1', at + key.length, at + key.length + 1))) return true;
    held = held.subarray(Math.max(0, held.length - key.length));
  }
  return false;
}
