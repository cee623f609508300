import { beginningOf } from './fold.ts';
import { firstToken } from './prose.ts';
import relatives from './relatives.json' with { type: 'json' };

/*
 * relatives.json: `families` group a noun with learned words for the same thing that share no stem with it,
 * because French borrowed them from Latin or Greek. `everyday` maps a common word to the terms that laws,
 * programmes and debates use, never the reverse.
 */

/** A mapping from one word of the tables to its related words. */
type Lead = { from: string; to: readonly string[] };

/** All mappings by the first letters of their words, built on first use. */
let leads: Map<string, Lead[]> | null = null;

function leadsByBeginning(): Map<string, Lead[]> {
  const all = [
    // A noun maps to all words of its family, each of these only to the noun.
    ...wordsOf(relatives.families).flatMap(([from = '', ...to]) => [
      { from, to },
      ...to.map((other) => ({ from: other, to: [from] })),
    ]),
    ...wordsOf(relatives.everyday).map(([from = '', ...to]) => ({ from, to })),
  ];
  return Map.groupBy(all, ({ from }) => beginningOf(from));
}

const wordsOf = (lines: string[]) => lines.map((line) => line.split(' '));

/** Returns the tokens that mean the same thing as a token without sharing its stem; often none. */
export function relativesOf(token: string): readonly string[] {
  leads ??= leadsByBeginning();
  const own = (leads.get(beginningOf(token)) ?? []).filter(({ from }) => firstToken(from) === token);
  const others = own.flatMap(({ to }) => to.map(firstToken));
  return [...new Set(others)].filter((other) => other !== token);
}
