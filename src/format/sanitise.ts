/** Code point ranges of control and invisible characters, without tab and newline. */
const hiddenRanges: readonly [number, number][] = [
  [0x00, 0x08], // C0
  [0x0b, 0x1f], // C0, escape
  [0x7f, 0x9f], // delete, C1
  [0xad, 0xad], // soft hyphen
  [0x034f, 0x034f], // grapheme joiner
  [0x061c, 0x061c], // Arabic letter mark
  [0x180e, 0x180e], // Mongolian vowel separator
  [0x200b, 0x200f], // zero-width, direction marks
  [0x2028, 0x202e], // line separators, bidi embeddings and overrides
  [0x2060, 0x206f], // word joiner, invisible operators, bidi isolates
  [0xfeff, 0xfeff], // byte order mark
  [0xfff9, 0xfffb], // interlinear annotation
  [0xe0000, 0xe007f], // tags
];

const codePoint = (code: number) => `\\u{${code.toString(16)}}`;
const ranges = hiddenRanges.map(([first, last]) => `${codePoint(first)}-${codePoint(last)}`).join('');
const hiddenPattern = new RegExp(`[${ranges}]|\\p{Cs}`, 'u');
const allHiddenPattern = new RegExp(hiddenPattern.source, 'gu');
const loneSurrogate = /^\p{Cs}$/u;

/** Removes control and invisible characters; keeps newlines and tabs. */
export function sanitise(text: string): string {
  if (!hiddenPattern.test(text)) return text; // Most texts need no change.
  return text.replace(allHiddenPattern, (match) => (loneSurrogate.test(match) ? '\ufffd' : ''));
}

/** Sanitises a text to one trimmed line with single spaces. */
export function sanitiseLine(text: string): string {
  return sanitise(/[^\S ]|\s\s|^\s|\s$/.test(text) ? text.replace(/\s+/g, ' ').trim() : text);
}

/** Like `sanitiseLine`, but keeps the no-break spaces of French. */
export const sanitiseProse = (text: string): string => sanitise(text.replace(/[^\S\u00a0\u202f]+/g, ' ').trim());

/** Sanitises a text; every line end becomes a newline, and a tab a space. */
export function sanitiseText(text: string): string {
  return sanitise(text.replace(/\r\n?|\u2028|\u2029/g, '\n')).replaceAll('\t', ' ');
}

/** Escapes hidden characters in JSON text as \uXXXX; the values stay the same. */
export function escapeHidden(json: string): string {
  if (!hiddenPattern.test(json)) return json;
  const escapeUnit = (_: string, at: number, all: string) => `\\u${all.charCodeAt(at).toString(16).padStart(4, '0')}`;
  // By UTF-16 unit: code points beyond U+FFFF become pairs.
  return json.replace(allHiddenPattern, (match) => match.replace(/[\s\S]/g, escapeUnit));
}

/** Quotes words for a POSIX shell; double quotes for words with an apostrophe and no special characters. */
export function shellLine(words: readonly string[]): string {
  const quoteWord = (word: string) =>
    /^[^"$`\\!]*'[^"$`\\!]*$/.test(word) ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
  return words.map((word) => (/^[\p{L}\p{M}\w@%+=:,./-]+$/u.test(word) ? word : quoteWord(word))).join(' ');
}

/** Returns at most `maxLength` UTF-16 units of a text, without splitting a surrogate pair. */
export function truncateText(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '');
}
