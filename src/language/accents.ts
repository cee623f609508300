import { fold } from './fold.ts';
import lines from './told-apart.json' with { type: 'json' };

/** Markers for a final é, and for an accent that distinguishes two words. */
const [finalE, apart] = ['ɇ', 'ɏ'];

const plain = /^[\0-\x7f]*$/;
/** Letters of French words and names, each a single character in both cases. */
const letters = /^[A-Za-zÀ-ÖØ-ÞßŒœà-öø-ÿ]+$/;
const run = /[\p{L}\p{M}]+/gu;
const endsInE = /é(?:e?s?)$/;
/** Nouns in -ée that are no participles (armée, armé); they keep both e. */
const nounInEe = /^(?:arm|entr|dur|mar|mus)ées?$/;

/** Words that differ from another word only by an accent, other than a final é, with their inflected forms. */
const distinguishedForms = lines.map((forms) => forms.split(' '));

const tokenOf = new Map(distinguishedForms.flatMap((forms) => forms.map((form) => [form, forms[0]!] as const)));
const markedOf = new Map([...tokenOf.keys()].map((form) => [form, `${fold(form)}${apart}`] as const));
const accentedOf = new Map([...tokenOf.keys()].map((form) => [fold(form), form] as const));
const tokenOfMarked = new Map([...tokenOf].map(([form, token]) => [markedOf.get(form)!, token] as const));

/** Marks each accent that distinguishes two words (adoptées, côte), so that `fold` keeps it; ASCII stays unchanged. */
export function markAccents(text: string): string {
  if (plain.test(text)) return text;
  return isLetters(text) ? markWord(text) : text.normalize('NFC').replace(run, markWord);
}

function markWord(written: string): string {
  const word = written.toLowerCase();
  if (nounInEe.test(word)) return word;
  return markedOf.get(word) ?? word.replace(endsInE, finalE);
}

/** True for ASCII text. */
export const isPlain = (text: string): boolean => plain.test(text);

/** True if the text is one word of Latin letters. */
export const isLetters = (text: string): boolean => letters.test(text);

/** Returns the token of a folded word with a marker; null without one. */
export function markedToken(word: string): string | null {
  if (word.endsWith(finalE)) return `${word.slice(0, -1)}é`;
  return tokenOfMarked.get(word) ?? null;
}

/** Returns the tokens of accent-distinguished words that begin with `typed`: côte for both côt and cot. */
export function distinguishedTokensOf(typed: string): string[] {
  const beginning = typed.normalize('NFC').toLowerCase();
  const startsAsTyped = (form: string) => (plain.test(beginning) ? fold(form) : form).startsWith(beginning);
  return distinguishedForms.filter((forms) => forms.some(startsAsTyped)).map(([token]) => token!);
}

const mostSpellings = 8;

/** Returns at most 8 spellings of a query with omitted accents restored (marche: marché). */
export function otherSpellings(text: string): string[] {
  const composed = text.normalize('NFC');
  let spellings = [''];
  let from = 0;
  for (const { 0: written, index } of composed.matchAll(run)) {
    const between = composed.slice(from, index);
    const forms = [written, ...withAccents(written.toLowerCase()).filter((other) => other !== written)];
    spellings = forms.flatMap((form) => spellings.map((before) => before + between + form));
    spellings.length = Math.min(spellings.length, mostSpellings + 1);
    from = index + written.length;
  }
  const suffix = composed.slice(from);
  return spellings.slice(1).map((spelling) => spelling + suffix);
}

function withAccents(word: string): string[] {
  if (!plain.test(word)) return [];
  const participle = word.length > 2 && /[^e]es?$/.test(word) ? [word.replace(/es?$/, 'é')] : [];
  const accentedForm = accentedOf.get(word);
  return accentedForm === undefined ? participle : [accentedForm, ...participle];
}
