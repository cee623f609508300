import { proseTokens } from './prose.ts';
import { isStopWord } from './stop-words.ts';

/** A part of a text: its place (UTF-16 units). */
export type TextPart = { start: number; end: number; text: string };

const minWords = 4;
const maxLength = 5000;
const wordPattern = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu;

const markdownMarks =
  /(?<![\p{L}\p{N}])[*_`]+|[*_`]+(?![\p{L}\p{N}])|\[(?=[^[\]\n]*\]\()|\]\([^()\s]*(?: "[^"\n]*")?\)/gu;

const bullets = /^([ \t]*)[-*+•](?=[ \t])/gmu;

/** The text with blanks in place of emphasis and link targets in Markdown, and U+2029 in place of bullets. */
export const blankMarkdown = (text: string) =>
  text.replace(bullets, '$1\u2029').replace(markdownMarks, (marks) => ' '.repeat(marks.length));

/** The parts of a text that a pattern matches, or its first group with text. */
export const partsIn = ({ text, start }: Pick<TextPart, 'text' | 'start'>, pattern: RegExp): TextPart[] =>
  [...text.matchAll(pattern)].map((match) => {
    const [whole, ...groups] = match;
    const part = groups.find(Boolean) ?? whole;
    const at = start + match.index + whole.indexOf(part);
    return { start: at, end: at + part.length, text: part };
  });

/** Matches paragraphs; an empty line or U+2029 separates them. */
export const paragraphPattern = /\S(?:(?!\n\s*\n|\u2029)[\s\S])*/g;

const quotationPattern = /«((?:[^«»]|«[^«»]*»)*)(?:»|$)|“([^“”]*)(?:”|$)|"([^"]*)"/g;

/** Matches a whole block quotation (`>`) up to the name below it. */
const blockPattern = /^>[\s\S]*?(?=\s[—–]\s*\p{Lu}[^.!?]{0,200}$|$)/gu;

/** Quotations of at least four words and at most 5000 characters, without their marks; else the block quotation. */
export function quotationsIn(paragraph: TextPart): TextPart[] {
  const isLong = ({ text }: TextPart) => text.length <= maxLength && (text.match(wordPattern) ?? []).length >= minWords;
  const quotations = partsIn(paragraph, quotationPattern).filter(isLong);
  return quotations.length > 0 ? quotations : partsIn(paragraph, blockPattern).filter(isLong);
}

/** The words of a text without stop words, as tokens. */
export const contentWords = (text: string): string[] => proseTokens(text).filter((word) => !isStopWord(word));
