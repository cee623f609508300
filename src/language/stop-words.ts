import { fold } from './fold.ts';

/** French stop words, folded; dropped only where a search accepts any of several words. */
const words = [
  'a ai aie aient ait as au aucun aucune aujourd aura auraient aurait aurons auront aussi autre autres aux avaient avait',
  'avec avez avions avoir avons ayant c ca car ce ceci cela celle celles celui ces cet cette ceux chacun chaque chez ci',
  'comme comment d dans de depuis des doit doivent donc dont du elle elles en encore entre es est et etaient etait etant',
  'etc ete etes etions etre eu eux faire fait faites font faut h hui il ils j jamais je jusqu jusque l la laquelle le',
  'lequel les lesquelles lesquels leur leurs lors lorsqu lorsque lui m ma mais me meme memes mes moi moins mon n ne ni',
  'non nos notre nous on ont or ou par parce pas peu peut peuvent plus plutot pour pourquoi pourrait propos puis puisqu',
  'puisque qu quand que quel quelle quelles quelque quelques quels qui quoi rien s sa sans se sera serait seront ses si',
  'soient soit son sont sous suis sujet sur t ta tant te tel telle telles tels tes toi ton tous tout toute toutes tres tu',
  'un une va vers veulent veut veux voici voila vont vos votre vous vu y est-ce',
].flatMap((line) => line.split(' '));

const stopWords = new Set(words);

/** True for a folded stop word. */
export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}

/** Further stop words, in questions only. */
const asking = new Set(
  [
    'afin ainsi alors apres avant concernant contient contre deja dire dis disent dit entend existe falloir faudrait fut',
    'hors ici la-dessus mesure mesures mieux parle parlent parler pendant pense pensent penser place position prevu prevue',
    'prevues prevus propose proposent proposer proposition propositions quid quoique selon sinon sommes tandis tel telle',
    'toujours trop via voudrait vouloir avis dessus eventuellement vraiment surtout notamment',
  ].flatMap((line) => line.split(' ')),
);

/**
 * Actions that apply to any subject (such as a ban or a change): in a question they count less than the
 * subject.
 */
const actions = new Set(
  [
    'abolir accompagner accorder accueillir aider ameliorer annuler appliquer assurer augmenter autoriser baisser changer',
    'combattre controler creer defendre developper diminuer donner durcir elargir eliminer empecher encadrer encourager',
    'etendre eviter facilter faciliter favoriser financer garantir imposer installer instaurer interdire investir lancer',
    'limiter lutter maintenir mettre modifier obliger obtenir offrir organiser payer permettre prendre preserver prevenir',
    'promouvoir proteger punir recevoir reduire reformer refuser remplacer rendre renforcer reorganiser repousser restreindre',
    'sauver sanctionner simplifier soutenir supprimer toucher transformer trouver utiliser verser aide aides soutien lutte',
  ].flatMap((line) => line.split(' ')),
);

/** True for a word, as written, that names an action rather than a subject. */
export function isActionWord(written: string): boolean {
  return actions.has(fold(written));
}

/** True for a word, as written, that says nothing about the subject of a question. */
export function isAskingWord(written: string): boolean {
  const word = fold(written);
  return isStopWord(word) || asking.has(word);
}
