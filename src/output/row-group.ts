import { zstdCompressSync } from 'node:zlib';
import type { RowGroup, SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import type { Document } from '../model/document.ts';
import type { PhysicalType } from './column-type.ts';
import { createCells } from './parquet-cells.ts';
import { cellReader } from './row-format.ts';

export type TypedColumn = { name: string; type: PhysicalType };

/** Some rows: as they are, or as the bytes of a JSON list. */
export type Batch = Document[] | Uint8Array<ArrayBuffer>;

/** One row group as it stands in a file, were it the first; what its places are counted from is moved later. */
export type EncodedGroup = {
  bytes: Uint8Array<ArrayBuffer>;
  group: RowGroup;
  indexes: ParquetWriter['pendingIndexes'];
  rows: number;
};

/** Encodes rows as one row group; null where a value is not of its column's type. Bytes that it read are gone. */
export type GroupEncoder = (batches: Batch[]) => EncodedGroup | null;

const magicLength = 4;

/** The columns as a file states them; `isBare` leaves JSON what it is while it is written: text. */
export function parquetSchema(columns: TypedColumn[], { isBare = false } = {}): SchemaElement[] {
  const plain = (type: PhysicalType): Exclude<PhysicalType, 'DATE'> | 'INT32' => {
    if (type === 'DATE') return 'INT32';
    return type === 'JSON' && isBare ? 'STRING' : type;
  };
  const columnData = columns.map(({ name, type }) => ({ name, type: plain(type), data: [] }));
  const schema = schemaFromColumnData({ columnData });
  // The root comes first.
  for (const [at, { type }] of columns.entries())
    if (type === 'DATE') schema[at + 1]!.converted_type = 'DATE';
  return schema;
}

/** An encoder for the row groups of these columns, one at a time: it keeps its buffers. */
export function createGroupEncoder(columns: TypedColumn[]): GroupEncoder {
  const schema = parquetSchema(columns, { isBare: true });
  const read = cellReader(columns.map(({ name }) => name));
  const cells = columns.map(({ name, type }) => createCells(type, (document) => read(document, name)));
  const writer = new ByteWriter(1 << 20);

  function write(rows: number): EncodedGroup {
    writer.index = 0;
    writer.offset = 0;
    const compressors = { ZSTD: compressed };
    const file = new ParquetWriter({ writer, schema, codec: 'ZSTD', compressors });
    const columnData = columns.map(({ name, type }, at) => ({
      name,
      // Bounds of JSON texts serve no query, and are kept whole in the footer.
      statistics: type !== 'JSON',
      ...cells[at]!.taken(),
    }));
    void file.write({ columnData, rowGroupSize: rows });
    const [group] = file.row_groups;
    for (const { meta_data } of group!.columns) ownBounds(meta_data?.statistics);
    const bytes = writer.getBytes().slice(magicLength) as Uint8Array<ArrayBuffer>;
    return { bytes, group: group!, indexes: file.pendingIndexes, rows };
  }

  return (batches) => {
    try {
      let rows = 0;
      for (const batch of batches) {
        const documents = Array.isArray(batch) ? batch : parsed(batch);
        rows += documents.length;
        if (!cells.every((column) => column.add(documents))) return null;
      }
      return write(rows);
    } finally {
      for (const column of cells) column.clear();
    }
  };
}

/** A row group moved to its place in a file. */
export function movedTo(offset: number, { group, indexes }: EncodedGroup): void {
  const by = BigInt(offset - magicLength);
  for (const column of group.columns) {
    column.file_offset += by;
    const facts = column.meta_data!;
    facts.data_page_offset += by;
    if (facts.dictionary_page_offset !== undefined) facts.dictionary_page_offset += by;
  }
  for (const { offsetIndex } of indexes)
    for (const page of offsetIndex?.page_locations ?? []) page.offset += by;
}

function parsed(batch: Uint8Array<ArrayBuffer>): Document[] {
  const text = Buffer.from(batch.buffer, batch.byteOffset, batch.byteLength).toString();
  // Given back now: collected, it would stay beside many others.
  batch.buffer.transfer(0);
  return JSON.parse(text);
}

function compressed(bytes: Uint8Array): Uint8Array {
  return zstdCompressSync(bytes, { chunkSize: Math.max(1024, bytes.length >> 1) });
}

/** Bounds are pieces of what all texts lie in: they get memory of their own. */
function ownBounds(bounds: { min_value?: unknown; max_value?: unknown } | undefined): void {
  if (bounds?.min_value instanceof Uint8Array) bounds.min_value = bounds.min_value.slice();
  if (bounds?.max_value instanceof Uint8Array) bounds.max_value = bounds.max_value.slice();
}
