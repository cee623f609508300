import { fold } from './fold.ts';
import lines from './told-apart.json' with { type: 'json' };

/** Placeholder letters for a final é, and for an accent that tells two words apart. */
const [finalE, apart] = ['ɇ', 'ɏ'];

const plain = /^[\0-\x7f]*$/;
/** Letters of French words and names, each a single character in lower and upper case. */
const letters = /^[A-Za-zÀ-ÖØ-ÞßŒœà-öø-ÿ]+$/;
const run = /[\p{L}\p{M}]+/gu;
const endsInE = /é(?:e?s?)$/;
/** Nouns in -ée that are not participles (armée, armé); they keep both e. */
const nounInEe = /^(?:arm|entr|dur|mar|mus)ées?$/;

/** Words that differ from another only by an accent, other than in a final é, with their inflected forms. */
const distinguishedForms = lines.map((forms) => forms.split(' '));

const tokenOf = new Map(distinguishedForms.flatMap((forms) => forms.map((form) => [form, forms[0]!] as const)));
const markedOf = new Map([...tokenOf.keys()].map((form) => [form, `${fold(form)}${apart}`] as const));
const accentedOf = new Map([...tokenOf.keys()].map((form) => [fold(form), form] as const));
const tokenOfMarked = new Map([...tokenOf].map(([form, token]) => [markedOf.get(form)!, token] as const));

/**
 * Returns the text with a marker for every accent that distinguishes two words (a final é, ée, és or ées;
 * côte, sûr), so that folding keeps it; plain ASCII is returned unchanged.
 */
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

/** True for a text that is one word of Latin letters and nothing else. */
export const isLetters = (text: string): boolean => letters.test(text);

/** Returns the token of a folded word that carries a marker; null if it carries none. */
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

/** Returns spellings of a query with accents that may have been omitted (marche: marché), at most 8. */
export function otherSpellings(text: string): string[] {
  return spell(text.normalize('NFC'), (word) => (plain.test(word) ? withAccents(word) : []));
}

/** Every combination of the words and their alternatives, except the text itself. */
function spell(text: string, othersOf: (word: string) => string[]): string[] {
  let spellings = [''];
  let from = 0;
  for (const { 0: written, index } of text.matchAll(run)) {
    const between = text.slice(from, index);
    const forms = [written, ...othersOf(written.toLowerCase()).filter((other) => other !== written)];
    spellings = forms.flatMap((form) => spellings.map((before) => before + between + form));
    spellings.length = Math.min(spellings.length, mostSpellings + 1);
    from = index + written.length;
  }
  const suffix = text.slice(from);
  return spellings.slice(1).map((spelling) => spelling + suffix);
}

function withAccents(word: string): string[] {
  const participle = word.length > 2 && /[^e]es?$/.test(word) ? [word.replace(/es?$/, 'é')] : [];
  const accentedForm = accentedOf.get(word);
  return accentedForm === undefined ? participle : [accentedForm, ...participle];
}
