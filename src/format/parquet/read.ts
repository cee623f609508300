import { type FileHandle, open } from 'node:fs/promises';
import type { AsyncBuffer, FileMetaData } from 'hyparquet';
import { BadInputError, VerificationError } from '../../errors.ts';
import type { Document, Json } from '../../model/document.ts';
import { say } from '../../words/speech.ts';
import { dayOfMoment, rawValue } from '../fit.ts';
import { copyAgainHint, importAgainHint, missingReason } from '../foreign-file.ts';
import { type InputBatches, type InputRecord, jsonOrEmpty, maxBatchChars, maxBatchSize } from '../format.ts';
import { codeOf, reasonOf } from '../sink.ts';
import { isTooLong } from './cell-values.ts';
import { createdBy, ParquetFault } from './pages.ts';

/** Yields the records of a Parquet file; dates become ISO 8601 text, and bigints numbers, or text if too large. */
export async function* readParquet(path: string): InputBatches {
  const { readFooter, decodeRowGroup } = await import('./row-groups.ts');
  await using handle = await openFile(path);
  try {
    const source = await readFooter(await createBuffer(handle));
    const ownColumns = source.metadata.created_by === createdBy ? parseOwnColumns(source.metadata) : null;
    let row = 0;
    for (const group of source.metadata.row_groups.keys()) {
      let batch: InputRecord[] = [];
      let characters = 0;
      for (const object of await decodeRowGroup(source, group)) {
        row += 1;
        const record = createRecord(ownColumns ? restoreValues(object, ownColumns) : object, `row ${row}`);
        batch.push(record);
        characters += record.text.length;
        if (batch.length < maxBatchSize && characters < maxBatchChars) continue;
        yield batch;
        batch = [];
        characters = 0;
      }
      if (batch.length > 0) yield batch;
    }
  } catch (error) {
    throw asInputError(path, error);
  }
}

/** Returns the columns of a Parquet file in order, without raw-value columns. */
export async function readParquetColumns(path: string): Promise<string[]> {
  const { readFooter } = await import('./row-groups.ts');
  await using handle = await openFile(path);
  try {
    const { metadata, schema } = await readFooter(await createBuffer(handle));
    const rawColumns = new Map(metadata.created_by === createdBy ? parseOwnColumns(metadata).raw : []);
    return schema.children.map(({ element }) => element.name).filter((name) => !rawColumns.has(name));
  } catch (error) {
    throw asInputError(path, error);
  }
}

const openFile = (path: string): Promise<FileHandle> =>
  open(path).catch((error) => {
    throw new BadInputError(path, codeOf(error) === 'ENOENT' ? missingReason : reasonOf(error), importAgainHint);
  });

/** The bytes of an open file for hyparquet: one handle reads the same file even if it is replaced. */
async function createBuffer(handle: FileHandle): Promise<AsyncBuffer> {
  const { size: byteLength } = await handle.stat();
  return {
    byteLength,
    async slice(start, end = byteLength) {
      const bytes = new Uint8Array(end - start);
      for (let at = 0; at < bytes.length; ) {
        const { bytesRead } = await handle.read(bytes, at, bytes.length - at, start + at);
        if (bytesRead === 0) throw new ParquetFault(say`it was cut off while it was read`);
        at += bytesRead;
      }
      return bytes.buffer;
    },
  };
}

/** Turns a ParquetFault into a BadInputError; returns any other error unchanged. */
function asInputError(path: string, error: unknown): unknown {
  if (!(error instanceof ParquetFault)) return error;
  const hint = error.isDamage
    ? importAgainHint
    : say`nothing of that file was imported; export it again as it can be read, for example as CSV`;
  return new BadInputError(path, error.description, hint);
}

/** Raw-value columns with the column of each; columns of days that earlier versions of Hemicycle stored as moments. */
type OwnColumns = { raw: [string, string][]; days: string[] };

function parseOwnColumns({ key_value_metadata: entries = [] }: FileMetaData): OwnColumns {
  const metadataValue = (name: string) => JSON.parse(entries.find(({ key }) => key === name)?.value ?? 'null');
  return { raw: Object.entries(metadataValue('raw_columns') ?? {}), days: metadataValue('day_columns') ?? [] };
}

/** Moves values of another type back from raw-value columns, and shortens days stored as moments. */
function restoreValues(object: Record<string, unknown>, { raw, days }: OwnColumns): Record<string, unknown> {
  for (const name of days) {
    const moment = object[name];
    if (typeof moment === 'string') object[name] = dayOfMoment(moment);
  }
  for (const [name, column] of raw) {
    const text = object[name];
    if (typeof text === 'string') object[column] = rawValue(text);
    delete object[name];
  }
  return object;
}

function createRecord(object: Record<string, unknown>, location: string): InputRecord {
  const omittedFields = Object.keys(object).filter((field) => isTooLong(object[field]));
  for (const field of omittedFields) delete object[field];
  const document = toJsonValue(object) as Document;
  return { document, text: jsonOrEmpty(document), location, ...(omittedFields.length > 0 ? { omittedFields } : {}) };
}

const maxDepth = 500; // Deeper values stay as they are, and are omitted from records later.

function toJsonValue(value: unknown, depth = 0): Json {
  if (value === undefined || value === null) return null;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value !== 'object' || depth === maxDepth) return value as Json;
  if (Array.isArray(value) || ArrayBuffer.isView(value))
    return Array.from(value as ArrayLike<unknown>, (inner) => toJsonValue(inner, depth + 1));
  const document: Document = {};
  for (const [field, inner] of Object.entries(value)) document[field] = toJsonValue(inner, depth + 1);
  return document;
}

/** Decodes a Parquet file in memory; 64-bit numbers are bigints. Throws a VerificationError if it is damaged. */
export async function decodeParquet(bytes: Uint8Array, name: string): Promise<Document[]> {
  const { readFooter, decodeRowGroup } = await import('./row-groups.ts');
  const { buffer, byteOffset, byteLength } = bytes;
  const slice = (start: number, end = byteLength) => buffer.slice(byteOffset + start, byteOffset + end) as ArrayBuffer;
  try {
    const source = await readFooter({ byteLength, slice });
    const groups = await Array.fromAsync(source.metadata.row_groups.keys(), (at) => decodeRowGroup(source, at));
    return groups.flat() as Document[];
  } catch (error) {
    if (!(error instanceof ParquetFault)) throw error;
    throw new VerificationError(say`${name}: ${error.description}`, copyAgainHint);
  }
}
