import { delimitedFormat } from './delimited.ts';
import type { RowFormat } from './row-format.ts';

/**
 * CSV of RFC 4180 with LF line ends: null is an empty cell and an empty text is `""`, objects and lists are
 * compact JSON.
 */
export function csvFormat(columns: string[]): RowFormat {
  return delimitedFormat(columns, { separator: ',', quote });
}

const special = /[",\r\n]/;

function quote(text: string): string {
  if (text === '') return '""';
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
