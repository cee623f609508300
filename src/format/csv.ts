import { statSync } from 'node:fs';
import { BadInputError } from '../errors.ts';
import type { Document, Json } from '../model/document.ts';
import { type ColumnType, columnOf, type Kind } from '../model/kinds.ts';
import { type Phrase, say } from '../words/speech.ts';
import { rawValue } from './fit.ts';
import { inputBytes, readBytes } from './foreign-file.ts';
import {
  type DeclaredHeader,
  type Format,
  type InputBatches,
  type InputRecord,
  jsonOrEmpty,
  maxBatchChars,
  maxBatchSize,
  maxRowChars,
  sizeReason,
  type TextStyle,
} from './format.ts';
import { cellReader, type RowFormat } from './rows.ts';
import { sanitise } from './sanitise.ts';
import { createUtf8Decoder } from './text-lines.ts';

type CellStyle = { separator: string; quote: (text: string) => string; formatNumber?: (value: number) => string };

/** Returns a format with a header, and a line of separated cells for each row; null is an empty cell. */
export function delimitedFormat(columns: string[], { separator, quote, formatNumber = String }: CellStyle): RowFormat {
  const readCell = cellReader(columns);
  return {
    head: (names) => `${names.map(quote).join(separator)}\n`,
    row: (document) => {
      let line = '';
      for (let at = 0; at < columns.length; at++) {
        const value = readCell(document, columns[at]!);
        if (at > 0) line += separator;
        if (typeof value === 'string') line += quote(value);
        else if (typeof value === 'boolean') line += String(value);
        // Numbers too large for a double (1e400) are written as null, as in JSON.
        else if (typeof value === 'number') line += Number.isFinite(value) ? formatNumber(value) : '';
        else if (value !== null && value !== undefined) line += quote(JSON.stringify(value));
      }
      return `${line}\n`;
    },
    escapeControls: sanitise,
  };
}

/** Returns CSV of RFC 4180 with LF line ends: null is an empty cell, an empty text `""`; objects and lists are JSON. */
export function csvFormat(
  columns: string[],
  { isFrench = false, isSafe = false, hasByteOrderMark = isFrench, headerOf = (name) => name }: TextStyle = {},
): RowFormat {
  // A leading U+FEFF in a cell would be read as the file's byte order mark.
  const specialPattern = isFrench ? /^$|[";\r\n]|^\ufeff/ : /^$|[",\r\n]|^\ufeff/;
  const quote = (text: string) => (specialPattern.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const format = delimitedFormat(columns, {
    separator: delimiterOfStyle({ isFrench }),
    quote: (text) => {
      if (isFrench && changeableDigits.test(text)) return quote(`="${text}"`);
      return quote(isSafe ? escapeFormula(text) : text);
    },
    ...(isFrench ? { formatNumber: (value: number) => String(value).replace('.', ',') } : {}),
  });
  return { ...format, prefix: hasByteOrderMark ? '\ufeff' : '', head: (names) => format.head(names.map(headerOf)) };
}

/** Returns the cell delimiter of written CSV. */
export const delimiterOfStyle = ({ isFrench }: TextStyle): string => (isFrench ? ';' : ',');

const formulaPattern = /^[\s\p{Cc}\p{Cf}]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/u;

const escapeFormula = (text: string) => (formulaPattern.test(text) ? `'${text}` : text);

/** Digits that a spreadsheet would change: leading zeros, or over 11 of them. Written as `="007"`, they stay. */
const changeableDigits = /^(?:0\d+|\d{12,})$/;

/** Returns a text as a cell, quoted if necessary, that no spreadsheet reads as a formula; empty for an empty text. */
export function cellText(text: string, delimiter: string): string {
  const safeCell = escapeFormula(text);
  return /["\r\n]/.test(safeCell) || safeCell.includes(delimiter) ? `"${safeCell.replaceAll('"', '""')}"` : safeCell;
}

/** Yields the records of a CSV file with values of the kind’s column types; an empty cell is null, `""` is text. */
export async function* readCsv(path: string, kind: Kind, declared: DeclaredHeader | null = null): InputBatches {
  const head = await readHead(path);
  const { parse } = await import('csv-parse');
  const { pipeline, Readable } = await import('node:stream');
  const addTypes = (names: (string | null)[]) =>
    names.map((name) => ({ name: name ?? '', type: columnOf(kind, name ?? '').type }));
  let columns: { name: string; type: ColumnType }[] | null = declared && addTypes(declared.columns);
  const parser = parse({
    bom: true,
    delimiter: declared?.delimiter ?? delimiterIn(firstLineOf(head)),
    relax_quotes: false,
    skip_empty_lines: true,
    max_record_size: maxRowChars,
    cast: (cell, { quoting }) => (cell === '' && !quoting ? null : cell),
  });
  // Errors of the source reach the loop below through the parser.
  pipeline(Readable.from(decodeFile(path)), parser, () => {});
  let batch: InputRecord[] = [];
  let characters = 0;
  let row = declared ? 1 : 0; // Number of the next row; the header is row 0.
  try {
    for await (const cells of parser as AsyncIterable<(string | null)[]>) {
      // Concatenated files repeat the header.
      const isHeader = columns !== null && columns.length > 1 && columns.every(({ name }, at) => cells[at] === name);
      if (columns === null) columns = addTypes(cells);
      else if (!isHeader) {
        const record = createRecord(columns, cells, row);
        batch.push(record);
        characters += record.text.length;
      }
      row += 1;
      if (batch.length < maxBatchSize && characters < maxBatchChars) continue;
      yield batch;
      batch = [];
      characters = 0;
    }
  } catch (error) {
    if (error instanceof BadInputError) throw error;
    const { lines: line = row + 1, code } = error as { lines?: number; code?: string };
    if (code === 'CSV_MAX_RECORD_SIZE') throw new BadInputError(say`${path}:${line}, row ${row}`, sizeReason);
    throw new BadInputError(`${path}:${line}`, whyNotCsv(error));
  }
  if (row === 0) throw new BadInputError(`${path}:1`, say`holds no header line`);
  yield batch;
}

const csvFaults: Record<string, Phrase> = {
  CSV_QUOTE_NOT_CLOSED: say`not CSV: a quote is never closed`,
  CSV_INVALID_CLOSING_QUOTE: say`not CSV: text follows the quote that ends a cell`,
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: say`not CSV: text follows the quote that ends a cell`,
  INVALID_OPENING_QUOTE: say`not CSV: an unquoted cell contains a quote`,
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: say`not CSV: the row has more or fewer cells than the header`,
};

/** Returns the reason why the parser rejects a CSV file. */
export const whyNotCsv = (error: unknown): Phrase => csvFaults[(error as { code?: string }).code ?? ''] ?? say`not CSV`;

async function* decodeFile(path: string): AsyncGenerator<string> {
  const decode = createUtf8Decoder(path);
  for await (const chunk of inputBytes(path)) yield decode(chunk);
  yield decode();
}

/** True if a file ends with a line end; a truncated file usually does not. */
export function endsWithNewline(path: string): boolean {
  const { size } = statSync(path);
  const [lastByte] = size > 0 ? readBytes(path, 1, size - 1) : [];
  return lastByte === 0x0a || lastByte === 0x0d;
}

/** Returns the column names of the header, in order; none for an empty file. */
export async function readCsvHeader(path: string): Promise<string[]> {
  const { parse } = await import('csv-parse/sync');
  const head = await readHead(path);
  try {
    const options = { delimiter: delimiterIn(firstLineOf(head)), skip_empty_lines: true, to: 1 };
    return (parse(head, options) as string[][])[0] ?? [];
  } catch (error) {
    throw new BadInputError(`${path}:1`, whyNotCsv(error));
  }
}

function createRecord(columns: { name: string; type: ColumnType }[], cells: (string | null)[], row: number) {
  const document: Document = {};
  for (const [index, { name, type }] of columns.entries()) document[name] = cellValue(cells[index] ?? null, type);
  return { document, text: jsonOrEmpty(document), location: `row ${row}` };
}

function cellValue(cell: string | null, type: ColumnType): Json {
  if (cell === null) return null;
  if (type === 'integer' && /^(0|-?[1-9]\d{0,14})$/.test(cell)) return Number(cell);
  if (type === 'number' && /^-?(0|[1-9]\d{0,14})(\.\d{1,17})?$/.test(cell)) return Number(cell);
  if (type === 'boolean' && /^(true|false)$/i.test(cell)) return cell.toLowerCase() === 'true';
  return rawValue(cell);
}

/** Returns the cell delimiter of a CSV file, detected in its first line. */
export const delimiterOf = async (path: string): Promise<string> => delimiterIn(firstLineOf(await readHead(path)));

const firstLineOf = (text: string) => text.split(/\r?\n/, 1)[0]!;

/** Returns the cell delimiter of a header line: the most frequent of comma, semicolon, tab and bar outside quotes. */
export function delimiterIn(line: string): string {
  const header = line.replace(/"[^"]*"/g, '');
  const countOf = (delimiter: string) => header.split(delimiter).length;
  return [',', ';', '\t', '|'].reduce((best, each) => (countOf(each) > countOf(best) ? each : best));
}

const minHeadLength = 65_536; // Bytes read to detect the header.

/** Reads the first line at least. Throws a BadInputError if it is too long, which the parser detects after seconds. */
async function readHead(path: string): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  let hasLineEnd = false;
  for await (const chunk of inputBytes(path)) {
    chunks.push(chunk);
    length += chunk.length;
    hasLineEnd ||= chunk.includes(0x0a) || chunk.includes(0x0d);
    if (hasLineEnd && length >= minHeadLength) break;
    if (length > maxRowChars) throw new BadInputError(`${path}:1`, sizeReason);
  }
  return String(Buffer.concat(chunks)).replace(/^\ufeff/, '');
}

export const csv = {
  name: 'csv',
  mediaType: 'text/csv; charset=utf-8; header=present',
  isText: true,
  isExported: true,
  isApiExport: true,
  rowFormat: (columns, { style }) => csvFormat(columns, style),
  reading: { compressions: ['gz', 'zst'], rank: 3, records: readCsv, columns: readCsvHeader },
} as const satisfies Format;

const tabEscapes: Record<string, string> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\\': '\\\\' };

/** Returns a text as a cell of tab-separated lines with the escapes that PostgreSQL also reads. */
export const tabCell = (text: string): string => text.replace(/[\t\n\r\\]/g, (sign) => tabEscapes[sign]!);

/** Returns tab-separated lines; tabs, line ends and backslashes in cells are written \t, \n, \r, \\; null is empty. */
export const tsvFormat = (names: string[]): RowFormat => delimitedFormat(names, { separator: '\t', quote: tabCell });

export const tsv = {
  name: 'tsv',
  mediaType: 'text/tab-separated-values; charset=utf-8',
  isText: true,
  rowFormat: tsvFormat,
} as const satisfies Format;
