import { areOfOneVerb, familyOf } from './families.ts';
import { beginningOf, fold } from './fold.ts';
import { proseTokens } from './prose.ts';
import subjectLines from './subjects.json' with { type: 'json' };

/** A subject that a question may be about: what texts call it, as tokens, and how many of the question's words speak of it. */
export type Subject = { terms: readonly string[]; votes: number };

/*
 * subjects.json: the subjects of public life, one a line: what texts of politics call it, and behind the colon the words by which people
 * speak of it without naming it: its everyday and slang words, those whom it concerns, tools, places, what is done and felt.
 * A word may stand on several lines. One that does tells nothing alone; several of a line in a question tell what it is
 * about. No people, faith, origin or country stands on a line of crimes or threats: whoever asks of one asks of nothing else.
 */

/** A word of the table, and the line that it stands on. */
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

/** The lines on which each family of words stands, of the words that begin alike: made as they are asked for. */
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
 * Returns the subjects that the words of a question, as tokens with how much each counts, speak of, those of most words
 * first. A word that is said of several subjects tells less of each.
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

/** True for a token of a word that is said of some subject, or of a form of a verb that is. */
export function isSubjectWord(token: string): boolean {
  table ??= readTable();
  const alike = table.byBeginning.get(beginningOf(token)) ?? [];
  return alike.map(({ word }) => tokenOf(word)).some((own) => own === token || isFormOf(own, token));
}

/** True for a form of a verb: of an infinitive, whose token has no final e, without its ending (mange, répand), or with another. */
function isFormOf(infinitive: string, token: string): boolean {
  const ending = infinitive.startsWith(token) ? infinitive.slice(token.length) : '';
  return /^[ei]r$/.test(ending) || (ending === 'r' && /[dt]$/.test(token)) || areOfOneVerb(infinitive, token);
}
