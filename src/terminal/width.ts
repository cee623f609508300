import { createRequire } from 'node:module';

/** Latin letters, and the punctuation of French and English: a column each, without asking what a grapheme is. */
const plain = /^[ -~\u00a0-\u02ff\u2010-\u2027\u2030-\u205e]*$/;

let measure: ((text: string) => number) | null = null;

/** Columns that a text takes at a terminal. */
export function displayWidth(text: string): number {
  if (plain.test(text)) return text.length;
  // Loading it wakes ICU, which a start without such a text is spared. Under that name, because oclif and cli-table3 are
  // bundled with an older one of their own.
  measure ??= createRequire(import.meta.url)('string-width-9').default as (text: string) => number;
  return measure(text);
}

let graphemes: Intl.Segmenter | null = null;

/** The text if it fits into `width` columns, otherwise its beginning and `…`. */
export function cutToWidth(text: string, width: number): string {
  if (text.length * 2 <= width || displayWidth(text) <= width) return text;
  if (width < 1) return '';
  graphemes ??= new Intl.Segmenter();
  let used = 1;
  let kept = '';
  for (const { segment } of graphemes.segment(text)) {
    used += displayWidth(segment);
    if (used > width) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** The text in pieces of at most `width` columns, wherever its words end. */
export function splitAtWidth(text: string, width: number): string[] {
  if (displayWidth(text) <= width) return [text];
  graphemes ??= new Intl.Segmenter();
  const pieces: string[] = [];
  let piece = '';
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    const taken = displayWidth(segment);
    if (piece !== '' && used + taken > width) {
      pieces.push(piece);
      piece = '';
      used = 0;
    }
    piece += segment;
    used += taken;
  }
  return [...pieces, piece];
}

/** The text followed by the spaces that bring it to `width` columns. */
export function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}
