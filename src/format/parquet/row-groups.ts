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
import { type Phrase, say } from '../../words/speech.ts';
import { codeOf } from '../sink.ts';
import { createParsers, prepareDecoder } from './cell-values.ts';
import {
  checkPages,
  checkValues,
  createdBy,
  type EncodedPage,
  footerFault,
  ParquetFault,
  unsupportedFault,
  valuesFault,
} from './pages.ts';

const maxValues = 2 ** 27; // Of a row group over all columns: it is decoded in memory.

type ChunkPlan = Parameters<typeof readRowGroup>[2]['chunks'][number];
type ColumnData = ReturnType<typeof readRowGroup>['asyncColumns'][number]['data'];

/** Converters of raw values by column path; null for a column without one. */
type Conversions = Map<string, ReturnType<typeof prepareDecoder>>;

/** A Parquet file with its parsed footer, schema and converters. */
export type ParquetSource = Awaited<ReturnType<typeof readFooter>>;

/** Reads the footer of a Parquet file; throws a ParquetFault if it is damaged, encrypted or of an unsupported type. */
export async function readFooter(file: AsyncBuffer) {
  const { byteLength } = file;
  if (byteLength < 12) throw new ParquetFault(say`it is too short for a Parquet file`);
  const end = Buffer.from(await file.slice(byteLength - 8, byteLength));
  const magic = end.toString('latin1', 4);
  if (magic === 'PARE') throw encryptedFault();
  if (magic !== 'PAR1') throw new ParquetFault(say`it does not end as a Parquet file does; it may be cut off`);
  if (end.readUInt32LE(0) > byteLength - 12) throw footerFault();
  const metadata = await withFault(footerFault, () => parquetMetadataAsync(file));
  const schema = await withFault(footerFault, () => parquetSchema(metadata));
  const rows = metadata.row_groups.reduce((sum, { num_rows: count }) => sum + Number(count), 0);
  if (rows !== Number(metadata.num_rows)) throw footerFault();
  return { file, metadata, schema, conversions: await conversionsOf(schema) };
}

async function conversionsOf(schema: SchemaTree): Promise<Conversions> {
  const conversions: Conversions = new Map();
  const visit = ({ element, children, path }: SchemaTree, isVariant = false) => {
    for (const child of children) visit(child, isVariant || element.logical_type?.type === 'VARIANT');
    if (children.length > 0 || path.length === 0) return;
    conversions.set(path.join('.'), isVariant ? null : prepareDecoder(element)); // hyparquet decodes variants
  };
  for (const child of schema.children) await withColumnName(child.path, () => visit(child));
  return conversions;
}

/** Returns the rows of a row group by column name; throws a ParquetFault that names the column and the row group. */
export const decodeRowGroup = (source: ParquetSource, groupIndex: number): Promise<Record<string, unknown>[]> =>
  withFault(footerFault, () => decodeRows(source, groupIndex));

/** Reads and checks all pages of a row group, then lets hyparquet decode these bytes. */
async function decodeRows(source: ParquetSource, groupIndex: number): Promise<Record<string, unknown>[]> {
  const { metadata, schema, conversions } = source;
  const rowGroup = metadata.row_groups[groupIndex]!;
  const rowCount = Number(rowGroup.num_rows);
  if (rowCount === 0) return [];
  const chunks = await readChunks(source, rowGroup, groupIndex);
  const bytesAt = new Map(chunks.map(({ bytes, plan }) => [plan.range.startByte, bytes]));
  const file = { byteLength: source.file.byteLength, slice: (start: number) => bytesAt.get(start)! };
  const parsers = createParsers(metadata.created_by === createdBy);
  const options = { file, metadata, compressors: checkedDecompressors(chunks), parsers, utf8: false };
  const selection = { groupStart: 0, groupRows: rowCount, selectStart: 0, selectEnd: rowCount };
  const rowGroupPlan = { ...selection, rowGroup, chunks: chunks.map(({ plan }) => plan) };
  const asyncRowGroup = readRowGroup(options, { metadata, rowStart: 0, fetches: [], groups: [] }, rowGroupPlan);
  const asyncColumns = asyncRowGroup.asyncColumns.map(({ pathInSchema, data }) => {
    const convert = conversions.get(pathInSchema.join('.'));
    return { pathInSchema, data: convert ? convertColumn(data, convert) : data };
  });
  const assembledGroup = assembleAsync({ ...asyncRowGroup, asyncColumns }, schema, parsers);
  await Promise.allSettled(assembledGroup.asyncColumns.map(({ data }) => data)); // no unhandled rejection
  for (const { pathInSchema, data } of assembledGroup.asyncColumns) {
    const checkLength = async () => {
      const parts = await data;
      if (parts.data.reduce((sum, { length }) => sum + length, parts.skipped) !== rowCount) throw valuesFault();
    };
    await withColumnName(pathInSchema, checkLength, groupIndex);
  }
  return asyncGroupToRows(assembledGroup, 0, rowCount, undefined, 'object');
}

/** A column chunk: its metadata and byte range (`plan`), its bytes, and its pages by the offset of their values. */
type Chunk = { plan: ChunkPlan; bytes: ArrayBuffer; pages: Map<number, EncodedPage> };

async function readChunks(source: ParquetSource, group: RowGroup, groupIndex: number): Promise<Chunk[]> {
  const { file, schema, conversions } = source;
  const names = [...conversions.keys()];
  if (group.columns.length !== names.length) throw footerFault();
  const rowCount = Number(group.num_rows);
  const valueCount = group.columns.reduce((sum, { meta_data }) => sum + Number(meta_data?.num_values ?? 0), 0);
  if (!(rowCount + valueCount <= maxValues))
    throw unsupportedFault(say`row group ${String(groupIndex)} holds more values than are read at once`);
  return Array.fromAsync(group.columns, (column, at) => {
    const path = column.meta_data?.path_in_schema ?? [names[at]!];
    const readColumn = async (): Promise<Chunk> => {
      const { meta, range } = chunkRange(column, source);
      const tree = getTreePath(schema, path);
      if (tree.at(-1)!.element.type !== meta.type) throw footerFault();
      const bytes = await file.slice(range.startByte, range.endByte);
      const pages = checkPages(bytes, { meta, path: tree, rows: rowCount });
      return { plan: { columnMetadata: meta, range }, bytes, pages };
    };
    return withColumnName(path, readColumn, groupIndex);
  });
}

async function convertColumn(data: ColumnData, convert: NonNullable<ReturnType<typeof prepareDecoder>>) {
  const convertCell = (value: unknown): unknown => {
    if (value === null || value === undefined) return value;
    return Array.isArray(value) ? value.map(convertCell) : convert(value as Parameters<typeof convert>[0]);
  };
  const { skipped, data: parts } = await data;
  return { skipped, data: parts.map((part) => Array.from(part as ArrayLike<unknown>, convertCell)) };
}

/** The byte range of a column's pages; throws a ParquetFault if it exceeds the file. */
function chunkRange(column: ColumnChunk, { file }: ParquetSource): { meta: ColumnMetaData; range: ChunkPlan['range'] } {
  const { meta_data: meta, crypto_metadata, encrypted_column_metadata, file_path } = column;
  if (crypto_metadata || encrypted_column_metadata) throw encryptedFault();
  if (file_path) throw unsupportedFault(say`its pages are in another file`);
  if (!meta?.type || !meta.codec) throw footerFault();
  if (meta.codec !== 'UNCOMPRESSED' && !decompressors[meta.codec])
    throw unsupportedFault(say`it is compressed with ${meta.codec}, which is not read`);
  const startByte = Number(meta.dictionary_page_offset || meta.data_page_offset);
  const endByte = startByte + Number(meta.total_compressed_size);
  if (!(startByte >= 4 && startByte <= endByte && endByte <= file.byteLength - 8)) throw footerFault();
  return { meta, range: { startByte, endByte } };
}

/** Decoders by codec: Node's where it has them, since they stop at the length in the header. */
const decompressors: Compressors = {
  ...compressors,
  GZIP: (bytes, length) => gunzipSync(bytes, lengthOptions(length)),
  BROTLI: (bytes, length) => brotliDecompressSync(bytes, lengthOptions(length)),
  ZSTD: (bytes, length) => zstdDecompressSync(bytes, lengthOptions(length)),
};

const lengthOptions = (length: number) => ({ maxOutputLength: Math.max(1, length) });

/** Decompressors that check each page, found by its buffer and offset: hyparquet passes them only its bytes. */
function checkedDecompressors(chunks: Chunk[]): Compressors {
  const pagesIn = new Map<ArrayBufferLike, Chunk['pages']>(chunks.map(({ bytes, pages }) => [bytes, pages]));
  const checkedEntries = Object.entries(decompressors).map(([codec, decompress]): [string, typeof decompress] => [
    codec,
    (bytes, length) => {
      const page = pagesIn.get(bytes.buffer)?.get(bytes.byteOffset);
      if (!page) throw valuesFault();
      // An empty page may have no compressed bytes, which every decoder rejects.
      const decompressed = length === 0 ? new Uint8Array(0) : decompress(bytes, length);
      checkValues(decompressed, page);
      return decompressed;
    },
  ]);
  return Object.fromEntries(checkedEntries);
}

const encryptedFault = () => unsupportedFault(say`it is encrypted; write it again without encryption`);

/** Like `withFault`, for work on a column, which a fault names, and on a row group, if any. */
function withColumnName<Result>(path: string[], work: () => Result | Promise<Result>, group?: number) {
  const column = path.join('.');
  const location = group === undefined ? say`column "${column}"` : say`column "${column}", row group ${String(group)}`;
  return withFault(valuesFault, work, location);
}

/** Runs `work`; turns hyparquet's errors, which describe its code, into `fault()`. System errors pass through. */
async function withFault<Result>(fault: () => ParquetFault, work: () => Result | Promise<Result>, location?: Phrase) {
  try {
    return await work();
  } catch (error) {
    if (codeOf(error) !== null) throw error;
    const locatedFault = error instanceof ParquetFault ? error : fault();
    locatedFault.location ??= location ?? null;
    throw locatedFault;
  }
}
