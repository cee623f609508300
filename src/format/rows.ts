import { setImmediate } from 'node:timers/promises';
import type { Document, Json } from '../model/document.ts';
import type { Sink } from './sink.ts';

/** Formats rows as text, in this order: `prefix`, `head`, `row` for each, `tail`. */
export type RowFormat = {
  /** Text before the header, also written without a header: a byte order mark, or the start of a table. */
  prefix?: string;
  head(columns: string[]): string;
  row(document: Document): string;
  tail?(): string;
  /** Escapes control characters for a terminal. */
  escapeControls(text: string): string;
};

const flushLength = 64 * 1024;

/** Writes rows in one format until they end or the sink closes; returns the number written. */
export async function writeRows(
  rows: Rows,
  format: RowFormat,
  sink: Sink,
  options: { columns: string[]; header: boolean; terminal?: { isTTY: boolean } },
): Promise<number> {
  let buffer = `${format.prefix ?? ''}${options.header ? format.head(options.columns) : ''}`;
  let rowCount = 0;
  const flush = async () => {
    const text = options.terminal?.isTTY ? format.escapeControls(buffer) : buffer;
    buffer = '';
    if (text !== '') await sink.write(text);
    return !sink.closed;
  };
  if (!sink.closed) {
    await visitRows(rows, sink, (document) => {
      buffer += format.row(document);
      rowCount++;
      return buffer.length < flushLength ? true : flush();
    });
  }
  buffer += format.tail?.() ?? '';
  await flush();
  return rowCount;
}

/** Reads one column of a record; null or undefined if the record has no such field. */
export type CellReader = (document: Document, column: string) => Json | undefined;

/** Returns a cell reader; fields named like Object members (`constructor`) need an own-property check. */
export function cellReader(columns: string[]): CellReader {
  return columns.some((column) => column in Object.prototype)
    ? (document, column) => (Object.hasOwn(document, column) ? document[column] : null)
    : (document, column) => document[column];
}

/** Returns a value as text: empty for null, JSON for a list or an object. */
export const plainCell = (value: Json | undefined): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');

/** Returns a record with these columns only, in their order; null for a missing field. */
export function pickColumns(document: Document, columns: string[]): Document {
  const read = cellReader(columns);
  return Object.fromEntries(columns.map((column) => [column, read(document, column) ?? null]));
}

/** Rows of any source: an array, a query's iterator, pages from the network. */
export type Rows = Iterable<Document> | AsyncIterable<Document>;

const rowsPerYield = 100; // Rows visited between pauses for other tasks: pausing less often halves the time.

/** Calls `visit` for each row until it returns false; pauses regularly so that other tasks run. */
export async function visitRows(
  rows: Rows,
  { yieldControl }: Pick<Sink, 'yieldControl'>,
  visit: (document: Document) => boolean | Promise<boolean>,
): Promise<void> {
  if (Symbol.asyncIterator in rows) {
    for await (const document of rows) if (!(await visit(document))) return;
    return;
  }
  let visitedRows = 0;
  for (const document of rows) {
    const visitResult = visit(document);
    if (!(typeof visitResult === 'boolean' ? visitResult : await visitResult)) return;
    visitedRows += 1;
    if (visitedRows % rowsPerYield === 0) await (yieldControl?.() ?? setImmediate());
  }
}

/** Reads one row ahead; returns it (null if none) and all rows. Disposing of the result closes their source. */
export async function peek(source: Rows) {
  const isAsync = Symbol.asyncIterator in source;
  const iterator = isAsync ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  const { done, value: first } = await iterator.next();
  const disposal = { [Symbol.asyncDispose]: async () => void (await iterator.return?.()) };
  if (done) return { first: null, rows: [], ...disposal };
  const rows = isAsync
    ? (async function* () {
        yield first;
        yield* { [Symbol.asyncIterator]: () => iterator as AsyncIterator<Document> };
      })()
    : (function* () {
        yield first;
        yield* { [Symbol.iterator]: () => iterator as Iterator<Document> };
      })();
  return { first, rows, ...disposal };
}
