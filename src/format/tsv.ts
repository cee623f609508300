import { delimitedFormat } from './csv.ts';
import type { Format } from './format.ts';
import type { RowFormat } from './rows.ts';

const escapes: Record<string, string> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\\': '\\\\' };

/** Tab-separated lines: tabs, line ends and backslashes in cells are written \t, \n, \r and \\; null is empty. */
export const tsvFormat = (columns: string[]): RowFormat =>
  delimitedFormat(columns, {
    separator: '\t',
    quote: (text) => text.replace(/[\t\n\r\\]/g, (character) => escapes[character]!),
  });

/** Tab-separated values. */
export const tsv = {
  name: 'tsv',
  mediaType: 'text/tab-separated-values; charset=utf-8',
  isWhole: false,
  isText: true,
  isExported: false,
  isOfInterface: false,
  rowFormat: tsvFormat,
  writeTable: null,
  reading: null,
} as const satisfies Format;
