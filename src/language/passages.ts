import { proseTokens } from './prose.ts';
import { isStopWord } from './stop-words.ts';

/** A part of a text: its range in UTF-16 units and its text. */
export type TextPart = { start: number; end: number; text: string };

/** Fewest words and most characters of a quotation. */
const minWords = 4;
const maxChars = 5000;
/** Matches words, with apostrophes and hyphens inside. */
export const wordPattern = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu;

const markdownMarks =
  /(?<![\p{L}\p{N}])[*_`]+|[*_`]+(?![\p{L}\p{N}])|\[(?=[^[\]\n]*\]\()|\]\([^()\s]*(?: "[^"\n]*")?\)/gu;

const bulletPattern = /^([ \t]*)[-*+•](?=[ \t])/gmu;

/** The text with blanks in place of emphasis and link targets in Markdown, and U+2029 in place of bullets. */
export const blankMarkdown = (text: string) =>
  text.replace(bulletPattern, '$1\u2029').replace(markdownMarks, (marks) => ' '.repeat(marks.length));

/** The parts of a text that a pattern matches; of a match with groups, only the first group with text. */
export const partsIn = ({ text, start }: Pick<TextPart, 'text' | 'start'>, pattern: RegExp): TextPart[] =>
  [...text.matchAll(pattern)].map((match) => {
    const [whole, ...groups] = match;
    const part = groups.find(Boolean) ?? whole;
    const at = start + match.index + whole.indexOf(part);
    return { start: at, end: at + part.length, text: part };
  });

/** Matches paragraphs; an empty line or U+2029 separates them. */
export const paragraphPattern = /\S(?:(?!\n\s*\n|\u2029)[\s\S])*/g;

/** Matches sentences within paragraphs, with marks that close them; the full stop of an abbreviation ends none. */
export const sentencePattern =
  /\S.*?(?:[.!?…](?<!(?<!\p{L})(?:MM?|M[ml]es?|D[rs]|[Aa]rt|[Aa]l|[Nn]os?|n|cf|pp?|vol|chap|\p{Lu})\.)(?:\s?[»”")\]])*(?=\s+[«“"(]?\s?[\p{Lu}\d])|(?=\n\s*\n|\u2029)|$)/gsu;

const quotationPattern = /«((?:[^«»]|«[^«»]*»)*)(?:»|$)|“([^“”]*)(?:”|$)|"([^"]*)"/g;

/** Matches a whole block quotation (`>`) up to the name below it. */
const blockQuotationPattern = /^>[\s\S]*?(?=\s[—–]\s*\p{Lu}[^.!?]{0,200}$|$)/gu;

/** Matches what attributes a quotation: a dash or parenthesis after it, or a verb of speech. */
const attributionPattern =
  /^[\s»”",.]*[—–(]|\b(?:dit|dis(?:ai[st]|ent)|déclar|affirm|estim|assur|lanc|répond|répliqu|expliqu|soulign|rappel|jug|annonc|ajout|confi|insist|écri|selon|d['’]après|said|says?|told|wrote|added|according)/iu;
const clauseCharacter = String.raw`(?:\b(?:MM?|Mr|Mrs|Ms)\.|[^.!?…«»“”"])`;

/** The clause after or before a quotation that attributes it to a person; empty if neither does. */
function attributionOf({ start, text }: TextPart, quote: TextPart): string {
  const [after] = new RegExp(`^[\\s»”",.]*${clauseCharacter}{0,200}`, 'u').exec(text.slice(quote.end - start))!;
  const [before] = new RegExp(`${clauseCharacter}{0,200}[«“"]?\\s*$`, 'u').exec(text.slice(0, quote.start - start))!;
  return [after, before].find((each) => attributionPattern.test(each)) ?? '';
}

/** Quotations, cut out of their marks, of 4 words to 5000 characters, else the block quotation; with attributions. */
export function quotationsIn(paragraph: TextPart) {
  const isValid = ({ text }: TextPart) => text.length <= maxChars && (text.match(wordPattern) ?? []).length >= minWords;
  const quotations = partsIn(paragraph, quotationPattern).filter(isValid);
  const parts = quotations.length > 0 ? quotations : partsIn(paragraph, blockQuotationPattern).filter(isValid);
  return parts.map((part) => ({ ...part, attribution: attributionOf(paragraph, part) }));
}

/** The words of a text without stop words, as tokens. */
export const contentWords = (text: string): string[] => proseTokens(text).filter((word) => !isStopWord(word));
