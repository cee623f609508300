import { markedToken } from './accents.ts';
import { fold } from './fold.ts';

/** The version of every rule in this folder, stored in the mirror: a mirror that holds another number is reindexed. */
export const analyserVersion = 4;

/** Those of the words that are kept which the first two versions did not keep. */
const keptSinceThird = 'doux epais frais gros moins roux'.split(' ');

/** Those that the first version did not keep. */
const keptSince = [
  ...keptSinceThird,
  'bourges capitale colonne coupe course crue france franchise garde grain graine lande loire maine marie marine martine',
  'medecine pluie pointe plaine revue suite surprise trame viole voire banquette cachette francoise',
].flatMap((words) => words.split(' '));

/** Words that the rules would take for another frequent word (la droite, le droit): folded, and in the singular. */
const kept = [
  ...keptSince,
  'armee entree duree maree musee arrete traite retraite bassine seine verse',
  'commune droite faute partie porte sorte vente tribune reine',
  'bois cours fils fois fonds mais mois parce paris peux plus puis sens sous vers',
  'apres pres tres taux faux deux ceux',
].flatMap((words) => words.split(' '));

/** What no rule brings together, beside the words that are kept as they are. */
const exceptions = new Map<string, string>([
  ...kept.map((word): [string, string] => [word, word]),
  ['ans', 'an'],
  ['tous', 'tout'],
  ['yeux', 'oeil'],
  ['cieux', 'ciel'],
  ['maux', 'mal'],
  ['baux', 'bail'],
  ['vieux', 'vieil'],
  ['vieille', 'vieil'],
  ['nouveau', 'nouvel'],
  ['beau', 'bel'],
  ['belle', 'bel'],
  ['bonne', 'bon'],
  ['nulle', 'nul'],
  ['gentille', 'gentil'],
  ['fausse', 'faux'],
  ['douce', 'doux'],
  ['rousse', 'roux'],
  ['grosse', 'gros'],
  ['basse', 'bas'],
  ['epaisse', 'epais'],
  ['fraiche', 'frais'],
  ['jalouse', 'jalou'],
  ['blanche', 'blanc'],
  ['franche', 'franc'],
  ['seche', 'sec'],
  ['breve', 'bref'],
  ['neuve', 'neuf'],
  ['veuve', 'veuf'],
  ['folle', 'fou'],
  ['favorite', 'favori'],
  ['maligne', 'malin'],
  ['benigne', 'benin'],
  ['longue', 'long'],
  ['diverse', 'diver'],
  ['grecque', 'grec'],
  ['turque', 'turc'],
  ['cheffe', 'chef'],
  ['clef', 'clé'],
  ['messieurs', 'monsieu'],
  ['mesdames', 'madam'],
  ['aieux', 'aieul'],
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

/** Of four letters only: élue, amie, unie; not voie, which would become a part of voir. */
const shortFeminine = /(?<=^.[^o][iu])e$/;
const latin = /^[a-z]+$/;

/**
 * Returns the folded word without its plural and its feminine ("europeennes" gives "europeen"), by light rules
 * that leave short words, verbs and whatever is not a to z alone; a final é(e)(s), as `markAccents` marks it, is an é
 * ("adoptées" gives "adopté"). The result is a key, not always a French word.
 */
export function stem(word: string): string {
  const exception = exceptions.get(word);
  if (exception !== undefined) return exception;
  const marked = markedToken(word);
  if (marked !== null) return marked;
  if (word.length < 4 || !latin.test(word)) return word;
  const singular = applyFirst(plurals, word);
  // Nothing else ends so in French: an accent was left out (adoptee).
  const isParticiple = singular.length > 3 && singular.endsWith('ee') && !exceptions.has(singular);
  return isParticiple ? `${singular.slice(0, -2)}é` : masculine(singular);
}

/** What may follow where a word breaks off and its ending is one that the rules change before that: travau-x, entrepris-e. */
const breaks = ['', 'e', 'x', 'u', 'ue', 'ce', 'ice'];

/** Returns the tokens, but for those that begin so themselves, of words that begin with some folded letters. */
export function stemsOfBeginning(letters: string): string[] {
  // Of mau few mean maux, which is mal.
  if (letters.length < 4) return [];
  const stems = breaks.map((rest) => stem(letters + rest)).filter((token) => !token.startsWith(letters));
  return [...new Set(stems)];
}

/** True for a token of a word that the rules would take for another one, and leave as it is. */
export function isKept(token: string): boolean {
  return exceptions.get(token) === token;
}

/** Returns what an earlier version of these rules, of the first three, made of the word that this one makes the token of. */
export function formerStem(token: string, version: string): string {
  if (version === '3') return token;
  const unknown = version === '1' ? keptSince : keptSinceThird;
  if (unknown.includes(token)) return ruled(applyFirst(plurals, token));
  const folded = fold(token);
  return version !== '1' || folded === token ? token : masculine(folded);
}

function masculine(singular: string): string {
  const exception = exceptions.get(singular);
  return exception ?? ruled(singular);
}

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
