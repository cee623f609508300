/** Marks that stand on the character before them, joiners, and the selector of the text form. */
const zeroWidth: readonly [number, number][] = [
  [0x0300, 0x036f],
  [0x200b, 0x200f],
  [0x2060, 0x2060],
  [0x20e3, 0x20e3],
  [0xfe0e, 0xfe0e],
  [0xfeff, 0xfeff],
];

/** The selector that turns the character before it into an emoji, two columns wide. */
const emojiForm = 0xfe0f;

/** Blocks whose characters take two columns (Unicode East Asian Width W and F, and emoji). */
const wide: readonly [number, number][] = [
  [0x1100, 0x115f],
  [0x231a, 0x231b],
  [0x2329, 0x232a],
  [0x23e9, 0x23f3],
  [0x25fd, 0x25fe],
  [0x2614, 0x2615],
  [0x2648, 0x2653],
  [0x267f, 0x267f],
  [0x2693, 0x2693],
  [0x26a1, 0x26a1],
  [0x26aa, 0x26ab],
  [0x26bd, 0x26be],
  [0x26c4, 0x26c5],
  [0x26ce, 0x26ce],
  [0x26d4, 0x26d4],
  [0x26ea, 0x26ea],
  [0x26f2, 0x26f3],
  [0x26f5, 0x26f5],
  [0x26fa, 0x26fa],
  [0x26fd, 0x26fd],
  [0x2705, 0x2705],
  [0x270a, 0x270b],
  [0x2728, 0x2728],
  [0x274c, 0x274c],
  [0x274e, 0x274e],
  [0x2753, 0x2755],
  [0x2757, 0x2757],
  [0x2795, 0x2797],
  [0x27b0, 0x27b0],
  [0x27bf, 0x27bf],
  [0x2b1b, 0x2b1c],
  [0x2b50, 0x2b50],
  [0x2b55, 0x2b55],
  [0x2e80, 0x303e],
  [0x3040, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18aff],
  [0x1aff0, 0x1b2ff],
  [0x1f004, 0x1f004],
  [0x1f0cf, 0x1f0cf],
  [0x1f18e, 0x1f18e],
  [0x1f191, 0x1f19a],
  [0x1f1e6, 0x1f320],
  [0x1f32d, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f7e0, 0x1f7f0],
  [0x1f900, 0x1faff],
  [0x20000, 0x3fffd],
];

/**
 * Columns that a text takes at a terminal. Where terminals disagree (rare marks, sequences of emoji) it is
 * the larger number, so that what was fitted never spills.
 */
export function displayWidth(text: string): number {
  if (/^[ -~\u00a0-\u02ff]*$/.test(text)) return text.length;
  let width = 0;
  for (const step of steps(text)) width += step.width;
  return width;
}

/** The text if it fits into `width` columns, otherwise its beginning and `…`. */
export function shorten(text: string, width: number): string {
  if (text.length * 2 <= width || displayWidth(text) <= width) return text;
  if (width < 1) return '';
  let used = 1;
  let kept = '';
  for (const step of steps(text)) {
    used += step.width;
    if (used > width) break;
    kept += step.character;
  }
  return `${kept.trimEnd()}…`;
}

/** The text followed by the spaces that bring it to `width` columns. */
export function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

function* steps(text: string): Generator<{ character: string; width: number }> {
  let before = 1;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    const width = code === emojiForm ? 2 - before : widthOf(code);
    yield { character, width };
    if (width > 0) before = code === emojiForm ? 2 : width;
  }
}

function widthOf(code: number): 0 | 1 | 2 {
  if (code < 0x0300) return 1;
  if (isIn(zeroWidth, code)) return 0;
  return code >= 0x1100 && isIn(wide, code) ? 2 : 1;
}

function isIn(ranges: readonly [number, number][], code: number): boolean {
  return ranges.some(([first, last]) => code >= first && code <= last);
}
