import conjugations from './conjugations.json' with { type: 'json' };
import { fold } from './fold.ts';
import { once } from './once.ts';
import { analyseLexeme } from './prose.ts';

/** Replaces the `ending` of a third-person form by each of `newEndings` (separated by spaces); none for `-`. */
function conjugate(thirdPerson: string, ending: string, newEndings: string): string[] {
  const root = thirdPerson.slice(0, -ending.length);
  return thirdPerson === '-' ? [] : newEndings.split(' ').map((each) => root + each);
}

/** Conjugation models, the models by unaccented ending, and the longest ending; built on first use. */
const loadModels = once(() => {
  // A line has the endings of the infinitive, of imperfect and future in the third person (other persons follow from
  // these; `-` if another line has them), and of other forms. The first line is for all verbs in -er.
  const models = conjugations.map((line) => {
    const [infinitive = '', imperfect = '', future = '', ...otherForms] = line.split(' ');
    return [
      infinitive,
      ...conjugate(imperfect, 'ait', 'ait aient ions iez ons ez ant'),
      ...conjugate(future, 'a', 'a ont ait aient ons ez ions iez ai'),
      ...otherForms,
    ];
  });
  const modelEndings = models.flatMap((model) => [...new Set(model.map(fold))].map((ending) => ({ ending, model })));
  const longest = Math.max(...modelEndings.map(({ ending }) => ending.length));
  return { models, modelsByEnding: Map.groupBy(modelEndings, ({ ending }) => ending), longest };
});

/** A verb that a word may be a form of: tokens of infinitive and forms. `isSure`: no noun has the word's ending. */
export type Verb = { infinitive: string; isSure: boolean; forms: () => string[] };

const minFormLength = 4; // Shortest word that is read as a verb form.
const minSureEnding = 4; // Shortest ending that no noun has.

/** Returns the verbs that a word may be a form of by its ending, longest ending first. */
export function findVerbs(written: string): Verb[] {
  const word = fold(written).replace(/^.*'/, ''); // without an elided word such as l'
  if (word.length < minFormLength || !/^[a-z]+$/.test(word)) return [];
  const { modelsByEnding, longest } = loadModels();
  const verbs = new Map<string, Verb>();
  for (const form of new Set([word, word.replace(/(?<!s)s$/, '')]))
    for (let at = Math.max(0, form.length - longest); at < form.length; at += 1) {
      const ending = form.slice(at);
      for (const { model } of modelsByEnding.get(ending) ?? []) {
        const infinitive = form.slice(0, at) + model[0]!;
        if (infinitive.length < minFormLength || verbs.has(infinitive)) continue;
        const isSure = ending.length >= minSureEnding || ending === model[0];
        verbs.set(infinitive, { infinitive: analyseLexeme(infinitive), isSure, forms: () => formsOf(infinitive) });
      }
    }
  return [...verbs.values()];
}

/** Tokens of all forms that the infinitive's endings allow: protéger has those of -er and of -ger. */
function formsOf(infinitive: string): string[] {
  const ownModels = loadModels().models.filter(([end]) => infinitive.endsWith(end!));
  const forms = ownModels.flatMap((model) => model.map((ending) => infinitive.slice(0, -model[0]!.length) + ending));
  return [...new Set(forms.map(analyseLexeme))];
}
