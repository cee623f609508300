import type { Json } from '../model/document.ts';
import { cellReader, type RowFormat } from './row-format.ts';
import { sanitise } from './sanitise.ts';

/** A format of lines and cells: `quote` gives a text the form in which it can stand in a cell. */
export function delimitedFormat(
  columns: string[],
  {
    separator,
    quote,
    fraction = String,
  }: { separator: string; quote: (text: string) => string; fraction?: (value: number) => string },
): RowFormat {
  const read = cellReader(columns);
  const width = columns.length;
  return {
    head: (names) => `${names.map(quote).join(separator)}\n`,
    row: (document) => {
      let line = '';
      for (let at = 0; at < width; at++) {
        const value = read(document, columns[at]!);
        if (at > 0) line += separator;
        if (typeof value === 'string') line += quote(value);
        else if (value !== null && value !== undefined)
          line += typeof value === 'number' ? number(value, fraction) : plain(value, quote);
      }
      return `${line}\n`;
    },
    foot: () => '',
    harmless: sanitise,
  };
}

/** JSON can write numbers that nothing here can hold (1e400); like in JSON they are null. */
function number(value: number, fraction: (value: number) => string): string {
  return Number.isFinite(value) ? fraction(value) : '';
}

function plain(value: Exclude<Json, string | null>, quote: (text: string) => string): string {
  return typeof value === 'object' ? quote(JSON.stringify(value)) : String(value);
}
