import { fold } from './fold.ts';
import { analyseLexeme } from './prose.ts';

/**
 * Endings of all verbs in -er, except the irregular ones and those with e, l, a, t or i before the ending.
 */
const ofEr = 'er e es ent ons ez ait aient ant erent era eront erait eraient é ée'.split(' ');

/**
 * Conjugation models: the ending of an infinitive, then the endings that replace it in texts, without the
 * accents that the index drops.
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

type Ending = { ending: string; model: string[] };

/** Each unaccented ending with its models; built on first use, since few searches need it. */
let endings: { models: Map<string, Ending[]>; longest: number } | null = null;

function readEndings(): NonNullable<typeof endings> {
  const all = models.flatMap((model) =>
    [...new Set(model.map(fold))].map((ending): Ending => ({ ending, model })),
  );
  const longest = Math.max(...all.map(({ ending }) => ending.length));
  return { models: Map.groupBy(all, ({ ending }) => ending), longest };
}

/**
 * A verb that a word may be a form of: tokens of its infinitive and, computed lazily, of its forms. `isSure`
 * if no noun has that ending.
 */
export type Verb = { infinitive: string; isSure: boolean; forms: () => string[] };

/** Shortest word read as a verb form (shorter ones are nouns or signs), and shortest one that may be sure. */
const [leastForm, leastOfSure] = [4, 4];

/**
 * Returns the verbs that a word may be a form of, judged by its ending (interdisent: interdire; content:
 * conter), longest ending first. The caller checks in the index that the verb exists.
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
  for (let at = Math.max(0, word.length - endings.longest); at < word.length; at += 1) {
    const [root, ending] = [word.slice(0, at), word.slice(at)];
    for (const { model } of endings.models.get(ending) ?? []) {
      const infinitive = root + model[0]!;
      if (infinitive.length < leastForm || found.has(infinitive)) continue;
      const isSure = ending.length >= leastOfSure || ending === model[0];
      found.set(infinitive, {
        infinitive: analyseLexeme(infinitive),
        isSure,
        forms: () => formsOf(infinitive),
      });
    }
  }
}

/**
 * Tokens of all forms that the ending of an infinitive allows: protéger has the forms in -er and those in
 * -ger.
 */
function formsOf(infinitive: string): string[] {
  const own = models.filter(([end]) => infinitive.endsWith(end!));
  const forms = own.flatMap((model) =>
    model.map((ending) => infinitive.slice(0, -model[0]!.length) + ending),
  );
  return [...new Set(forms.map(analyseLexeme))];
}
