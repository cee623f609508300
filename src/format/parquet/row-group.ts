import type { Document, Json } from '../../model/document.ts';
import { cellReader } from '../rows.ts';
import { type CellOf, type Cells, type ColumnEncoder, type ColumnPart, columnEncoder } from './column.ts';
import type { PhysicalType } from './column-type.ts';
import { dayOf } from './column-type.ts';
import {
  ByteWriter,
  type RowGroup,
  type SchemaElement,
  schemaFromColumnData,
  writeColumn,
} from './library.ts';
import { textCells } from './texts.ts';

export type TypedColumn = { name: string; type: PhysicalType };

/** Some rows: as they are, or as the bytes of a JSON list. */
export type Batch = Document[] | Uint8Array<ArrayBuffer>;

/** One row group, whose places are counted from its begin until it is moved. */
export type EncodedGroup = {
  bytes: Uint8Array<ArrayBuffer>;
  group: RowGroup;
  indexes: ColumnPart[];
  rows: number;
};

/** Batches of a row group; one whose texts are large has fewer. */
export const groupBatches = 100;

/** A row group ends with the batch that brings it to so many characters of text: it is in memory as a whole. */
export const mostGroupText = 64 << 20;

/**
 * Encodes the batches that `next` gives until a row group is full or there are no more, so that what a group becomes
 * hangs on its rows alone; null where a value is not of its column's type. Bytes that it read are gone.
 */
export type GroupEncoder = (next: () => Batch | undefined) => EncodedGroup | null;

/** The columns as a file states them. */
export function parquetSchema(columns: TypedColumn[]): SchemaElement[] {
  const columnData = columns.map(({ name, type }) => ({
    name,
    type: type === 'DATE' ? ('INT32' as const) : type,
    data: [],
  }));
  const schema = schemaFromColumnData({ columnData });
  for (const [at, { type }] of columns.entries())
    if (type === 'DATE') columnOf(schema, at).converted_type = 'DATE';
  return schema;
}

/** The root comes first. */
function columnOf(schema: SchemaElement[], at: number): SchemaElement {
  return schema[at + 1]!;
}

/** An encoder for the row groups of these columns, one at a time: it keeps its buffers. */
export function createGroupEncoder(columns: TypedColumn[]): GroupEncoder {
  const schema = parquetSchema(columns);
  const read = cellReader(columns.map(({ name }) => name));
  const cells = columns.map(({ name, type }, at) =>
    createCells(type, columnOf(schema, at), (document) => read(document, name)),
  );
  const writer = new ByteWriter(1 << 20);

  function write(rows: number): EncodedGroup {
    writer.index = 0;
    writer.offset = 0;
    const indexes = cells.map((column) => column.write(writer));
    const group: RowGroup = {
      columns: indexes.map(({ chunk }) => chunk),
      total_byte_size: indexes.reduce((sum, { chunk }) => sum + chunk.meta_data!.total_uncompressed_size, 0n),
      num_rows: BigInt(rows),
      total_compressed_size: BigInt(writer.offset),
    };
    return { bytes: writer.getBytes().slice(), group, indexes, rows };
  }

  const isFull = () => cells.reduce((length, column) => length + column.textLength(), 0) >= mostGroupText;

  return (next) => {
    try {
      let rows = 0;
      for (let count = 0; count < groupBatches && !isFull(); count += 1) {
        const batch = next();
        if (batch === undefined) break;
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
  const by = BigInt(offset);
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

/** Empty cells of a column of that type. */
function createCells(type: PhysicalType, element: SchemaElement, cellOf: CellOf): Cells {
  // Bounds of JSON texts serve no query, and are kept whole in the footer.
  const column = columnEncoder(element, { isBounded: type !== 'JSON' });
  if (type === 'STRING')
    return textCells(column, cellOf, (value) => (typeof value === 'string' ? value : null));
  if (type === 'JSON') return textCells(column, cellOf, readableJson);
  const physical = (of: (value: Json) => unknown) => plainCells(column, cellOf, of);
  if (type === 'DATE') return physical(dayOf);
  if (type === 'BOOLEAN') return physical((value) => (typeof value === 'boolean' ? value : null));
  if (type === 'DOUBLE') return physical((value) => (Number.isFinite(value) ? value : null));
  return physical((value) => (Number.isSafeInteger(value) ? BigInt(value as number) : null));
}

/** Escapes of JSON, one by one; those of surrogates stand for lone ones, since pairs are written as they are. */
const escapes = /\\(?:(ud[89a-f][0-9a-f]{2})|.)/g;

/** JSON with U+FFFD for lone surrogates: DuckDB reads no value of a column that holds one. */
function readableJson(value: Json): string {
  const text = JSON.stringify(value);
  if (!text.includes('\\ud')) return text;
  return text.replace(escapes, (written, surrogate) => (surrogate === undefined ? written : '\ufffd'));
}

/** Cells of fixed width, which the library writes. */
function plainCells(column: ColumnEncoder, cellOf: CellOf, physical: (value: Json) => unknown): Cells {
  const values: unknown[] = [];
  const definitionLevels: number[] = [];
  return {
    add(documents) {
      let isHeld = true;
      for (const document of documents) {
        const value = cellOf(document);
        const isMissing = value === null || value === undefined;
        const held = isMissing ? null : physical(value);
        if (held === null && !isMissing) isHeld = false;
        values.push(held);
        definitionLevels.push(held === null ? 0 : 1);
      }
      return isHeld;
    },
    textLength: () => 0,
    write(writer) {
      const pageData = { values, definitionLevels, repetitionLevels: [], maxDefinitionLevel: 1 };
      return writeColumn({ writer, column, pageData });
    },
    clear() {
      values.length = 0;
      definitionLevels.length = 0;
    },
  };
}
