import { setImmediate } from 'node:timers/promises';
import { zstdCompressSync } from 'node:zlib';
import type { ByteWriter, Writer } from 'hyparquet-writer';
import type { Document, Json } from '../model/document.ts';
import type { ColumnType } from '../model/kinds.ts';
import { columnTypes, type PhysicalType } from './column-type.ts';
import { cellReader } from './row-format.ts';
import type { Sink } from './sink.ts';

/** What a Parquet file holds: its columns in order, and the texts that it carries about itself. */
export type ParquetOptions = {
  columns: { name: string; type?: ColumnType }[];
  metadata: Record<string, string>;
};

const dayMs = 86_400_000;

const rowGroupSize = 10_000;

/**
 * Writes rows as one Parquet file (ZSTD, every column optional) whose types hold all values. The rows are read
 * twice and must be the same both times; one group of them is in memory at a time. Same rows, same bytes.
 */
export async function writeParquet(
  rows: () => Iterable<Document>,
  { columns, metadata }: ParquetOptions,
  sink: Sink,
): Promise<void> {
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = await import('hyparquet-writer');
  const names = columns.map(({ name }) => name);
  const types = columnTypes(rows(), columns);
  // Bounds of JSON texts serve no query, and are kept whole in the footer.
  const withData = (data: unknown[][] | null) =>
    names.map((name, at) => ({ name, data: data?.[at] ?? [], statistics: types[at] !== 'JSON' }));
  const typed = withData(null).map((column, at) => ({ ...column, type: plainType(types[at]!) }));
  const schema = schemaFromColumnData({ columnData: typed });
  // The root comes first.
  for (const [at, type] of types.entries()) if (type === 'DATE') schema[at + 1]!.converted_type = 'DATE';
  const file = new ParquetWriter({
    writer: passingOn(new ByteWriter(), sink),
    schema,
    codec: 'ZSTD',
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
    createdBy: 'hemicycle',
    kvMetadata: Object.keys(metadata)
      .sort()
      .map((key) => ({ key, value: metadata[key]! })),
  });
  for (const data of groups(rows(), names, types)) {
    if (sink.closed) return;
    await file.write({ columnData: withData(data), rowGroupSize });
    // V8 gives the memory of encoded texts back between turns of the event loop, not within one.
    await setImmediate();
  }
  await file.finish();
}

/** The writer, its bytes handed to the sink after every row group and at the end. */
function passingOn(bytes: ByteWriter, sink: Sink): Writer {
  const writer: Writer = bytes;
  const flush = async () => {
    const chunk = bytes.getBytes().slice();
    bytes.index = 0;
    await sink.write(chunk);
  };
  writer.flush = flush;
  writer.finish = flush;
  return writer;
}

/** The values of each row group by column: one array a column, not one object a row, halves the memory. */
function* groups(rows: Iterable<Document>, names: string[], types: PhysicalType[]): Generator<unknown[][]> {
  const read = cellReader(names);
  const data = names.map((): unknown[] => []);
  let size = 0;
  for (const row of rows) {
    for (let at = 0; at < names.length; at++) data[at]!.push(physical(read(row, names[at]!), types[at]!));
    size++;
    if (size < rowGroupSize) continue;
    yield data;
    // Emptied, not replaced: the group that was written must not live on beside the next.
    for (const column of data) column.length = 0;
    size = 0;
  }
  if (size > 0) yield data;
}

/** The writer's own name of a type; days are counted in integers. */
function plainType(type: PhysicalType): Exclude<PhysicalType, 'DATE'> | 'INT32' {
  return type === 'DATE' ? 'INT32' : type;
}

function physical(value: Json | undefined, type: PhysicalType): unknown {
  if (value === null || value === undefined) return null;
  if (type === 'DATE') return Date.parse(value as string) / dayMs;
  return type === 'INT64' ? BigInt(value as number) : value;
}
