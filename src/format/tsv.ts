import { delimitedFormat } from './csv.ts';
import type { Format } from './format.ts';
import type { RowFormat } from './rows.ts';

/** Tab-separated lines: tabs, line ends and backslashes in cells are written \t, \n, \r and \\; null is empty. */
export function tsvFormat(columns: string[]): RowFormat {
  return delimitedFormat(columns, { separator: '\t', quote });
}

const escapes: Record<string, string> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\\': '\\\\' };

function quote(text: string): string {
  return /[\t\n\r\\]/.test(text) ? text.replace(/[\t\n\r\\]/g, (character) => escapes[character]!) : text;
}

/** Tab-separated values. */
export const tsv = {
  name: 'tsv',
  mediaType: 'text/tab-separated-values; charset=utf-8',
  isWhole: false,
  isText: true,
  isExported: false,
  isOfInterface: false,
  rowFormat: (columns) => tsvFormat(columns),
  writeTable: null,
  reading: null,
} as const satisfies Format;
