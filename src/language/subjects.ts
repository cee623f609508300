import { areOfOneVerb, familyOf } from './families.ts';
import { beginningOf } from './fold.ts';
import { firstToken } from './prose.ts';
import subjectLines from './subjects.json' with { type: 'json' };

/**
 * A subject that a question may be about: its terms in texts, as tokens, the weighted votes of the question's
 * words for it, and the number of these words.
 */
export type Subject = { terms: readonly string[]; votes: number; words: number };

/*
 * subjects.json: one subject of public life per line. Before the colon stand its terms in political texts;
 * behind it everyday and slang words, people concerned, tools, places, actions and feelings. A word on
 * several lines decides nothing alone; several words of one line in a question indicate its subject. No
 * people, faith, origin or country stands on a line of crimes or threats: a question about one is not about
 * the other.
 */

/** A word of the table with the index of its line. */
type SubjectWord = { word: string; line: number };

/** The terms of each line, and the words of all lines by their first letters. */
type Table = { called: readonly string[]; byBeginning: Map<string, SubjectWord[]> };

let table: Table | null = null;

function readTable(): Table {
  const words = subjectLines.flatMap((text, line) =>
    text
      .replace(' :', '')
      .split(' ')
      .map((word) => ({ word, line })),
  );
  return {
    called: subjectLines.map((text) => text.split(' : ')[0]!),
    byBeginning: Map.groupBy(words, ({ word }) => beginningOf(word)),
  };
}

/** Lines with words of a token's family, or with the verb that it is a form of. */
function linesOf(token: string, { byBeginning }: Table): ReadonlySet<number> {
  const family = familyOf(token);
  const alike = byBeginning.get(beginningOf(token)) ?? [];
  const isMeant = (own: string) => familyOf(own) === family || isFormOf(own, token);
  return new Set(alike.filter(({ word }) => isMeant(firstToken(word))).map(({ line }) => line));
}

/** The subjects of a question, best first; a word of several subjects counts less for each. */
export function subjectsOf(words: ReadonlyMap<string, number>): Subject[] {
  table ??= readTable();
  const { called } = table;
  const votes = new Map<number, number[]>();
  for (const [token, weight] of words) {
    const lines = linesOf(token, table);
    for (const line of lines) votes.set(line, [...(votes.get(line) ?? []), weight / Math.sqrt(lines.size)]);
  }
  return [...votes]
    .map(([line, each]) => ({
      terms: called[line]!.split(' ').map(firstToken),
      votes: each.reduce((sum, vote) => sum + vote),
      words: each.length,
    }))
    .sort((one, other) => other.votes - one.votes);
}

/** True for a token of a word in the table, or of a form of a verb in it. */
export function isSubjectWord(token: string): boolean {
  table ??= readTable();
  const alike = table.byBeginning.get(beginningOf(token)) ?? [];
  return alike.map(({ word }) => firstToken(word)).some((own) => own === token || isFormOf(own, token));
}

/**
 * True for a form of the verb: the infinitive (its token has no final e) without its ending (mange, répand),
 * or with another ending.
 */
function isFormOf(infinitive: string, token: string): boolean {
  const ending = infinitive.startsWith(token) ? infinitive.slice(token.length) : '';
  return /^[ei]r$/.test(ending) || (ending === 'r' && /[dt]$/.test(token)) || areOfOneVerb(infinitive, token);
}
