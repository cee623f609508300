import { lstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { readBytes, whyUnreadable } from '../format/foreign-file.ts';
import { readRecords } from '../format/formats.ts';
import { kindOf } from '../model/kinds.ts';
import { openPlainDatabase } from '../store/open.ts';
import { quotedName } from '../store/schema.ts';
import { listFilesBelow } from './folder-switch.ts';
import { openUnpacked } from './unpack-backup.ts';

/** Files and files of folders that contain a record's key, and those that cannot be searched. */
export async function findFilesWithKey(locations: readonly string[], key: string) {
  const results: Record<'holding' | 'unread', string[]> = { holding: [], unread: [] };
  for (const location of locations) {
    const isFolder = statSync(location, { throwIfNoEntry: false })?.isDirectory();
    for (const path of isFolder ? (await listFilesBelow(location)).map((name) => join(location, name)) : [location]) {
      // The target of a link is searched at its own place.
      if (isFolder && lstatSync(path).isSymbolicLink()) continue;
      const isSearched = whyUnreadable(path, Number.POSITIVE_INFINITY) === null;
      const hasKey = isSearched ? await containsKey(path, key).catch(() => null) : null;
      if (hasKey !== false) results[hasKey ? 'holding' : 'unread'].push(path);
    }
  }
  return results;
}

/** True if a file contains the key, not followed by further key characters. */
async function containsKey(path: string, key: string): Promise<boolean> {
  let text = '';
  for await (const chunk of textsOfFile(path)) {
    text = text.slice(-key.length) + chunk;
    for (let at = text.indexOf(key); at >= 0; at = text.indexOf(key, at + 1))
      if (!/[\w-]/.test(text[at + key.length] ?? '')) return true;
  }
  return false;
}

/** The text of a file in parts, unpacked: a database's or Parquet file's rows, a ZIP file's entries. */
export async function* textsOfFile(path: string): AsyncGenerator<string> {
  const signature = readBytes(path, 16).toString('latin1');
  if (signature.startsWith('PAR1'))
    for await (const batch of readRecords({ path, format: 'parquet' }, kindOf('source')))
      for (const { document } of batch) yield `${JSON.stringify(document)}\n`;
  else if (signature.startsWith('SQLite format 3')) yield* rowsOfDatabase(path);
  else if (signature.startsWith('PK\x03\x04'))
    for (const [name, bytes] of Object.entries(unzipSync(readFileSync(path))))
      yield `${name}\n${Buffer.from(bytes).toString('utf8')}\n`;
  else {
    const decoder = new TextDecoder();
    for await (const chunk of openUnpacked(path)) yield decoder.decode(chunk, { stream: true });
  }
}

function* rowsOfDatabase(path: string): Generator<string> {
  const database = openPlainDatabase(path);
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
    for (const name of tables as string[])
      for (const row of database
        .prepare(`SELECT * FROM ${quotedName(name)}`)
        .raw()
        .iterate())
        yield `${(row as unknown[]).join('\t')}\n`;
  } finally {
    database.close();
  }
}
