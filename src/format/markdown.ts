import type { Json } from '../model/document.ts';
import type { Format } from './format.ts';
import { cellReader, type RowFormat } from './rows.ts';
import { sanitise } from './sanitise.ts';

/** A table of GitHub-flavoured Markdown; cells are one line each, null is empty. */
export function markdownFormat(columns: string[]): RowFormat {
  const readCell = cellReader(columns);
  const line = (cells: string[]) => `| ${cells.join(' | ')} |\n`;
  return {
    head: (names) => line(names.map(markdownText)) + line(names.map(() => '---')),
    row: (document) => line(columns.map((column) => cellText(readCell(document, column)))),
    escapeControls: sanitise,
  };
}

function cellText(value: Json | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return markdownText(value);
  return typeof value === 'object' ? markdownText(JSON.stringify(value)) : String(value);
}

/** Escapes a text for one line of Markdown, `<` included. */
export function markdownText(text: string): string {
  return text
    .replace(/\s*[\r\n\u2028\u2029]+\s*/g, ' ')
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;');
}

/** A table of GitHub-flavoured Markdown. */
export const markdown = {
  name: 'markdown',
  mediaType: 'text/markdown; charset=utf-8',
  isText: true,
  rowFormat: markdownFormat,
} as const satisfies Format;
