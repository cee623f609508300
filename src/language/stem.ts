import { markedToken } from './accents.ts';
import { fold } from './fold.ts';
import words from './stem-exceptions.json' with { type: 'json' };

/** Version of all analysis rules in this folder; a mirror of another version is reindexed. */
export const analyserVersion = 4;

const wordsOf = (lines: readonly string[]) => lines.flatMap((line) => line.split(' '));

/** Kept words that are not in version 1 of the rules. */
const keptSinceFirst = wordsOf(words.keptSinceFirst);

/** Words that the rules would confuse with another frequent word (la droite, le droit), and irregular forms. */
const exceptions = new Map<string, string>([
  ...[...keptSinceFirst, ...wordsOf(words.kept)].map((word): [string, string] => [word, word]),
  ...Object.entries(words.forms),
]);

type Rule = { ending: RegExp; least: number; becomes: string };

const plurals: Rule[] = [
  { ending: /eaux$/, least: 4, becomes: 'eau' },
  { ending: /aux$/, least: 5, becomes: 'al' },
  { ending: /([eo]u)x$/, least: 4, becomes: '$1' },
  { ending: /([^s])s$/, least: 4, becomes: '$1' },
];

const genders: Rule[] = [
  { ending: /([td])rice$/, least: 6, becomes: '$1eu' },
  { ending: /eu(?:se|re)$/, least: 6, becomes: 'eu' },
  { ending: /eur$/, least: 5, becomes: 'eu' },
  { ending: /ise$/, least: 7, becomes: 'i' },
  { ending: /([iy])au$/, least: 5, becomes: '$1al' },
  { ending: /ail$/, least: 6, becomes: 'al' },
  { ending: /ive$/, least: 5, becomes: 'if' },
  { ending: /ique$/, least: 6, becomes: 'ic' },
  { ending: /elle$/, least: 6, becomes: 'el' },
  { ending: /ette$/, least: 6, becomes: 'et' },
  { ending: /([aeo])nne$/, least: 6, becomes: '$1n' },
];

/** Feminines of four letters: élue, amie, unie; not voie, which would look like a form of voir. */
const shortFeminine = /(?<=^.[^o][iu])e$/;
const latin = /^[a-z]+$/;

/** Returns the folded word without plural and feminine endings ("europeennes" gives "europeen"), as a key. */
export function stem(word: string): string {
  // A marked é(e)(s) becomes é ("adoptées" gives "adopté"); short words, verbs and letters beyond a to z stay.
  const exception = exceptions.get(word);
  if (exception !== undefined) return exception;
  const marked = markedToken(word);
  if (marked !== null) return marked;
  if (word.length < 4 || !latin.test(word)) return word;
  const singular = applyFirst(plurals, word);
  // Only participles end in -ee: the accent was omitted (adoptee).
  const isParticiple = singular.length > 3 && singular.endsWith('ee') && !exceptions.has(singular);
  return isParticiple ? `${singular.slice(0, -2)}é` : masculine(singular);
}

/** Endings to try after an unfinished word, where a rule changes the letters before them: travau-x, entrepris-e. */
const breaks = ['', 'e', 'x', 'u', 'ue', 'ce', 'ice'];

/** Returns tokens of words that begin with the letters although the tokens do not. */
export function stemsOfBeginning(letters: string): string[] {
  // The three letters mau rarely stand for maux, whose token is mal.
  if (letters.length < 4) return [];
  const stems = breaks.map((suffix) => stem(letters + suffix)).filter((token) => !token.startsWith(letters));
  return [...new Set(stems)];
}

/** True for the token of a word that the rules would confuse with another word. */
export const isKept = (token: string): boolean => exceptions.get(token) === token;

/** Returns the token that version 1 of the rules (program 0.1) gave to the word behind a current token. */
export function formerStem(token: string): string {
  if (keptSinceFirst.includes(token)) return ruled(applyFirst(plurals, token));
  const folded = fold(token);
  return folded === token ? token : masculine(folded);
}

const masculine = (singular: string): string => exceptions.get(singular) ?? ruled(singular);

function ruled(singular: string): string {
  const changed = applyFirst(genders, singular);
  if (changed !== singular) return changed;
  return singular.replace(singular.length > 4 ? /e$/ : shortFeminine, '');
}

function applyFirst(rules: readonly Rule[], word: string): string {
  for (const { ending, least, becomes } of rules) {
    if (word.length >= least && ending.test(word)) return word.replace(ending, becomes);
  }
  return word;
}
