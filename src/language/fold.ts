const foldedText = /^[a-z0-9 '-]*$/;
const apostrophes = /[\u2018-\u201b\u2032\u02b9\u02bb-\u02bd\u00b4`\ua78b\ua78c]/g;
const dashes = /[\u2010-\u2015\u2212\ufe58\ufe63]/g;
const combiningMarks = /[\u0300-\u036f\ufe00-\ufe0f]+/g;
const asciiLetters: Record<string, string> = {
  œ: 'oe',
  æ: 'ae',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ß: 'ss',
  þ: 'th',
};
const nonDecomposableLetter = new RegExp(`[${Object.keys(asciiLetters).join('')}]`, 'g');

/** Control, zero-width, bidi and other invisible characters, except white space. */
const invisibleCharacters =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it matches
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: a mark alone is meant
  /[\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** Returns the text without invisible characters; keeps tabs and line ends. */
export const stripInvisible = (text: string): string => text.replace(invisibleCharacters, '');

/** Returns lower-case NFKC with ASCII apostrophes and hyphens, without accents, ligatures and invisible characters. */
export function fold(text: string): string {
  if (foldedText.test(text)) return text;
  // NFKC would turn º and № into letters, and ´ into a space with an accent.
  return stripInvisible(text)
    .replaceAll('º', '°')
    .replaceAll('№', 'n°')
    .replace(apostrophes, "'")
    .replace(dashes, '-')
    .normalize('NFKD')
    .toLowerCase()
    .replace(combiningMarks, '')
    .normalize('NFC')
    .replace(nonDecomposableLetter, (letter) => asciiLetters[letter] ?? letter)
    .toWellFormed();
}

const maxTokenLength = 64;

/** Returns the token cut at 64 UTF-16 units, never inside a surrogate pair. */
export function truncateToken(token: string): string {
  return token.length > maxTokenLength ? token.slice(0, maxTokenLength).replace(/[\ud800-\udbff]$/, '') : token;
}

/** Compares texts by code unit, the same in every locale. */
export const byCodeUnit = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** Returns the longest common prefix of two texts. */
export function commonPrefix(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length);
}

/** The first two letters of a folded word; all forms of a word and its token share them. */
export const firstTwoLetters = (word: string): string => fold(word.slice(0, 2)).slice(0, 2);
