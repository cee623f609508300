import { areOfOneVerb, familyOf } from './families.ts';
import { beginningOf, fold } from './fold.ts';
import { proseTokens } from './prose.ts';
import subjectLines from './subjects.json' with { type: 'json' };

/**
 * A subject that a question may be about: its terms in texts, as tokens, and the weighted votes of the
 * question's words for it.
 */
export type Subject = { terms: readonly string[]; votes: number };

/*
 * subjects.json: one subject of public life per line. Before the colon stand its terms in political texts;
 * behind it everyday and slang words, people concerned, tools, places, actions and feelings. A word on
 * several lines decides nothing alone; several words of one line in a question indicate its subject. No
 * people, faith, origin or country stands on a line of crimes or threats: a question about one is not about
 * the other.
 */

/** A word of the table with the index of its line. */
type SubjectWord = { word: string; line: number };

type Table = { called: readonly string[]; byBeginning: Map<string, SubjectWord[]> };

let table: Table | null = null;

function readTable(): Table {
  const called: string[] = [];
  const byBeginning = new Map<string, SubjectWord[]>();
  for (const [line, text] of subjectLines.entries()) {
    const [names = '', around = ''] = text.split(' : ');
    called.push(names);
    for (const word of `${names} ${around}`.split(' ')) {
      const beginning = beginningOf(word);
      const others = byBeginning.get(beginning);
      if (others) others.push({ word, line });
      else byBeginning.set(beginning, [{ word, line }]);
    }
  }
  return { called, byBeginning };
}

const tokenOf = (word: string) => proseTokens(word)[0] ?? fold(word);

/** Lines of each word family, by the first letters of its words; filled lazily. */
const linesByFamily = new Map<string, Map<string, Set<number>>>();

function linesOf(token: string, { byBeginning }: Table): ReadonlySet<number> {
  const beginning = beginningOf(token);
  let lines = linesByFamily.get(beginning);
  if (lines === undefined) {
    lines = new Map();
    for (const { word, line } of byBeginning.get(beginning) ?? []) {
      const family = familyOf(tokenOf(word));
      lines.set(family, (lines.get(family) ?? new Set()).add(line));
    }
    linesByFamily.set(beginning, lines);
  }
  return lines.get(familyOf(token)) ?? none;
}

const none: ReadonlySet<number> = new Set();

/**
 * Returns the subjects of a question, best first. `words` maps its tokens to weights; a word of several
 * subjects counts less for each.
 */
export function subjectsOf(words: ReadonlyMap<string, number>): Subject[] {
  table ??= readTable();
  const { called } = table;
  const votes = new Map<number, number>();
  for (const [token, weight] of words) {
    const lines = linesOf(token, table);
    for (const line of lines) votes.set(line, (votes.get(line) ?? 0) + weight / Math.sqrt(lines.size));
  }
  return [...votes]
    .sort(([, one], [, other]) => other - one)
    .map(([line, count]) => ({ terms: called[line]!.split(' ').map(tokenOf), votes: count }));
}

/** True for a token of a word in the table, or of a form of a verb in it. */
export function isSubjectWord(token: string): boolean {
  table ??= readTable();
  const alike = table.byBeginning.get(beginningOf(token)) ?? [];
  return alike.map(({ word }) => tokenOf(word)).some((own) => own === token || isFormOf(own, token));
}

/**
 * True for a form of the verb: the infinitive (its token has no final e) without its ending (mange, répand),
 * or with another ending.
 */
function isFormOf(infinitive: string, token: string): boolean {
  const ending = infinitive.startsWith(token) ? infinitive.slice(token.length) : '';
  return /^[ei]r$/.test(ending) || (ending === 'r' && /[dt]$/.test(token)) || areOfOneVerb(infinitive, token);
}
