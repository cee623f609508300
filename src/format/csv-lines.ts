import { isUtf8 } from 'node:buffer';
import { BadInputError } from '../errors.ts';
import { type Phrase, say } from '../words/speech.ts';
import { cellText, delimiterIn, whyNotCsv } from './csv.ts';
import { maxRowChars, sizeReason } from './format.ts';
import { prependBytes, readAhead } from './transcoding.ts';

/** A CSV record: parsed cells (none for an empty line), source text, line end, and the number of its first line. */
export type CsvLine = { cells: string[]; text: string; end: string; line: number };

const repairHint = say`fix that line; the incomplete output file was removed, and nothing else was changed`;

/** Reads header and records; `preamble` is the text before them (byte order mark, `sep=`). Throws a BadInputError. */
export async function readCsvLines(source: AsyncIterable<Uint8Array>, name: string) {
  const chunks = source[Symbol.asyncIterator]();
  const firstBytes = await readAhead(
    chunks,
    // One line is enough: an interactive writer waits for output.
    (chunk, length) => length >= maxHeadBytes || (chunk.includes(0x0a) && length > byteOrderMark.length),
  );
  const mark = firstBytes.subarray(0, 3).equals(byteOrderMark) ? '\ufeff' : '';
  const content = mark === '' ? firstBytes : firstBytes.subarray(byteOrderMark.length);
  const firstLine = content.toString('utf8').split(/\r?\n|\r/, 1)[0]!;
  if (firstLine.includes('\0'))
    throw new BadInputError(
      `${name}:1`,
      say`not CSV in UTF-8: it holds U+0000, as UTF-16 and spreadsheets do`,
      say`text in UTF-16 without a byte order mark is read with --encoding utf-16le; save a workbook as CSV first`,
    );
  // Excel declares the delimiter in a line before the header.
  const [, declaredDelimiter] = /^sep=(.)$/i.exec(firstLine) ?? [];
  const delimiter = declaredDelimiter ?? delimiterIn(firstLine);
  const lines = parseLines(content, chunks, { name, delimiter });
  const sepLine = declaredDelimiter === undefined ? '' : await lines.next().then(({ value }) => value.text + value.end);
  const headerLine = await lines.next();
  if (headerLine.done || headerLine.value.cells.length === 0) throw lineError(`${name}:1`, say`holds no header line`);
  return { preamble: mark + sepLine, delimiter, header: headerLine.value, records: lines };
}

/** Returns the text of a record with further cells, after empty cells up to `width`, the number of header cells. */
export function addCells(
  { cells, text, end }: CsvLine,
  newCells: readonly string[],
  { delimiter, width }: { delimiter: string; width: number },
): string {
  const padding = delimiter.repeat(Math.max(0, width - cells.length));
  const newText = newCells.map((each) => `${delimiter}${cellText(each, delimiter)}`).join('');
  return `${text}${padding}${newText}${end}`;
}

/** Returns the error for a malformed line; `location` is `FILE:LINE`. */
export function lineError(location: string, reason: Phrase): BadInputError {
  return new BadInputError(location, reason, repairHint);
}

const byteOrderMark = Buffer.from('\ufeff');
const maxHeadBytes = 65_536;

type ParsedRecord = { record: string[]; info: { bytes: number; lines: number } };

/** Parses records while it keeps the bytes of each, since the parser returns only cells. */
async function* parseLines(
  firstBytes: Buffer,
  chunks: AsyncIterator<Uint8Array>,
  { name, delimiter }: { name: string; delimiter: string },
): AsyncGenerator<CsvLine> {
  const { parse } = await import('csv-parse');
  const { pipeline, Readable } = await import('node:stream');
  let buffered: Buffer[] = [];
  let consumedLength = 0;
  /** Removes and returns the buffered bytes of the next record, which ends at `offset` from the start of the file. */
  const takeBytesTo = (offset: number): Buffer => {
    const bytes = buffered.length === 1 ? buffered[0]! : Buffer.concat(buffered);
    const record = bytes.subarray(0, offset - consumedLength);
    buffered = [bytes.subarray(record.length)];
    consumedLength = offset;
    return record;
  };
  // On an error, the parser drops parsed records that were not read yet; the error is in a later line.
  let parsedLines = 0;
  const parser = parse({
    on_record(record, { lines }) {
      parsedLines = lines;
      return record;
    },
    delimiter,
    info: true,
    relax_column_count: true,
    max_record_size: maxRowChars,
    record_delimiter: firstBytes.includes(0x0a) ? ['\r\n', '\n'] : ['\r\n', '\n', '\r'],
  });
  async function* source() {
    for await (const chunk of prependBytes(firstBytes, chunks)) {
      buffered.push(Buffer.from(chunk));
      yield buffered.at(-1)!;
    }
  }
  // Errors of the source reach the loop below through the parser.
  pipeline(Readable.from(source(), { objectMode: false }), parser, () => {});
  let line = 1;
  try {
    for await (const { record, info } of parser as AsyncIterable<ParsedRecord>) {
      const recordText = decodeRecord(takeBytesTo(info.bytes), `${name}:${line}`);
      const end = /\r?\n$|\r$/.exec(recordText)?.[0] ?? '';
      const text = end === '' ? recordText : recordText.slice(0, -end.length);
      yield { cells: text === '' ? [] : record, text, end, line };
      line = info.lines + 1;
    }
  } catch (error) {
    throw asInputError(error, { name, line: parsedLines + 1 });
  }
}

function decodeRecord(bytes: Buffer, location: string): string {
  const text = bytes.toString('utf8');
  if (isUtf8(bytes)) return text;
  const encoded = Buffer.from(text);
  const position = bytes.findIndex((byte, index) => byte !== encoded[index]);
  const byte = bytes[position]!.toString(16).toUpperCase().padStart(2, '0');
  throw new BadInputError(
    location,
    say`is not UTF-8 text: byte ${position + 1} of that row is 0x${byte}`,
    say`if a spreadsheet wrote the list, try --encoding windows-1252; nothing was changed`,
  );
}

function asInputError(error: unknown, { name, line }: { name: string; line: number }): unknown {
  const location = `${name}:${line}`;
  const code = String((error as { code?: unknown }).code ?? '');
  if (code === 'CSV_MAX_RECORD_SIZE') return lineError(location, sizeReason);
  if (code === 'CSV_QUOTE_NOT_CLOSED') return lineError(location, say`a quote that opens there is never closed`);
  return /^(CSV_|INVALID_)/.test(code) ? lineError(location, whyNotCsv(error)) : error;
}
