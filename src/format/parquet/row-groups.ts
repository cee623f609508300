import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import {
  type AsyncBuffer,
  type ColumnChunk,
  type ColumnMetaData,
  type Compressors,
  parquetMetadataAsync,
  parquetSchema,
  type RowGroup,
  type SchemaTree,
} from 'hyparquet';
import { assembleAsync, asyncGroupToRows, readRowGroup } from 'hyparquet/src/rowgroup.js';
import { getTreePath } from 'hyparquet/src/schema.js';
import { compressors } from 'hyparquet-compressors';
import { say } from '../../words/speech.ts';
import { codeOf } from '../sink.ts';
import { parsersOf, storedValueDecoder } from './cell-values.ts';
import {
  badFooter,
  checkPages,
  checkValues,
  createdBy,
  type EncodedPage,
  miscountsNulls,
  ParquetFault,
  unreadable,
} from './pages.ts';

/** Most values of a row group over all columns: a row group is decoded in memory. */
const maxValues = 2 ** 27;

type ChunkPlan = Parameters<typeof readRowGroup>[2]['chunks'][number];
type ColumnData = ReturnType<typeof readRowGroup>['asyncColumns'][number]['data'];

/** Converters of stored values, by column path. */
type Conversions = Map<string, ReturnType<typeof storedValueDecoder>>;

/** A Parquet file with its parsed footer. */
export type ParquetSource = Awaited<ReturnType<typeof readFooter>>;

/** Reads the footer of a Parquet file; throws a ParquetFault if it is damaged, encrypted or of an unsupported type. */
export async function readFooter(file: AsyncBuffer) {
  const { byteLength } = file;
  if (byteLength < 12) throw new ParquetFault(say`it is too short for a Parquet file`);
  const end = Buffer.from(await file.slice(byteLength - 8, byteLength));
  const magic = end.toString('latin1', 4);
  if (magic === 'PARE') throw encrypted();
  if (magic !== 'PAR1') throw new ParquetFault(say`it does not end as a Parquet file does; it may be cut off`);
  if (end.readUInt32LE(0) > byteLength - 12) throw badFooter();
  const { metadata, schema } = await orFault(badFooter, async () => {
    const metadata = await parquetMetadataAsync(file);
    return { metadata, schema: parquetSchema(metadata) };
  });
  const rows = metadata.row_groups.reduce((sum, { num_rows: count }) => sum + Number(count), 0);
  if (rows !== Number(metadata.num_rows)) throw badFooter();
  return { file, metadata, schema, conversions: await conversionsOf(schema) };
}

async function conversionsOf(schema: SchemaTree): Promise<Conversions> {
  const conversions: Conversions = new Map();
  const visit = ({ element, children, path }: SchemaTree, isVariant = false) => {
    for (const child of children) visit(child, isVariant || element.logical_type?.type === 'VARIANT');
    if (children.length > 0 || path.length === 0) return;
    const convert = isVariant ? null : storedValueDecoder(element);
    conversions.set(path.join('.'), convert);
  };
  for (const child of schema.children) await inColumn(child.path, () => visit(child));
  return conversions;
}

/** The rows of a row group by column name; throws a ParquetFault that names the column and the row group. */
export const decodeRowGroup = (source: ParquetSource, number: number): Promise<Record<string, unknown>[]> =>
  orFault(badFooter, () => rowsOf(source, number));

async function rowsOf(source: ParquetSource, number: number): Promise<Record<string, unknown>[]> {
  const { metadata, schema, conversions } = source;
  const rowGroup = metadata.row_groups[number]!;
  const rows = Number(rowGroup.num_rows);
  if (rows === 0) return [];
  const chunks = await readChunks(source, rowGroup, number);
  const bytesAt = new Map(chunks.map(({ bytes, plan }) => [plan.range.startByte, bytes]));
  const file = { byteLength: source.file.byteLength, slice: (start: number) => bytesAt.get(start)! };
  const parsers = parsersOf(metadata.created_by === createdBy);
  const options = { file, metadata, compressors: unpackingOf(chunks), parsers, utf8: false };
  const selection = { groupStart: 0, groupRows: rows, selectStart: 0, selectEnd: rows };
  const planned = { ...selection, rowGroup, chunks: chunks.map(({ plan }) => plan) };
  const read = readRowGroup(options, { metadata, rowStart: 0, fetches: [], groups: [] }, planned);
  const asyncColumns = read.asyncColumns.map(({ pathInSchema, data }) => {
    const convert = conversions.get(pathInSchema.join('.'));
    return { pathInSchema, data: convert ? converted(data, convert) : data };
  });
  const assembled = assembleAsync({ ...read, asyncColumns }, schema, parsers);
  await Promise.allSettled(assembled.asyncColumns.map(({ data }) => data));
  for (const { pathInSchema, data } of assembled.asyncColumns)
    await inColumn(
      pathInSchema,
      async () => {
        const parts = await data.catch((error) => throwExplained(error, pathInSchema[0]!, chunks));
        if (parts.data.reduce((sum, { length }) => sum + length, parts.skipped) !== rows) throw unreadable();
      },
      number,
    );
  return asyncGroupToRows(assembled, 0, rows, undefined, 'object');
}

/** The bytes of a column in a row group, with its pages by the offset of their values. */
type Chunk = { plan: ChunkPlan; bytes: ArrayBuffer; pages: Map<number, EncodedPage> };

async function readChunks(source: ParquetSource, group: RowGroup, number: number): Promise<Chunk[]> {
  const { file, schema, conversions } = source;
  const names = [...conversions.keys()];
  if (group.columns.length !== names.length) throw badFooter();
  const rows = Number(group.num_rows);
  const values = group.columns.reduce((sum, { meta_data }) => sum + Number(meta_data?.num_values ?? 0), 0);
  if (!(rows + values <= maxValues)) {
    const reason = say`row group ${String(number)} holds more values than are read at once`;
    throw new ParquetFault(reason, { isDamage: false });
  }
  const chunks: Chunk[] = [];
  for (const [at, column] of group.columns.entries()) {
    const path = column.meta_data?.path_in_schema ?? [names[at]!];
    const read = async () => {
      const { meta, range } = placeOf(column, source);
      const tree = getTreePath(schema, path);
      if (tree.at(-1)!.element.type !== meta.type) throw badFooter();
      const bytes = await file.slice(range.startByte, range.endByte);
      const pages = checkPages(bytes, { meta, path: tree, rows });
      chunks.push({ plan: { columnMetadata: meta, range }, bytes, pages });
    };
    await inColumn(path, read, number);
  }
  return chunks;
}

/** Throws the error of a column, or the reason why lists of an undamaged file cannot be decoded. */
function throwExplained(error: unknown, name: string, chunks: Chunk[]): never {
  const own = chunks.filter(({ plan }) => plan.columnMetadata.path_in_schema[0] === name);
  if (!own.some(({ bytes, pages }) => miscountsNulls(bytes, pages))) throw error;
  const reason = say`its lists are in pages of version 2 that miscount nulls; write version 1`;
  throw new ParquetFault(reason, { isDamage: false });
}

async function converted(data: ColumnData, convert: NonNullable<ReturnType<typeof storedValueDecoder>>) {
  const cell = (value: unknown): unknown => {
    if (value === null || value === undefined) return value;
    return Array.isArray(value) ? value.map(cell) : convert(value as Parameters<typeof convert>[0]);
  };
  const { skipped, data: parts } = await data;
  return { skipped, data: parts.map((part) => Array.from(part as ArrayLike<unknown>, cell)) };
}

/** The byte range of a column's pages; throws a ParquetFault if it exceeds the file. */
function placeOf(column: ColumnChunk, { file }: ParquetSource): { meta: ColumnMetaData; range: ChunkPlan['range'] } {
  const { meta_data: meta, crypto_metadata, encrypted_column_metadata, file_path } = column;
  if (crypto_metadata || encrypted_column_metadata) throw encrypted();
  if (file_path) throw new ParquetFault(say`its pages are in another file`, { isDamage: false });
  if (!meta?.type || !meta.codec) throw badFooter();
  if (meta.codec !== 'UNCOMPRESSED' && !unpackings[meta.codec])
    throw new ParquetFault(say`it is compressed with ${meta.codec}, which is not read`, { isDamage: false });
  const startByte = Number(meta.dictionary_page_offset || meta.data_page_offset);
  const endByte = startByte + Number(meta.total_compressed_size);
  if (!(startByte >= 4 && startByte <= endByte && endByte <= file.byteLength - 8)) throw badFooter();
  return { meta, range: { startByte, endByte } };
}

/** Node's decoders, where it has them: they stop at the length in the header. */
const unpackings: Compressors = {
  ...compressors,
  GZIP: (bytes, length) => gunzipSync(bytes, lengthOptions(length)),
  BROTLI: (bytes, length) => brotliDecompressSync(bytes, lengthOptions(length)),
  ZSTD: (bytes, length) => zstdDecompressSync(bytes, lengthOptions(length)),
};

const lengthOptions = (length: number) => ({ maxOutputLength: Math.max(1, length) });

function unpackingOf(chunks: Chunk[]): Compressors {
  const pagesIn = new Map<ArrayBufferLike, Chunk['pages']>(chunks.map(({ bytes, pages }) => [bytes, pages]));
  const checking = Object.entries(unpackings).map(([codec, unpack]): [string, typeof unpack] => [
    codec,
    (bytes, length) => {
      const page = pagesIn.get(bytes.buffer)?.get(bytes.byteOffset);
      if (!page) throw unreadable();
      // An empty page may have no compressed bytes, which every decoder rejects.
      const unpacked = length === 0 ? new Uint8Array(0) : unpack(bytes, length);
      checkValues(unpacked, page);
      return unpacked;
    },
  ]);
  return Object.fromEntries(checking);
}

const encrypted = () => new ParquetFault(say`it is encrypted; write it again without encryption`, { isDamage: false });

/** Runs `work` on a column; prefixes the reason of a fault with the column and the row group, if any. */
async function inColumn<Result>(
  path: string[],
  work: () => Result | Promise<Result>,
  group: number | null = null,
): Promise<Result> {
  try {
    return await orFault(unreadable, work);
  } catch (error) {
    if (!(error instanceof ParquetFault)) throw error;
    const column = path.join('.');
    error.location = group === null ? say`column "${column}"` : say`column "${column}", row group ${String(group)}`;
    throw error;
  }
}

/** Runs `work`; turns hyparquet's errors, which describe its code, into faults. System errors pass through. */
async function orFault<Result>(fault: () => ParquetFault, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ParquetFault || codeOf(error) !== null ? error : fault();
  }
}
