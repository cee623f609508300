import formLists from './accent-distinguished.json' with { type: 'json' };
import { fold } from './fold.ts';
import { once } from './once.ts';

const finalEMark = 'ɇ'; // Marker for a final é.
const accentMark = 'ɏ'; // Marker for an accent that distinguishes two words.

const asciiText = /^[\0-\x7f]*$/;
/** Letters of French words and names, each a single character in both cases. */
const latinWord = /^[A-Za-zÀ-ÖØ-ÞßŒœà-öø-ÿ]+$/;
const letterRun = once(() => /[\p{L}\p{M}]+/gu);
const participleEnding = /é(?:e?s?)$/;
/** Nouns in -ée that are not participles (armée, musée): they get no marker. */
const nounInEe = /^(?:arm|entr|dur|mar|mus)ées?$/;

/** Forms of each word that only an accent other than a final é distinguishes (côte, cote); the first is its token. */
const distinguishedForms = formLists.map((forms) => forms.split(' '));

// For the form côtes: token côte, marked cotesɏ, folded cotes.
const tokenByForm = new Map(distinguishedForms.flatMap((forms) => forms.map((form) => [form, forms[0]!] as const)));
const markedByForm = new Map([...tokenByForm.keys()].map((form): [string, string] => [form, fold(form) + accentMark]));
const formByFolded = new Map([...tokenByForm.keys()].map((form) => [fold(form), form] as const));
const tokenByMarked = new Map([...tokenByForm].map(([form, token]) => [markedByForm.get(form)!, token] as const));

/** Replaces accents that distinguish words (adoptées, côte) by markers, which `fold` keeps; ASCII stays unchanged. */
export function markAccents(text: string): string {
  if (asciiText.test(text)) return text;
  return isLetters(text) ? markWord(text) : text.normalize('NFC').replace(letterRun(), markWord);
}

function markWord(original: string): string {
  const word = original.toLowerCase();
  if (nounInEe.test(word)) return word;
  return markedByForm.get(word) ?? word.replace(participleEnding, finalEMark);
}

/** True for ASCII text. */
export const isAscii = (text: string): boolean => asciiText.test(text);

/** True if the text is one word of Latin letters. */
export const isLetters = (text: string): boolean => latinWord.test(text);

/** Returns the token of a folded word with a marker; null without one. */
export function markedToken(word: string): string | null {
  if (word.endsWith(finalEMark)) return `${word.slice(0, -1)}é`;
  return tokenByMarked.get(word) ?? null;
}

/** Returns tokens of accent-distinguished words with a prefix; an ASCII prefix ignores accents: cot gives côte. */
export function distinguishedTokensOf(prefix: string): string[] {
  const lowerPrefix = prefix.normalize('NFC').toLowerCase();
  const startsAsTyped = (form: string) => (asciiText.test(lowerPrefix) ? fold(form) : form).startsWith(lowerPrefix);
  return distinguishedForms.filter((forms) => forms.some(startsAsTyped)).map(([token]) => token!);
}

const maxSpellings = 8;

/** Returns at most 8 spellings of a query with omitted accents restored (marche: marché). */
export function otherSpellings(text: string): string[] {
  const composed = text.normalize('NFC');
  let spellings = ['']; // Of the text before `from`; the first is the text itself.
  let from = 0;
  for (const { 0: written, index } of composed.matchAll(letterRun())) {
    const between = composed.slice(from, index);
    const forms = [written, ...withAccents(written.toLowerCase()).filter((other) => other !== written)];
    spellings = forms.flatMap((form) => spellings.map((before) => before + between + form));
    spellings.length = Math.min(spellings.length, maxSpellings + 1);
    from = index + written.length;
  }
  return spellings.slice(1).map((spelling) => spelling + composed.slice(from));
}

/** The accent-distinguished word and the participle that an ASCII word may be if its accents were omitted. */
function withAccents(word: string): string[] {
  if (!asciiText.test(word)) return [];
  const participle = word.length > 2 && /[^e]es?$/.test(word) ? [word.replace(/es?$/, 'é')] : [];
  const accentedForm = formByFolded.get(word);
  return accentedForm === undefined ? participle : [accentedForm, ...participle];
}
