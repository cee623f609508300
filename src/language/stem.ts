import { markedToken } from './accents.ts';
import words from './stem-exceptions.json' with { type: 'json' };

/** Version of all analysis rules in this folder; a mirror of another version is reindexed. */
export const analyserVersion = 4;

/** Tokens of irregular forms, and of words that stemming would merge with another frequent word (droite with droit). */
const exceptions = new Map<string, string>([
  ...words.unstemmed.flatMap((line) => line.split(' ')).map((word): [string, string] => [word, word]),
  ...Object.entries(words.forms),
]);

type Rule = { ending: RegExp; minLength: number; replacement: string };

const pluralRules: Rule[] = [
  { ending: /eaux$/, minLength: 4, replacement: 'eau' },
  { ending: /aux$/, minLength: 5, replacement: 'al' },
  { ending: /([eo]u)x$/, minLength: 4, replacement: '$1' },
  { ending: /([^s])s$/, minLength: 4, replacement: '$1' },
];

const derivationRules: Rule[] = [
  { ending: /([td])rice$/, minLength: 6, replacement: '$1eu' },
  { ending: /eu(?:se|re)$/, minLength: 6, replacement: 'eu' },
  { ending: /eur$/, minLength: 5, replacement: 'eu' },
  { ending: /ise$/, minLength: 7, replacement: 'i' },
  { ending: /([iy])au$/, minLength: 5, replacement: '$1al' },
  { ending: /ail$/, minLength: 6, replacement: 'al' },
  { ending: /ive$/, minLength: 5, replacement: 'if' },
  { ending: /ique$/, minLength: 6, replacement: 'ic' },
  { ending: /elle$/, minLength: 6, replacement: 'el' },
  { ending: /ette$/, minLength: 6, replacement: 'et' },
  { ending: /([aeo])nne$/, minLength: 6, replacement: '$1n' },
];

/** Feminines of four letters: élue, amie, unie; not voie, which would look like a form of voir. */
const shortFeminine = /(?<=^.[^o][iu])e$/;
const latinWord = /^[a-z]+$/;

/** Returns the token of a folded word: without plural and feminine endings ("europeennes" gives "europeen"). */
export function stem(word: string): string {
  const exception = exceptions.get(word);
  if (exception !== undefined) return exception;
  // Before folding, `markAccents` replaced a final é, ée or ées by a marker, whose token ends in é.
  const tokenOfMarked = markedToken(word);
  if (tokenOfMarked !== null) return tokenOfMarked;
  if (word.length < 4 || !latinWord.test(word)) return word;
  const singular = applyFirst(pluralRules, word);
  // A final -ee is a participle in -ée whose accent was omitted (adoptee), unless it is an exception (musee).
  const isParticiple = singular.length > 3 && singular.endsWith('ee') && !exceptions.has(singular);
  return isParticiple ? `${singular.slice(0, -2)}é` : stripDerivation(singular);
}

/** Endings that may follow an unfinished word where a rule changes the letters before them: travau-x, entrepris-e. */
const possibleEndings = ['', 'e', 'x', 'u', 'ue', 'ce', 'ice'];

/** Returns tokens of words that begin with `letters` where stemming changes those letters: travail for travau. */
export function stemsOfPrefix(letters: string): string[] {
  // Shorter prefixes are ambiguous: mau rarely stands for maux, whose token is mal.
  if (letters.length < 4) return [];
  const stems = possibleEndings.map((suffix) => stem(letters + suffix)).filter((token) => !token.startsWith(letters));
  return [...new Set(stems)];
}

/** True for the token of a word that is never stemmed, since it would be confused with another word. */
export const isUnstemmed = (token: string): boolean => exceptions.get(token) === token;

function stripDerivation(singular: string): string {
  const exception = exceptions.get(singular);
  if (exception !== undefined) return exception;
  const changed = applyFirst(derivationRules, singular);
  return changed === singular ? singular.replace(singular.length > 4 ? /e$/ : shortFeminine, '') : changed;
}

function applyFirst(rules: readonly Rule[], word: string): string {
  for (const { ending, minLength, replacement } of rules) {
    if (word.length >= minLength && ending.test(word)) return word.replace(ending, replacement);
  }
  return word;
}
