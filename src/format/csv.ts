import { delimitedFormat } from './delimited.ts';
import type { RowFormat } from './row-format.ts';

/** How CSV is written where it is not plain RFC 4180. */
export type CsvStyle = {
  /** As a French spreadsheet takes it: a byte order mark, `;` between cells, a comma in fractions. */
  isFrench?: boolean;
  /** No cell that a spreadsheet would take for a formula: a text that begins like one gets an apostrophe. */
  isSafe?: boolean;
};

/**
 * CSV of RFC 4180 with LF line ends: null is an empty cell and an empty text is `""`, objects and lists are
 * compact JSON.
 */
export function csvFormat(columns: string[], { isFrench = false, isSafe = false }: CsvStyle = {}): RowFormat {
  // A mark that begins a file would be taken for the file's own.
  const quote = quoting(isFrench ? /[";\r\n]|^\ufeff/ : /[",\r\n]|^\ufeff/);
  const format = delimitedFormat(columns, {
    separator: separatorOf({ isFrench }),
    quote: isSafe ? (text) => quote(formula.test(text) ? `'${text}` : text) : quote,
    ...(isFrench ? { fraction: (value: number) => String(value).replace('.', ',') } : {}),
  });
  return isFrench ? { ...format, mark: '\ufeff' } : format;
}

/** What stands between two cells. */
export function separatorOf({ isFrench }: CsvStyle): string {
  return isFrench ? ';' : ',';
}

/** What a spreadsheet takes for the beginning of a formula, also behind white space and what cannot be seen. */
const formula = /^[\s\p{Cc}\p{Cf}]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/u;

function quoting(special: RegExp): (text: string) => string {
  return (text) => {
    if (text === '') return '""';
    return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
}
