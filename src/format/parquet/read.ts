import { zstdDecompressSync } from 'node:zlib';
import type { FileMetaData, ParquetParsers } from 'hyparquet';
import { BadInputError } from '../../errors.ts';
import { maxRecordChars } from '../../model/bounds.ts';
import type { Document, Json } from '../../model/document.ts';
import { say } from '../../words/speech.ts';
import { dayOfMoment, rawValue, shortMoment } from '../fit.ts';
import { batchCharacters, batchSize, type InputBatches, type InputRecord } from '../format.ts';

/** The `created_by` of Parquet files that we wrote. */
export const createdBy = 'hemicycle';

/** The records of a Parquet file, a row group at a time; dates become ISO 8601 text, big integers numbers. */
export async function* readParquet(path: string): InputBatches {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } = await import('hyparquet');
  const { compressors } = await import('hyparquet-compressors');
  const decompressors = { ...compressors, ZSTD: (bytes: Uint8Array) => zstdDecompressSync(bytes) };
  let row = 0;
  try {
    const file = await asyncBufferFromFile(path);
    const metadata = await parquetMetadataAsync(file);
    const isOurs = metadata.created_by === createdBy;
    const options = { file, metadata, compressors: decompressors, parsers: parsersOf(isOurs) };
    const ours = isOurs ? ownColumns(metadata) : null;
    for (const group of metadata.row_groups) {
      const rowEnd = row + Number(group.num_rows);
      const objects = await parquetReadObjects({ ...options, rowStart: row, rowEnd });
      let batch: InputRecord[] = [];
      let characters = 0;
      for (const object of objects) {
        row += 1;
        characters +=
          batch[batch.push(recordOf(ours ? asWritten(object, ours) : object, `row ${row}`)) - 1]!.text.length;
        if (batch.length < batchSize && characters < batchCharacters) continue;
        yield batch;
        batch = [];
        characters = 0;
      }
      if (batch.length > 0) yield batch;
    }
  } catch (error) {
    if (error instanceof BadInputError) throw error;
    throw new BadInputError(path, say`not a whole Parquet file (${(error as Error).message})`);
  }
}

/** Raw-value columns and day columns of our own files. */
type OwnColumns = { raw: [string, string][]; days: string[] };

function ownColumns({ key_value_metadata: facts = [] }: FileMetaData): OwnColumns {
  const stated = (name: string) => JSON.parse(facts.find(({ key }) => key === name)?.value ?? 'null');
  return { raw: Object.entries(stated('raw_columns') ?? {}), days: stated('day_columns') ?? [] };
}

/** Restores days and misfits of our own files. */
function asWritten(object: Record<string, unknown>, { raw, days }: OwnColumns): Record<string, unknown> {
  for (const name of days) {
    const moment = object[name];
    if (typeof moment === 'string') object[name] = dayOfMoment(moment);
  }
  for (const [name, of] of raw) {
    const text = object[name];
    if (typeof text === 'string') object[of] = rawValue(text);
    delete object[name];
  }
  return object;
}

function recordOf(object: Record<string, unknown>, place: string): InputRecord {
  const tooLong = Object.keys(object).filter((field) => isTooLong(object[field]));
  for (const field of tooLong) delete object[field];
  const document = plain(object) as Document;
  return { document, text: JSON.stringify(document), place, ...(tooLong.length > 0 ? { tooLong } : {}) };
}

/** A UTF-16 unit takes at most three bytes of UTF-8. */
const isTooLong = (value: unknown) => value instanceof Uint8Array && value.length > 3 * maxRecordChars;

/** The columns of a Parquet file, in order. */
export async function readParquetColumns(path: string): Promise<string[]> {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetSchema } = await import('hyparquet');
  try {
    const metadata = await parquetMetadataAsync(await asyncBufferFromFile(path));
    const raw = new Map(metadata.created_by === createdBy ? ownColumns(metadata).raw : []);
    const names = parquetSchema(metadata).children.map((child) => child.element.name);
    return names.filter((name) => !raw.has(name));
  } catch (error) {
    throw new BadInputError(path, say`not a whole Parquet file (${(error as Error).message})`);
  }
}

const day = (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10);
const moment = (milliseconds: number) => new Date(milliseconds).toISOString();
/** Keeps a leading U+FEFF: it belongs to the value. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Dates as text, as the service writes them in JSON. */
const textParsers = {
  dateFromDays: (days: number | null | undefined) => (typeof days === 'number' ? day(days) : undefined),
  timestampFromMilliseconds: (value: bigint) => moment(Number(value)),
  timestampFromMicroseconds: (value: bigint) => moment(Number(value / 1000n)),
  timestampFromNanoseconds: (value: bigint) => moment(Number(value / 1_000_000n)),
  stringFromBytes: (bytes: Uint8Array) => (!bytes || isTooLong(bytes) ? bytes : decoder.decode(bytes)),
  jsonFromBytes: (bytes: Uint8Array) =>
    !bytes || isTooLong(bytes) ? (bytes ?? null) : JSON.parse(decoder.decode(bytes)),
};

/** The parsers of a file; hyparquet types dates as `Date`, and passes on whatever a parser returns. */
const parsersOf = (isOurs: boolean) =>
  ({
    ...textParsers,
    ...(isOurs ? { timestampFromMilliseconds: (value: bigint) => shortMoment(Number(value)) } : {}),
  }) as unknown as ParquetParsers;

function plain(value: unknown): Json {
  if (value === undefined || value === null) return null;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value !== 'object') return value as Json;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return decoder.decode(value);
  if (Array.isArray(value) || ArrayBuffer.isView(value))
    return Array.from(value as ArrayLike<unknown>, plain);
  const document: Document = {};
  for (const [field, inner] of Object.entries(value)) document[field] = plain(inner);
  return document;
}

/** The rows of such a file; 64-bit numbers are bigints. */
export async function parquetRows(bytes: Uint8Array): Promise<Document[]> {
  const { parquetReadObjects } = await import('hyparquet');
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  return (await parquetReadObjects({ file })) as Document[];
}
