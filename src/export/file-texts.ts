import { readFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import { readBytes } from '../format/foreign-file.ts';
import { readRecords } from '../format/formats.ts';
import { kindOf } from '../model/kinds.ts';
import { openReadOnlyDatabase } from '../store/open.ts';
import { quotedName } from '../store/schema.ts';
import { openDecompressed } from './backup.ts';

/** Yields the decompressed text of an exported file of any format in parts, to search it for withheld records. */
export async function* textsOfFile(path: string): AsyncGenerator<string> {
  const signature = readBytes(path, 16).toString('latin1');
  if (signature.startsWith('PAR1')) return yield* parquetTexts(path);
  if (signature.startsWith('SQLite format 3')) return yield* databaseTexts(path);
  if (signature.startsWith('PK\x03\x04')) return yield* zipTexts(path);
  const decoder = new TextDecoder();
  for await (const chunk of openDecompressed(path)) yield decoder.decode(chunk, { stream: true });
}

async function* parquetTexts(path: string): AsyncGenerator<string> {
  // Any kind will do: only the values are searched.
  for await (const batch of readRecords({ path, format: 'parquet' }, kindOf('source')))
    for (const { document } of batch) yield `${JSON.stringify(document)}\n`;
}

function* zipTexts(path: string): Generator<string> {
  for (const [name, bytes] of Object.entries(unzipSync(readFileSync(path))))
    yield `${name}\n${Buffer.from(bytes).toString('utf8')}\n`;
}

function* databaseTexts(path: string): Generator<string> {
  const database = openReadOnlyDatabase(path);
  using _ = { [Symbol.dispose]: () => database.close() };
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  for (const name of tables as string[]) {
    const select = database.prepare<[], unknown[]>(`SELECT * FROM ${quotedName(name)}`).raw();
    for (const row of select.iterate()) yield `${row.join('\t')}\n`;
  }
}
