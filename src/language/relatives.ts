import { beginningOf, fold } from './fold.ts';
import { proseTokens } from './prose.ts';
import relatives from './relatives.json' with { type: 'json' };

/*
 * relatives.json: `families` group a noun with learned words for the same thing that share no stem with it,
 * because French borrowed them from Latin or Greek. `everyday` maps a common word to the terms that laws,
 * programmes and debates use, never the reverse.
 */

/** A mapping from one word of the tables to its related words. */
type Lead = { from: string; to: readonly string[] };

let leads: Map<string, Lead[]> | null = null;

/**
 * All mappings, grouped by the first letters of their words: tokenising all of them at once takes ten times
 * as long.
 */
function leadsByBeginning(): Map<string, Lead[]> {
  const found = new Map<string, Lead[]>();
  const lead = (from: string, to: readonly string[]) => {
    const beginning = beginningOf(from);
    const others = found.get(beginning);
    if (others) others.push({ from, to });
    else found.set(beginning, [{ from, to }]);
  };
  for (const [noun = '', ...others] of wordsOf(relatives.families)) {
    // A noun maps to all words of its family, each of these only to the noun.
    lead(noun, others);
    for (const other of others) lead(other, [noun]);
  }
  for (const [word = '', ...terms] of wordsOf(relatives.everyday)) lead(word, terms);
  return found;
}

const wordsOf = (lines: string[]) => lines.map((line) => line.split(' '));

function tokenOf(word: string): string {
  return proseTokens(word)[0] ?? fold(word);
}

/** Returns the tokens that mean the same thing as a token without sharing its stem; often none. */
export function relativesOf(token: string): readonly string[] {
  leads ??= leadsByBeginning();
  const own = (leads.get(beginningOf(token)) ?? []).filter(({ from }) => tokenOf(from) === token);
  const others = own.flatMap(({ to }) => to.map(tokenOf));
  return [...new Set(others)].filter((other) => other !== token);
}
