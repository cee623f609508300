import { fold } from './fold.ts';

const maxFormLength = 200; // characters
const maxWords = 16; // of a long form

const linkWords = new Set('a au aux d de des du en et l la le les par pour sur un une'.split(' '));

/** True for a folded preposition, article or conjunction: l', sur and la of l'impôt sur la fortune. */
export const isLinkWord = (word: string): boolean => linkWords.has(word);

/** An acronym without points, and its long form as words separated by spaces, both folded. */
export type Acronym = { short: string; long: string };

/** Returns acronyms defined as "the long form (TLF)": its initials, apart from some link words, are the acronym. */
export function acronymsIn(text: string): Acronym[] {
  if (!text.includes('(')) return [];
  const acronyms = new Map<string, Acronym>();
  for (const { 1: acronym = '', index } of text.matchAll(/\((\p{Lu}[\p{L}\p{N}&.-]{1,9})\)/gu)) {
    const short = fold(acronym).replace(/[^a-z0-9]/g, '');
    if (short.length < 2 || !/\p{Lu}.*\p{Lu}/u.test(acronym)) continue;
    const long = longForm(short, text.slice(Math.max(0, index - maxFormLength), index));
    if (long !== null) acronyms.set(`${short} ${long}`, { short, long });
  }
  return [...acronyms.values()];
}

/** The long form of an acronym at the end of the text before it; null if the initials do not match. */
function longForm(short: string, textBefore: string): string | null {
  // A name does not cross the end of a sentence or a parenthesis.
  // Match initials to letters from the end. A link word may have no letter; any other mismatch ends the search.
  const words = (fold(textBefore.split(/[.;:!?()«»"\n]/).at(-1)!).match(/[\p{L}\p{N}]+/gu) ?? []).slice(-maxWords);
  let letterIndex = short.length - 1;
  let linkStart = -1;
  for (let at = words.length - 1; at >= 0; at -= 1) {
    const isLink = linkWords.has(words[at]!);
    const hasLetter = words[at]![0] === short[letterIndex];
    if (!hasLetter && !isLink) break;
    if (!hasLetter) continue;
    if (letterIndex > 0) letterIndex -= 1;
    else if (!isLink) return words.slice(at).join(' ');
    else if (linkStart < 0) linkStart = at; // used only if no other word has the first letter: La France insoumise
  }
  return linkStart < 0 ? null : words.slice(linkStart).join(' ');
}
