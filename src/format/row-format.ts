import type { Document, Json } from '../model/document.ts';
import { eachRow, type Rows } from './each-row.ts';
import type { Sink } from './sink.ts';

/** How rows become the text of one format. */
export type RowFormat = {
  /** What a file begins with, whether or not the columns are named. */
  mark?: string;
  /** What stands before the rows. */
  head(columns: string[]): string;
  /** One row, its line end included. */
  row(document: Document): string;
  /** What stands after the rows. */
  foot(): string;
  /** The same text, harmless on a terminal. */
  harmless(text: string): string;
};

const flushLength = 64 * 1024;

/** Writes rows in one format until they end, `limit` is reached or the sink closes; the number written. */
export async function writeRows(
  rows: Rows,
  format: RowFormat,
  sink: Sink,
  options: { columns: string[]; header: boolean; limit?: number; terminal?: { isTTY: boolean } },
): Promise<number> {
  const limit = options.limit ?? Number.POSITIVE_INFINITY;
  let waiting = `${format.mark ?? ''}${options.header ? format.head(options.columns) : ''}`;
  let written = 0;
  const flush = async () => {
    const text = options.terminal?.isTTY ? format.harmless(waiting) : waiting;
    waiting = '';
    if (text !== '') await sink.write(text);
    return !sink.closed && written < limit;
  };
  if (limit > 0 && !sink.closed) {
    await eachRow(rows, (document) => {
      waiting += format.row(document);
      written++;
      return waiting.length < flushLength && written < limit ? true : flush();
    });
  }
  waiting += format.foot();
  await flush();
  return written;
}

/** Reads one column of a record; null where the record has no such field. */
export type CellReader = (document: Document, column: string) => Json | undefined;

/** How to read these columns: a field named like a member of every object (`constructor`) takes more care. */
export function cellReader(columns: string[]): CellReader {
  return columns.some((column) => column in Object.prototype)
    ? (document, column) => (Object.hasOwn(document, column) ? document[column] : null)
    : (document, column) => document[column];
}

/** The record with these columns only, in their order; null where it has no such field. */
export function picked(document: Document, columns: string[]): Document {
  const read = cellReader(columns);
  return Object.fromEntries(columns.map((column) => [column, read(document, column) ?? null]));
}
