import { fold } from './fold.ts';
import { analyseLexeme } from './prose.ts';

/** Endings of all verbs in -er but the few that are irregular, and of those that put an e, an l, a t or an i before them. */
const ofEr = 'er e es ent ons ez ait aient ant erent era eront erait eraient é ée'.split(' ');

/**
 * How verbs are conjugated: the end of an infinitive, and what stands in its place in the forms that texts have, without the
 * accents that the index leaves out.
 */
const models: string[][] = [
  ofEr,
  ...[
    'ger geons geait geaient geant',
    'eler elle ellent ellera ellerait',
    'eter ette ettent ettera etterait',
    'yer ie ient iera ieront ierait',
    'envoyer enverra enverront enverrait',
    'ir it issent issons issait issaient issant ira iront irait iraient i ie isse',
    'rtir rt rtent rtait rtaient rtira rtirait rti rtie',
    'ntir nt ntent ntait ntaient ntira ntirait nti',
    'rvir rt rvent rvait rvaient rvira rvi rvie',
    'enir ient iennent enait enaient iendra iendront iendrait enu enue ienne enant',
    'vrir vre vrent vrait vraient vrira vert verte vrant',
    'frir fre frent frait fraient frira fert ferte frant',
    'courir court courent courait courra couru',
    'mourir meurt meurent mourait mourra mort',
    'querir quiert quierent querait querra quis quise',
    'eillir eille eillent eillait eillera eilli',
    'fuir fuit fuient fuyait fuira fui',
    'cevoir coit coivent cevait cevaient cevra cu cue',
    'voir voit voient voyait voyaient verra voira vu vue voyant',
    'pouvoir peut peuvent pouvait pouvaient pourra pourront pourrait pourraient puisse',
    'vouloir veut veulent voulait voulaient voudra voudront voudrait voulu veuille',
    'devoir doit doivent devait devaient devra devront devrait devraient dû due',
    'savoir sait savent savait savaient saura sauront saurait sache',
    'valoir vaut valent valait vaudra vaudrait valu',
    'falloir faut fallait faudra faudrait fallu',
    'mouvoir meut meuvent mouvait mouvra mu mue',
    'faire fait font faisait faisaient fera feront ferait feraient fasse faite faisant',
    'dire dit dite disent disait disaient dira dirait dise disant',
    'lire lit lisent lisait lisaient lira lirait lu lue lise lisant',
    'crire crit crite crivent crivait crira crirait crive crivant',
    'uire uit uite uisent uisait uisaient uira uiront uirait uise uisant',
    'mettre met mettent mettait mettaient mettra mettront mettrait mis mise mette mettant',
    'battre bat battent battait battra battu battue',
    'prendre prend prennent prenait prenaient prendra prendront prendrait pris prise prenne prenant',
    ...['endre', 'andre', 'ondre', 'erdre', 'ordre'].map((ending) => {
      const root = ending.slice(0, -2);
      return [
        ending,
        ...'- ent ait aient ra ront rait u ue e ant'.split(' ').map((end) => root + end.replace('-', '')),
      ].join(' ');
    }),
    'indre int inte ignent ignait ignaient indra indrait igne ignant',
    'aitre ait aissent aissait aissaient aitra aitrait u ue aisse aissant',
    'oudre out olvent olvait oudra olu olue',
    'clure clut cluent cluait clura clurait clu clue',
    'uivre uit uivent uivait uivra uivi uivie uivant',
    'vivre vit vivent vivait vivra vecu vivant',
    'croire croit croient croyait croira cru crue',
    'boire boit boivent buvait boira bu bue',
    'vaincre vainc vainquent vaincra vaincu vaincue',
    'rompre rompt rompent rompait rompra rompu rompue',
  ].map((line) => line.split(' ')),
];

type Endings = { modelsOf: Map<string, string[][]>; longest: number };

let endings: Endings | null = null;

/** Each ending of a form, without accents, with the models that have it: made once a verb is asked for, which few searches do. */
function readEndings(): Endings {
  const modelsOf = new Map<string, string[][]>();
  for (const model of models)
    for (const ending of new Set(model.map(fold)))
      modelsOf.set(ending, [...(modelsOf.get(ending) ?? []), model]);
  return { modelsOf, longest: Math.max(...[...modelsOf.keys()].map(({ length }) => length)) };
}

/** A verb that a word may be a form of: the tokens of its infinitive and, once asked for, of its forms; sure where no noun ends so. */
export type Verb = { infinitive: string; isSure: boolean; forms: () => string[] };

/** A shorter word is rather a noun or a sign; a root has a letter more than no verb is without. */
const [leastForm, leastOfSure] = [4, 4];

/**
 * Returns the verbs that a word may be a form of, as far as its end tells (interdisent: interdire; content: conter), those first
 * whose end is the longest. Whether there is such a verb, the index knows.
 */
export function verbsOf(written: string): Verb[] {
  const word = fold(written).replace(/^.*'/, '');
  if (word.length < leastForm || !/^[a-z]+$/.test(word)) return [];
  const found = new Map<string, Verb>();
  for (const form of new Set([word, word.replace(/s$/, '')])) addVerbs(found, form);
  return [...found.values()];
}

function addVerbs(found: Map<string, Verb>, word: string): void {
  endings ??= readEndings();
  const { modelsOf, longest } = endings;
  for (let length = Math.min(longest, word.length); length > 0; length -= 1) {
    const ending = word.slice(-length);
    for (const model of modelsOf.get(ending) ?? []) {
      const root = word.slice(0, -length);
      const infinitive = root + model[0]!;
      if (infinitive.length < leastForm || found.has(infinitive)) continue;
      const isSure = length >= leastOfSure || ending === model[0];
      found.set(infinitive, {
        infinitive: analyseLexeme(infinitive),
        isSure,
        forms: () => formsOf(infinitive),
      });
    }
  }
}

/** The tokens of all forms that an infinitive may have by its end: protéger has those of all in -er beside those in -ger. */
function formsOf(infinitive: string): string[] {
  const own = models.filter(([end]) => infinitive.endsWith(end!));
  const forms = own.flatMap((model) =>
    model.map((ending) => infinitive.slice(0, -model[0]!.length) + ending),
  );
  return [...new Set(forms.map(analyseLexeme))];
}
