import { zstdCompressSync } from 'node:zlib';
import type { Document, Json } from '../../model/document.ts';
import type { ParquetWriter, SchemaElement, Writer, writeColumn } from './library.ts';

/** Bytes of values in one page, but for a value that is larger alone. */
export const pageSize = 1 << 20;

export const codec = 'ZSTD';

/** What the library's encoders know of a column. */
export type ColumnEncoder = Parameters<typeof writeColumn>[0]['column'];

/** One column's part of a row group, and where its pages lie. */
export type ColumnPart = ParquetWriter['pendingIndexes'][number];

/** The values of one column, gathered for one row group after the other. */
export type Cells = {
  /** Adds a value of each document; false where one of them does not fit the column, and stands nowhere else. */
  add(documents: Document[]): boolean;
  /** Characters of the texts that were added. */
  textLength(): number;
  /** Writes what was added. */
  write(writer: Writer): ColumnPart;
  /** Makes room for the next group. */
  clear(): void;
};

export type CellOf = (document: Document) => Json | undefined;

/**
 * A column, whose values may all be missing; bounds are the smallest and largest value of each row group. `path` leads
 * from the root to one that is a part of another.
 */
export function columnEncoder(
  element: SchemaElement,
  { isBounded, path = [{ name: 'root' }, element] }: { isBounded: boolean; path?: SchemaElement[] },
): ColumnEncoder {
  return {
    columnName: element.name,
    element,
    schemaPath: path,
    codec,
    compressors: { [codec]: compressed },
    stats: isBounded,
    pageSize,
    columnIndex: false,
    offsetIndex: true,
  };
}

export function compressed(bytes: Uint8Array): Uint8Array {
  return zstdCompressSync(bytes, { chunkSize: Math.max(1024, bytes.length >> 1) });
}
