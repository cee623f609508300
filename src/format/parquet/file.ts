import { setImmediate } from 'node:timers/promises';
import { zstdCompressSync } from 'node:zlib';
import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter, parquetWriteBuffer, type Writer } from 'hyparquet-writer';
import type { Document, Json } from '../../model/document.ts';
import { fitOf, isTyped, rawText } from '../fit.ts';
import type { RowSource, TableOptions } from '../format.ts';
import { type CellReader, cellReader, eachRow } from '../rows.ts';
import type { Sink } from '../sink.ts';
import { createTally } from '../tally.ts';
import { type PhysicalType, schemaOf, type TypedColumn, typedColumns } from './column-type.ts';
import { createdBy } from './pages.ts';

/** Limits of a row group, which is buffered in memory and encoded in one turn: rows, and characters of text. */
const rowGroupSize = 5_000;
const mostGroupText = 4 << 20;

/**
 * Writes rows as a Parquet file (ZSTD, every column optional); returns their number. Types come from the first row
 * group if the sink can rewind and rewrite after a misfit, otherwise from all rows.
 */
export async function writeParquet(source: RowSource, { columns, ...options }: TableOptions, sink: Sink) {
  const typed = (rows: Iterable<Document>) => typedColumns(rows, columns, sink);
  const first = sink.rewind ? Iterator.from(source.rows()).take(rowGroupSize) : source.rows();
  const written = await writeTyped(source, { ...options, columns: await typed(first) }, sink);
  if (written !== null) return written;
  sink.rewind?.();
  const again = await writeTyped(source, { ...options, columns: await typed(source.rows()) }, sink);
  if (again === null) throw new TypeError('the rows changed while they were read');
  return again;
}

/** The number of rows written, or null at the first value that does not fit its column's type. */
async function writeTyped(
  source: RowSource,
  { columns, metadata, noted, isOfLake = false }: Omit<TableOptions, 'columns'> & { columns: TypedColumn[] },
  sink: Sink,
): Promise<number | null> {
  const file = openParquetFile(schemaOf(columns, isOfLake), { ...metadata, ...columnMetadata(columns) }, sink);
  const tallies = columns.map(createTally);
  const read = cellReader(columns.map(({ name }) => name));
  const cells = columns.map((column, at) => {
    const source = columns.find(({ name }) => name === (column.rawOf ?? column.name))!;
    return columnCells(source, { read, tally: tallies[at]!, isRaw: column.rawOf !== undefined, isOfLake });
  });
  let rows = 0;
  let total = 0;
  let characters = 0;
  const writeGroup = async () => {
    // Bounds of JSON texts serve no query, and are stored whole in the footer.
    const columnData = columns.map(({ name, physical }, at) => ({
      name,
      data: cells[at]!.values,
      statistics: physical !== 'JSON',
    }));
    await file.write({ columnData, rowGroupSize: rows });
    for (const { values } of cells) values.length = 0;
    // V8 frees encoded texts only between turns of the event loop; a server also handles other requests then.
    await (sink.yieldControl?.() ?? setImmediate());
    [rows, characters] = [0, 0];
  };
  let isMisfit = false;
  await eachRow(source.rows(), sink, (row) => {
    for (const column of cells) {
      const length = column.add(row);
      if (length === null) {
        isMisfit = true;
        return false;
      }
      characters += length;
    }
    rows += 1;
    total += 1;
    const isFull = rows === rowGroupSize || characters >= mostGroupText;
    return isFull ? writeGroup().then(() => !sink.closed) : !sink.closed;
  });
  if (isMisfit) return null;
  if (sink.closed) return total;
  if (rows > 0) await writeGroup();
  await file.finish();
  noted?.(columns.map((column, at) => ({ ...column, facts: tallies[at]!.facts() })));
  return total;
}

function columnMetadata(columns: TypedColumn[]): Record<string, string> {
  const described = columns.flatMap(({ name, description }) => (description ? [[name, description]] : []));
  const days = columns.flatMap(({ name, isDaily }) => (isDaily ? [name] : []));
  const raw = columns.flatMap(({ name, rawOf }) => (rawOf === undefined ? [] : [[name, rawOf]]));
  return {
    ...(described.length > 0 ? { columns: JSON.stringify(Object.fromEntries(described)) } : {}),
    ...(days.length > 0 ? { day_columns: JSON.stringify(days) } : {}),
    ...(raw.length > 0 ? { raw_columns: JSON.stringify(Object.fromEntries(raw)) } : {}),
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
  return new ParquetWriter({
    writer,
    schema,
    codec: 'ZSTD',
    compressors: {
      ZSTD: (bytes) => zstdCompressSync(bytes, { chunkSize: Math.max(1024, bytes.length >> 1) }),
    },
    createdBy,
    kvMetadata: Object.keys(metadata)
      .sort()
      .map((key) => ({ key, value: metadata[key]! })),
  });
}

/** The cells of a column or, with `isRaw`, of its raw-value column. */
function columnCells(
  column: TypedColumn,
  {
    read,
    tally,
    isRaw,
    isOfLake,
  }: { read: CellReader; tally: ReturnType<typeof createTally>; isRaw: boolean; isOfLake: boolean },
) {
  const { name, physical, isLoose = false } = column;
  const fit = isTyped(column) ? fitOf(column) : null;
  const values: unknown[] = [];
  const push = (value: unknown): number => {
    values.push(value);
    return typeof value === 'string' ? value.length : 0;
  };
  return {
    values,
    /** Adds the value of a row; returns its length, or null for a misfit without a raw-value column. */
    add(row: Document): number | null {
      const value = read(row, name);
      if (value === null || value === undefined) return push(null);
      const fittedValue = fit ? fit.take(value) : guessed(value, physical);
      const isWhole = fit ? fit.wasWhole() : fittedValue !== null;
      if (isRaw) {
        if (isWhole) return push(null);
        tally.see(rawText(value), true);
        return push(rawText(value));
      }
      if (!isWhole && !isLoose) return null;
      tally.see(value, isWhole);
      if (physical === 'JSON') return pushJson(fittedValue as Json);
      return push(
        isOfLake && physical === 'TIMESTAMP' && fittedValue !== null ? (fittedValue as bigint) * 1000n : fittedValue,
      );
    },
  };

  function pushJson(value: Json): number {
    const text = JSON.stringify(value);
    // DuckDB reads no value of a column that contains a lone surrogate.
    values.push(text.includes('\\ud') ? JSON.parse(text.replace(escapes, readable)) : value);
    return text.length;
  }
}

/** JSON escapes; escaped surrogates are lone ones, as pairs are written unescaped. */
const escapes = /\\(?:(ud[89a-f][0-9a-f]{2})|.)/g;

const readable = (written: string, surrogate?: string) => (surrogate === undefined ? written : '\ufffd');

/** Converts a value to an inferred type; null for a misfit. */
function guessed(value: Json, physical: PhysicalType): unknown {
  if (physical === 'JSON') return value;
  if (physical === 'STRING') return typeof value === 'string' ? value : null;
  if (physical === 'BOOLEAN') return typeof value === 'boolean' ? value : null;
  if (physical === 'DOUBLE') return Number.isFinite(value) ? value : null;
  return Number.isSafeInteger(value) ? BigInt(value as number) : null;
}

/** Rows as a Parquet file of a given schema, uncompressed and without statistics; 64-bit numbers are bigints. */
export function parquetBytes(
  rows: Record<string, unknown>[],
  { columns, schema }: { columns: string[]; schema: SchemaElement[] },
): Uint8Array {
  const columnData = columns.map((name) => ({ name, data: rows.map((row) => row[name] ?? null) }));
  return new Uint8Array(parquetWriteBuffer({ columnData, schema, codec: 'UNCOMPRESSED', statistics: false }));
}
