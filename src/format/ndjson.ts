import { picked, type RowFormat } from './row-format.ts';
import { escapeHidden } from './sanitise.ts';

/** One JSON object a line: whole records, or only `columns` where they are given. */
export function ndjsonFormat(columns?: string[]): RowFormat {
  return {
    head: () => '',
    row: (document) => `${JSON.stringify(columns ? picked(document, columns) : document)}\n`,
    foot: () => '',
    harmless: escapeHidden,
  };
}
