import type { Document } from '../../src/model/document.ts';
import type { Parameter, Parameters } from '../../src/questions/parameter.ts';

/** Values of parameters, as typed. */
export type Grid = Record<string, string | string[]>;

/** A text that five people signed, which screens fold. */
export const copiesOfOneText: Document[] = ['oceane-bruyevre', 'a', 'b', 'c', 'd'].map((politician, at) => ({
  ...{ id: `copy-${at}`, title: 'Phares', text: 'Le retrait des gardiens de phare.', politician },
  date: '2026-01-01',
}));

/** Words that all, some and none of the records contain, a name, and one with a slip. */
const queries = ['gardiens', 'gardiens xylophage', 'loi', 'Bruyevre', 'Bruyevra'];

/** Values in the demo dataset of parameters whose descriptions give no example. */
const demoValues: Record<string, string[]> = {
  topic: ['retraites', 'transports'],
  politician: ['oceane-bruyevre'],
  party: ['alliance-des-rivages'],
  constituency: ['1'],
  place: ['75001'],
  subject: ['veille'],
};

/** Values of a parameter: its own words and examples, else those of the demo dataset. */
function valuesOf(name: string, { schema }: Parameter): (string | string[])[] {
  const { enum: words = [], items, examples = [], type } = schema as Record<string, unknown[] | undefined>;
  const choices = (items as { enum?: string[] } | undefined)?.enum ?? words;
  if (name === 'q') return queries;
  if (name === 'since' || name === 'until') return ['2024', '2025', '2026-01-15'];
  if ((type as unknown) === 'boolean') return ['true', 'false'];
  if (name === 'margin') return ['20'];
  const own = [...choices.slice(0, 4), ...examples];
  return (own.length > 0 ? own : (demoValues[name] ?? [])).map((each) =>
    Array.isArray(each) ? each.map(String) : String(each),
  );
}

/** What a question needs, then one more value, then each of these beside words. */
export function* gridOf(parameters: Parameters): Generator<Grid> {
  const entries = Object.entries(parameters).filter(([name]) => !['cursor', 'limit', 'k', 'file'].includes(name));
  const needed = entries.filter(([, { isRequired, isPathPart }]) => isRequired || isPathPart);
  const base: Grid = Object.fromEntries(needed.map(([name, each]) => [name, valuesOf(name, each)[0]!]));
  yield base;
  for (const [name, parameter] of entries) {
    for (const value of valuesOf(name, parameter)) {
      yield { ...base, [name]: value };
      // `literal` matters for words that mean more than themselves.
      const q = name === 'literal' ? 'gardiens sans xylophage' : 'gardiens';
      if ('q' in parameters && name !== 'q') yield { ...base, q, [name]: value };
    }
  }
}
