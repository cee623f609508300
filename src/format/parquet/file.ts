import { setImmediate } from 'node:timers/promises';
import { zstdCompressSync } from 'node:zlib';
import type { RowGroup, SchemaElement } from 'hyparquet';
import { ByteWriter, type ColumnSource, ParquetWriter, parquetWriteBuffer } from 'hyparquet-writer';
import { wellFormed } from '../../model/bounds.ts';
import type { Document, Json } from '../../model/document.ts';
import type { Column } from '../../model/kinds.ts';
import { createConverter, rawColumn, rawText } from '../fit.ts';
import type { RowSource, TableOptions, WrittenColumn } from '../format.ts';
import { type CellReader, cellReader, visitRows } from '../rows.ts';
import type { Sink } from '../sink.ts';
import { createTally } from '../tally.ts';
import { schemaOf } from './column-type.ts';
import { createdBy } from './pages.ts';

const rowGroupSize = 5_000; // Maximum of rows in a row group, which is buffered in memory.
const maxGroupCost = 2 << 20; // Ends a row group early: a column of it is encoded without a pause, this one in 40 ms.
const costPerListCell = 32; // A cell in a list costs as much time as that many characters of text.

/**
 * Writes rows as a Parquet file (ZSTD, all columns optional), reading them once; returns their number. Values that do
 * not fit the type of their column (misfits) are in a text column `NAME_raw`. Stops if the sink is closed.
 */
export async function writeParquet(
  source: RowSource,
  { columns, metadata, report, isForLake = false }: TableOptions,
  sink: Sink,
): Promise<number> {
  const usedNames = new Set(columns.map(({ name }) => name));
  const read = cellReader([...usedNames]);
  const buffers = columns.map((column) => createColumnBuffer(column, { read, usedNames, isForLake }));
  // In the order of their first misfit, as are their chunks in all row groups: hyparquet reads chunks by rising offset.
  const misfitBuffers = new Set<Misfits>();
  const writtenColumns = () => [...columns, ...[...misfitBuffers].map(({ column }) => column)];
  const file = openParquetFile(sink);
  let groupRows = 0;
  let totalRows = 0;
  let cost = 0;
  const writeGroup = async () => {
    file.schema = schemaOf(writtenColumns(), isForLake);
    // Minima and maxima of JSON texts serve no query, and would be stored uncut in the footer.
    const columnData = buffers.map(({ column: { name, type, inside }, values }) => {
      return { name, data: values, statistics: type !== 'json' || inside !== undefined };
    });
    const misfitData = [...misfitBuffers].map(({ column: { name }, values }) => {
      return { name, data: Array.from({ length: groupRows }, (_, at) => values[at] ?? null) };
    });
    const group = { columns: [], num_rows: BigInt(groupRows), total_byte_size: 0n, total_compressed_size: 0n };
    for (const each of [...columnData, ...misfitData]) {
      await writeChunk(file, group, each);
      // V8 frees encoded texts only between turns of the event loop; a server also handles other requests then.
      await (sink.yieldControl?.() ?? setImmediate());
    }
    file.row_groups.push(group);
    file.num_rows += group.num_rows;
    for (const { values, misfits } of buffers) {
      values.length = 0;
      misfits.values.length = 0;
    }
    [groupRows, cost] = [0, 0];
  };
  await visitRows(source.rows(), sink, (row) => {
    for (const buffer of buffers) {
      cost += buffer.add(row, groupRows);
      if (buffer.misfits.values.length > 0) misfitBuffers.add(buffer.misfits);
    }
    groupRows += 1;
    totalRows += 1;
    return groupRows === rowGroupSize || cost >= maxGroupCost ? writeGroup().then(() => !sink.closed) : !sink.closed;
  });
  if (sink.closed) return totalRows;
  if (groupRows > 0) await writeGroup();
  file.schema = schemaOf(writtenColumns(), isForLake);
  await addMissingChunks(file, writtenColumns(), sink);
  const fileMetadata: Record<string, string> = { ...metadata, ...columnMetadata(writtenColumns()) };
  const keys = Object.keys(fileMetadata).sort();
  file.kvMetadata = keys.map((key) => ({ key, value: fileMetadata[key]! }));
  await file.finish();
  report?.([...buffers, ...misfitBuffers].map(({ column, tally }) => ({ ...column, facts: tally.facts() })));
  return totalRows;
}

function columnMetadata(columns: WrittenColumn[]): Record<string, string> {
  const descriptions = columns.flatMap(({ name, description }) => (description ? [[name, description]] : []));
  const rawColumns = columns.flatMap(({ name, rawOf }) => (rawOf === undefined ? [] : [[name, rawOf]]));
  return {
    ...(descriptions.length > 0 ? { columns: JSON.stringify(Object.fromEntries(descriptions)) } : {}),
    ...(rawColumns.length > 0 ? { raw_columns: JSON.stringify(Object.fromEntries(rawColumns)) } : {}),
  };
}

/** Opens a Parquet file. Its schema and metadata follow the rows: they can be set until `finish` writes them. */
function openParquetFile(sink: Sink): ParquetWriter {
  const bytes = new ByteWriter();
  const flush = async () => {
    const chunk = bytes.getBytes().slice();
    bytes.index = 0;
    await sink.write(chunk);
  };
  return new ParquetWriter({
    writer: Object.assign(bytes, { flush, finish: flush }),
    schema: [],
    codec: 'ZSTD',
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes, { chunkSize: Math.max(1024, bytes.length >> 1) }) },
    createdBy,
  });
}

/** Writes the chunk of one column of a row group, which the caller adds to the file. */
async function writeChunk(file: ParquetWriter, group: RowGroup, { data, ...column }: ColumnSource): Promise<void> {
  await file.write({ columnData: [{ ...column, data }], rowGroupSize: data.length });
  // The writer has added a row group of this column alone.
  const ownGroup = file.row_groups.pop()!;
  file.num_rows -= ownGroup.num_rows;
  group.columns.push(...ownGroup.columns);
  group.total_byte_size += ownGroup.total_byte_size;
  group.total_compressed_size! += ownGroup.total_compressed_size!;
}

/** Adds chunks of nulls to the row groups that were written before a raw column was known. */
async function addMissingChunks(file: ParquetWriter, columns: WrittenColumn[], sink: Sink): Promise<void> {
  for (const group of [...file.row_groups]) {
    const groupNames = new Set(group.columns.map(({ meta_data }) => meta_data!.path_in_schema[0]!));
    const data = new Array<null>(Number(group.num_rows)).fill(null);
    for (const { name } of columns) if (!groupNames.has(name)) await writeChunk(file, group, { name, data });
    await sink.yieldControl?.();
  }
}

/** Misfits of a column in a row group as text, at their rows. */
type Misfits = { column: WrittenColumn; values: string[]; tally: ReturnType<typeof createTally> };

type BufferOptions = { read: CellReader; usedNames: Set<string>; isForLake: boolean };

/** Buffers and tallies the cells of a column, and its misfits, for a row group. */
function createColumnBuffer(column: Column, { read, usedNames, isForLake }: BufferOptions) {
  const { name, type, inside } = column;
  const converter = createConverter({ ...column, isOfMoments: true });
  const tally = createTally(column);
  const values: unknown[] = [];
  const misfitColumn = { ...rawColumn(name, usedNames), rawOf: name };
  const misfits: Misfits = { column: misfitColumn, values: [], tally: createTally(misfitColumn) };
  const costPerItem = costPerListCell * (inside && 'list' in inside && inside.list !== 'ids' ? inside.list.length : 1);
  const push = (value: unknown): number => {
    values.push(value);
    if (Array.isArray(value)) return value.length * costPerItem;
    return typeof value === 'string' ? value.length : 0;
  };
  const addMisfit = (text: string, row: number): number => {
    misfits.tally.add(text, true);
    misfits.values[row] = text;
    return text.length;
  };
  return {
    column,
    values,
    tally,
    misfits,
    /** Adds the value of a document, row `row` of its group; returns its cost, of text and of cells in lists. */
    add(document: Document, row: number): number {
      const value = read(document, name);
      if (value === null || value === undefined) return push(null);
      const fittedValue = converter.convert(value);
      const isLossless = converter.wasLossless();
      tally.add(value, isLossless);
      const misfitLength = isLossless ? 0 : addMisfit(rawText(value), row);
      if (type === 'json' && !inside) {
        // DuckDB reads no value of a column that contains a lone surrogate.
        values.push(wellFormed(fittedValue as Json));
        return JSON.stringify(fittedValue).length + misfitLength;
      }
      const nestedLength = inside ? JSON.stringify(value).length : 0;
      const isInMicroseconds = isForLake && type === 'datetime' && fittedValue !== null;
      return push(isInMicroseconds ? (fittedValue as bigint) * 1000n : fittedValue) + nestedLength + misfitLength;
    },
  };
}

/** Returns rows as a Parquet file of a given schema, uncompressed, without statistics; 64-bit numbers are bigints. */
export function parquetBytes(
  rows: Record<string, unknown>[],
  { columns, schema }: { columns: string[]; schema: SchemaElement[] },
): Uint8Array {
  const columnData = columns.map((name) => ({ name, data: rows.map((row) => row[name] ?? null) }));
  return new Uint8Array(parquetWriteBuffer({ columnData, schema, codec: 'UNCOMPRESSED', statistics: false }));
}
