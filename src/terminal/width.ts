import { createRequire } from 'node:module';

/** Characters that are one column wide without a width lookup. */
const plain = /^[ -~\u00a0-\u02ff\u2010-\u2027\u202f-\u205e]*$/;

let measure: ((text: string) => number) | null = null;

/** Returns the columns that a text occupies at a terminal. */
export function displayWidth(text: string): number {
  if (plain.test(text)) return text.length;
  const composed = text.normalize();
  if (plain.test(composed)) return composed.length;
  // Loaded on demand: it initialises ICU. The alias avoids the older string-width of oclif.
  measure ??= createRequire(import.meta.url)('string-width-9').default as (text: string) => number;
  return measure(text);
}

let graphemes: Intl.Segmenter | null = null;

/** Cuts a text to `width` columns, with `…` at the end if cut. */
export function cutToWidth(text: string, width: number): string {
  if (text.length * 2 <= width || displayWidth(text) <= width) return text;
  if (width < 1) return '';
  // Segmenters take milliseconds to create.
  if (plain.test(text)) return `${text.slice(0, width - 1).trimEnd()}…`;
  const [head = ''] = width === 1 ? [] : splitAtWidth(text, width - 1);
  return `${head.trimEnd()}…`;
}

/** Splits a text into pieces of at most `width` columns, also inside words. */
export function splitAtWidth(text: string, width: number) {
  graphemes ??= new Intl.Segmenter();
  const segments = Iterator.from(graphemes.segment(text)).map(({ segment }) => segment);
  return packed(segments, { width, separator: '' });
}

/** Joins pieces to lines of at most `width` columns; a wider piece has a line of its own. */
export function* packed(pieces: Iterable<string>, { width, separator }: { width: number; separator: string }) {
  let line: string | null = null;
  let used = 0;
  for (const piece of pieces) {
    const pieceWidth = displayWidth(piece);
    used += separator.length + pieceWidth;
    if (line !== null && used > width) {
      yield line;
      line = null;
    }
    if (line === null) used = pieceWidth;
    line = line === null ? piece : line + separator + piece;
  }
  yield line ?? '';
}

/** Pads a text to `width` columns. */
export function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}
