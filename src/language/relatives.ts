import { beginningOf, fold } from './fold.ts';
import { proseTokens } from './prose.ts';
import relatives from './relatives.json' with { type: 'json' };

/*
 * relatives.json: `families` are words that French took from Latin or Greek a second time, or from another root, so that no
 * stem brings them together: a noun, and the learned words that speak of the same thing. `everyday` leads from a word that
 * people say to the terms that laws, programmes and debates have in its place, never back.
 */

/** Where a line of the tables leads from one of its words. */
type Lead = { from: string; to: readonly string[] };

let leads: Map<string, Lead[]> | null = null;

/** All that the tables lead to, by what words begin with: to make tokens of all of them takes ten times as long. */
function leadsByBeginning(): Map<string, Lead[]> {
  const found = new Map<string, Lead[]>();
  const lead = (from: string, to: readonly string[]) => {
    const beginning = beginningOf(from);
    const others = found.get(beginning);
    if (others) others.push({ from, to });
    else found.set(beginning, [{ from, to }]);
  };
  for (const [noun = '', ...others] of wordsOf(relatives.families)) {
    // A noun leads to all of its group, what is said of it to the noun.
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

/** Returns the tokens that speak of the same thing as a token and share no stem with it; often none. */
export function relativesOf(token: string): readonly string[] {
  leads ??= leadsByBeginning();
  const own = (leads.get(beginningOf(token)) ?? []).filter(({ from }) => tokenOf(from) === token);
  const others = own.flatMap(({ to }) => to.map(tokenOf));
  return [...new Set(others)].filter((other) => other !== token);
}
