import { setImmediate } from 'node:timers/promises';
import { zstdCompressSync } from 'node:zlib';
import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter, parquetWriteBuffer, type Writer } from 'hyparquet-writer';
import { wellFormed } from '../../model/bounds.ts';
import type { Document, Json } from '../../model/document.ts';
import { createConverter, rawText } from '../fit.ts';
import type { RowSource, TableOptions } from '../format.ts';
import { type CellReader, cellReader, visitRows } from '../rows.ts';
import type { Sink } from '../sink.ts';
import { createTally } from '../tally.ts';
import { addRawColumns, createMisfitFinder, schemaOf, type TypedColumn } from './column-type.ts';
import { createdBy } from './pages.ts';

const rowGroupSize = 5_000; // Maximum of rows in a row group, which is buffered in memory and encoded without a pause.
const maxGroupChars = 4 << 20; // Characters of text that end a row group early.

/** Writes rows as a Parquet file (ZSTD, all columns optional); returns their number. Stops if the sink is closed. */
export async function writeParquet(
  source: RowSource,
  { columns: describedColumns, misfits: knownMisfits, metadata, report, isForLake = false }: TableOptions,
  sink: Sink,
): Promise<number> {
  const misfits = new Set(knownMisfits);
  const addMisfits = createMisfitFinder(describedColumns);
  if (!knownMisfits) await visitRows(source.rows(), sink, (row) => addMisfits(row, misfits));
  const columns = addRawColumns(describedColumns, misfits);
  const file = openParquetFile(schemaOf(columns, isForLake), { ...metadata, ...columnMetadata(columns) }, sink);
  const tallies = columns.map(createTally);
  const read = cellReader(columns.map(({ name }) => name));
  const columnBuffers = columns.map((column, at) => {
    const baseColumn = columns.find(({ name }) => name === (column.rawOf ?? column.name))!;
    return createColumnBuffer(baseColumn, { read, tally: tallies[at]!, isRaw: column.rawOf !== undefined, isForLake });
  });
  let groupRows = 0;
  let totalRows = 0;
  let characters = 0;
  const writeGroup = async () => {
    // Minima and maxima of JSON texts serve no query, and would be stored uncut in the footer.
    const columnData = columns.map(({ name, type, inside }, at) => {
      return { name, data: columnBuffers[at]!.values, statistics: type !== 'json' || inside !== undefined };
    });
    await file.write({ columnData, rowGroupSize: groupRows });
    for (const { values } of columnBuffers) values.length = 0;
    // V8 frees encoded texts only between turns of the event loop; a server also handles other requests then.
    await (sink.yieldControl?.() ?? setImmediate());
    [groupRows, characters] = [0, 0];
  };
  await visitRows(source.rows(), sink, (row) => {
    for (const column of columnBuffers) characters += column.add(row);
    groupRows += 1;
    totalRows += 1;
    const isFull = groupRows === rowGroupSize || characters >= maxGroupChars;
    return isFull ? writeGroup().then(() => !sink.closed) : !sink.closed;
  });
  if (sink.closed) return totalRows;
  if (groupRows > 0) await writeGroup();
  await file.finish();
  report?.(columns.map((column, at) => ({ ...column, facts: tallies[at]!.facts() })));
  return totalRows;
}

function columnMetadata(columns: TypedColumn[]): Record<string, string> {
  const descriptions = columns.flatMap(({ name, description }) => (description ? [[name, description]] : []));
  const rawColumns = columns.flatMap(({ name, rawOf }) => (rawOf === undefined ? [] : [[name, rawOf]]));
  return {
    ...(descriptions.length > 0 ? { columns: JSON.stringify(Object.fromEntries(descriptions)) } : {}),
    ...(rawColumns.length > 0 ? { raw_columns: JSON.stringify(Object.fromEntries(rawColumns)) } : {}),
  };
}

function openParquetFile(schema: SchemaElement[], metadata: Record<string, string>, sink: Sink) {
  const bytes = new ByteWriter();
  const flush = async () => {
    const chunk = bytes.getBytes().slice();
    bytes.index = 0;
    await sink.write(chunk);
  };
  const writer: Writer = Object.assign(bytes, { flush, finish: flush });
  const keys = Object.keys(metadata).sort();
  return new ParquetWriter({
    writer,
    schema,
    codec: 'ZSTD',
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes, { chunkSize: Math.max(1024, bytes.length >> 1) }) },
    createdBy,
    kvMetadata: keys.map((key) => ({ key, value: metadata[key]! })),
  });
}

type BufferOptions = { read: CellReader; tally: ReturnType<typeof createTally>; isRaw: boolean; isForLake: boolean };

/** Buffers the cells of a column or, with `isRaw`, its misfits as text; tallies what it buffers. */
function createColumnBuffer(column: TypedColumn, { read, tally, isRaw, isForLake }: BufferOptions) {
  const { name, type, inside, isLoose = false } = column;
  const converter = createConverter(column);
  const values: unknown[] = [];
  const push = (value: unknown): number => {
    values.push(value);
    return typeof value === 'string' ? value.length : 0;
  };
  return {
    values,
    /** Adds the value of a row; returns the length of its text, 0 for other values. */
    add(row: Document): number {
      const value = read(row, name);
      if (value === null || value === undefined) return push(null);
      const fittedValue = converter.convert(value);
      const isLossless = converter.wasLossless();
      if (isRaw) {
        if (isLossless) return push(null);
        tally.add(rawText(value), true);
        return push(rawText(value));
      }
      if (!isLossless && !isLoose) throw new TypeError('the rows changed while they were read');
      tally.add(value, isLossless);
      if (type === 'json' && !inside) {
        // DuckDB reads no value of a column that contains a lone surrogate.
        values.push(wellFormed(fittedValue as Json));
        return JSON.stringify(fittedValue).length;
      }
      const isInMicroseconds = isForLake && type === 'datetime' && fittedValue !== null;
      return push(isInMicroseconds ? (fittedValue as bigint) * 1000n : fittedValue);
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
