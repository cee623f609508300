/** What may be inside a word; signs that only look like part of one are sorted out after folding. */
const inWord = String.raw`[^\s!-&(-/:-@\[-_{-~«»“”„…•·°º№\u2010-\u2015]`;
const letter = '[A-Za-zÀ-ɏ]';
const elided = "(?:[A-Za-z]|[Qq]u)['’]";
const dash = String.raw`[-\u2010-\u2013]`;
const thinSpace = String.raw`[ \u00a0\u2009\u202f]`;
const number = String.raw`(?:\d{1,3}(?:${thinSpace}\d{3}(?!\d)){1,5}|\d+)`;

/** Tried in this order where a word may begin. A repetition is bounded, or is of one sign: no text is slow. */
const kinds = [
  // nearly all words: nothing below begins with three letters
  `${letter}{3}${inWord}*`,
  // 49.3, 50 000, 1er, 20h30
  `${number}(?:(?:[.,]|${dash})${number}){0,15}${inWord}*`,
  // the n° of n° 12
  '[Nn][°º]s?|№',
  // the d' of d'1,5 milliard
  String.raw`${elided}(?=\d)`,
  // the L of L123-4, which others write L. 123-4
  String.raw`(?:[LRDAlrda]|[Ll][Oo])(?=\d{3}|\d{1,2}${dash}\d)`,
  // S.M.I.C., l'O.N.U.
  `(?:${elided})?${letter}(?:\\.${letter}){1,15}(?!${letter})`,
  `${inWord}+`,
];
const lexeme = new RegExp(kinds.join('|'), 'g');

/** Returns the words, numbers and abbreviations of a text as they are written, elisions included, in order. */
export function lexemes(text: string): string[] {
  return text.match(lexeme) ?? [];
}
