import type { HemicycleError } from '../errors.ts';
import type { Attribution } from '../model/attribution.ts';
import type { Document } from '../model/document.ts';
import { type RowFormat, type Rows, writeRows } from './rows.ts';
import { escapeHidden } from './sanitise.ts';
import type { Sink } from './sink.ts';

/** Where a response was read from, and the date of its state (ISO 8601), null for the current one. */
export type Origin = { from: 'mirror' | 'service'; as_of: string | null };

/** Metadata of a list; values that are known only after the last item may be functions. */
export type ListMeta = {
  total: number | null | (() => number | null);
  nextCursor: string | null | (() => string | null);
  origin: Origin;
  attribution: Attribution;
  /** Further fields, such as the mode of a search; they follow `next_cursor`. */
  extra?: Document | undefined;
  /** True at a terminal: two spaces of indent, and hidden characters escaped. */
  pretty?: boolean | undefined;
};

/** Streams a JSON list in the shape of docs/reference "Formats"; returns the number of items written. */
export function writeJsonList(items: Rows, meta: ListMeta, sink: Sink): Promise<number> {
  const { pretty = false, extra, origin, attribution } = meta;
  const style = pretty ? indentedStyle : compactStyle;
  let itemCount = 0;
  const format: RowFormat = {
    head: () => style.open,
    row(item) {
      itemCount += 1;
      return `${itemCount === 1 ? '' : ','}\n${style.item(item)}`;
    },
    tail() {
      const counts = { shown: itemCount, total: resolveLazy(meta.total), next_cursor: resolveLazy(meta.nextCursor) };
      const tail = JSON.stringify({ ...counts, ...extra, origin, attribution }, null, pretty ? 2 : 0);
      return `${itemCount === 0 ? ']' : style.close},${tail.slice(1)}\n`;
    },
    escapeControls: escapeHidden,
  };
  return writeRows(items, format, sink, { columns: [], header: true, terminal: { isTTY: pretty } });
}

type RecordEnvelope = { derived?: Document | undefined; origin: Origin; attribution: Attribution; pretty?: boolean };

/** Returns a record as `item` with its derived values, origin and attribution, as JSON text with a line end. */
export function jsonRecord(item: Document, { pretty = false, ...envelope }: RecordEnvelope): string {
  const text = JSON.stringify({ item, ...envelope }, null, pretty ? 2 : 0);
  return `${pretty ? escapeHidden(text) : text}\n`;
}

/** Returns an error as the JSON object that stderr receives with `--json`. */
export function errorJson(error: Pick<HemicycleError, 'code' | 'message' | 'hint' | 'exit'>): string {
  const { code, message, hint, exit } = error;
  return escapeHidden(JSON.stringify({ error: { code, message, hint, exit } }));
}

/** Returns the value, or the result of its function, which may be called only after the items were read. */
export const resolveLazy = <Value extends string | number | null>(value: Value | (() => Value)): Value =>
  typeof value === 'function' ? value() : value;

/** Compact JSON, one item a line for `grep` and `diff`. */
const compactStyle = { open: '{"items":[', item: (item: Document) => JSON.stringify(item), close: '\n]' };

/** The same bytes as JSON.stringify(list, null, 2). */
const indentedStyle = {
  open: '{\n  "items": [',
  item: (item: Document) => JSON.stringify(item, null, 2).replace(/^/gm, '    '),
  close: '\n  ]',
};
