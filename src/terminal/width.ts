import { createRequire } from 'node:module';

/** Matches texts of characters that are one column wide. */
const singleWidthPattern = /^[ -~\u00a0-\u02ff\u2010-\u2027\u202f-\u205e]*$/;

let measureWidth: ((text: string) => number) | null = null;

/** Returns the columns that a text occupies at a terminal. */
export function displayWidth(text: string): number {
  if (singleWidthPattern.test(text)) return text.length;
  const composedForm = text.normalize();
  if (singleWidthPattern.test(composedForm)) return composedForm.length;
  // Loaded on demand: it initialises ICU. The alias avoids the older string-width of oclif.
  measureWidth ??= createRequire(import.meta.url)('string-width-9').default as (text: string) => number;
  return measureWidth(text);
}

let graphemeSegmenter: Intl.Segmenter | null = null;

/** Truncates a text to `width` columns; ends with `…` if it was truncated. */
export function truncateToWidth(text: string, width: number): string {
  // A character has at most two columns.
  if (text.length * 2 <= width || displayWidth(text) <= width) return text;
  if (width < 1) return '';
  // Segmenters take milliseconds to create.
  if (singleWidthPattern.test(text)) return `${text.slice(0, width - 1).trimEnd()}…`;
  const [headPiece = ''] = width === 1 ? [] : splitAtWidth(text, width - 1);
  return `${headPiece.trimEnd()}…`;
}

/** Yields pieces of a text of at most `width` columns, split anywhere between characters. */
export function splitAtWidth(text: string, width: number) {
  graphemeSegmenter ??= new Intl.Segmenter();
  const segments = Iterator.from(graphemeSegmenter.segment(text)).map(({ segment }) => segment);
  return packLines(segments, { width, separator: '' });
}

/** Yields lines of at most `width` columns, joined from pieces; a wider piece has its own line. */
export function* packLines(pieces: Iterable<string>, { width, separator }: { width: number; separator: string }) {
  let line: string | null = null;
  let lineWidth = 0;
  for (const piece of pieces) {
    const pieceWidth = displayWidth(piece);
    lineWidth += separator.length + pieceWidth;
    if (line !== null && lineWidth > width) {
      yield line;
      line = null;
    }
    if (line === null) lineWidth = pieceWidth;
    line = line === null ? piece : line + separator + piece;
  }
  yield line ?? '';
}

/** Appends spaces up to `width` columns. */
export function padText(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}
