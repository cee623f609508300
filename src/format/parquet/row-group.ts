import type { Document, Json } from '../../model/document.ts';
import { fitOf, isKnown, rawText } from '../fit.ts';
import { type CellReader, cellReader } from '../rows.ts';
import { type ColumnFacts, createTally, type Tally } from '../tally.ts';
import { type CellOf, type Cells, type ColumnEncoder, type ColumnPart, columnEncoder } from './column.ts';
import type { PhysicalType, TypedColumn } from './column-type.ts';
import { ByteWriter, type RowGroup, writeColumn } from './library.ts';
import { nestedCells } from './nested.ts';
import { elementsOf } from './schema.ts';
import { textCells } from './texts.ts';

/** Some rows: as they are, or as the bytes of a JSON list. */
export type Batch = Document[] | Uint8Array<ArrayBuffer>;

/** One row group, whose places are counted from its begin until it is moved. */
export type EncodedGroup = {
  bytes: Uint8Array<ArrayBuffer>;
  group: RowGroup;
  indexes: ColumnPart[];
  rows: number;
  /** What each column of the group holds. */
  facts: ColumnFacts[];
};

/** Batches of a row group; one whose texts are large has fewer. */
export const groupBatches = 100;

/** A row group ends with the batch that brings it to so many characters of text: it is in memory as a whole. */
export const mostGroupText = 64 << 20;

/**
 * Encodes the batches that `next` gives until a row group is full or there are no more, so that what a group becomes
 * hangs on its rows alone; null where a value does not fit its column. Bytes that it read are gone.
 */
export type GroupEncoder = (next: () => Batch | undefined) => EncodedGroup | null;

/** An encoder for the row groups of these columns, one at a time: it keeps its buffers. */
export function createGroupEncoder(columns: TypedColumn[]): GroupEncoder {
  const read = cellReader(columns.map(({ name }) => name));
  const tallies = columns.map(createTally);
  const cells = columns.flatMap((column, at) => columnCells(column, columns, { read, tally: tallies[at]! }));
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
    const facts = tallies.map((tally) => tally.facts());
    return { bytes: writer.getBytes().slice(), group, indexes, rows, facts };
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
        if (cells.map((column) => column.add(documents)).includes(false)) return null;
      }
      return write(rows);
    } finally {
      for (const each of [...cells, ...tallies]) each.clear();
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

/** Empty cells of a column: of one that holds what does not fit another, of one with parts, or of a flat one. */
function columnCells(
  column: TypedColumn,
  columns: TypedColumn[],
  { read, tally }: { read: CellReader; tally: Tally },
): Cells[] {
  const { name, rawOf, physical, isLoose = false } = column;
  if (rawOf !== undefined) {
    const fit = fitOf(columns.find((other) => other.name === rawOf)!);
    const cellOf: CellOf = (document) => {
      const value = read(document, rawOf) ?? null;
      if (value === null) return null;
      fit.take(value);
      return fit.wasWhole() ? null : rawText(value);
    };
    return [
      flatCells(column, cellOf, (value) => {
        tally.see(value, true);
        return value;
      }),
    ];
  }
  const cellOf: CellOf = (document) => read(document, name);
  const fit = isKnown(column) ? fitOf(column) : null;
  let misfits = 0;
  const take = (value: Json): unknown => {
    const taken = fit ? fit.take(value) : guessed(value, physical);
    const isWhole = fit ? fit.wasWhole() : taken !== null;
    if (!isWhole) misfits += 1;
    tally.see(value, isWhole);
    return taken;
  };
  const all = physical === 'NESTED' ? nestedCells(column, cellOf, take) : [flatCells(column, cellOf, take)];
  return all.map((cells) => ({
    ...cells,
    add(documents) {
      cells.add(documents);
      return isLoose || misfits === 0;
    },
  }));
}

/** What a column, of which only the name is known, holds of a value; null where that is nothing. */
function guessed(value: Json, physical: PhysicalType): unknown {
  if (physical === 'JSON') return value;
  if (physical === 'STRING') return typeof value === 'string' ? value : null;
  if (physical === 'BOOLEAN') return typeof value === 'boolean' ? value : null;
  if (physical === 'DOUBLE') return Number.isFinite(value) ? value : null;
  return Number.isSafeInteger(value) ? BigInt(value as number) : null;
}

/** Cells of a column without parts. */
function flatCells(column: TypedColumn, cellOf: CellOf, take: (value: Json) => unknown): Cells {
  const { physical } = column;
  // Bounds of JSON texts serve no query, and are kept whole in the footer.
  const encoder = columnEncoder(elementsOf(column)[0]!, { isBounded: physical !== 'JSON' });
  if (physical === 'STRING') return textCells(encoder, cellOf, take as (value: Json) => string | null);
  if (physical === 'JSON') return textCells(encoder, cellOf, (value) => readableJson(take(value) as Json));
  return plainCells(encoder, cellOf, take);
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
      for (const document of documents) {
        const value = cellOf(document);
        const held = value === null || value === undefined ? null : physical(value);
        values.push(held);
        definitionLevels.push(held === null ? 0 : 1);
      }
      return true;
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
