/** The version of every rule in this folder, stored in the mirror: a mirror that holds another number is reindexed. */
export const analyserVersion = 1;

/** Words that the rules would take for another frequent word (la droite, le droit): folded, and in the singular. */
const kept = [
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
  ['blanche', 'blanc'],
  ['franche', 'franc'],
  ['longue', 'long'],
  ['diverse', 'diver'],
  ['grecque', 'grec'],
  ['turque', 'turc'],
  ['cheffe', 'chef'],
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
 * that leave short words, verbs and whatever is not a to z alone; the result is a key, not always a French word.
 */
export function stem(word: string): string {
  const exception = exceptions.get(word);
  if (exception !== undefined) return exception;
  if (word.length < 4 || !latin.test(word)) return word;
  const singular = applyFirst(plurals, word);
  return exceptions.get(singular) ?? masculine(shortParticiple(singular));
}

/** Participles end in one e or in two once folded (adopté, adoptée): the feminine goes the way of the other. */
function shortParticiple(singular: string): string {
  return singular.length > 4 && singular.endsWith('ee') ? singular.slice(0, -1) : singular;
}

function masculine(singular: string): string {
  const exception = exceptions.get(singular);
  if (exception !== undefined) return exception;
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
