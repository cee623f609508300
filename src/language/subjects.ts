import { verbsOf } from './conjugation.ts';
import { familyOf } from './families.ts';
import { firstTwoLetters } from './fold.ts';
import { once } from './once.ts';
import { firstToken } from './prose.ts';
import relatives from './relatives.json' with { type: 'json' };
import subjectLines from './subjects.json' with { type: 'json' };

/** A subject of a question: its terms in texts, as tokens, and the number and weighted votes of the words for it. */
export type Subject = { terms: readonly string[]; votes: number; words: number };

// subjects.json: one subject of public life per line. Before the colon are its terms in political texts; after it,
// everyday and slang words, people concerned, tools, places, actions and feelings. A word on several lines decides
// nothing alone; several words of one line in a question indicate its subject. No line about crimes or threats may
// contain people, faiths, origins or countries: a question about one is not about the other.

/** Returns the rows with words that begin with the same two letters as any of `words`; indexed on first use. */
function rowsBeginning<Row extends { word: string }>(read: () => Row[]): (words: Iterable<string>) => Row[] {
  const byBeginning = once(() => Map.groupBy(read(), ({ word }) => firstTwoLetters(word)));
  return (words) => [...new Set([...words].map(firstTwoLetters))].flatMap((each) => byBeginning().get(each) ?? []);
}

const wordsOf = (text: string) => text.replace(' :', '').split(' ');

const subjectWords = rowsBeginning(() =>
  subjectLines.flatMap((text, line) => wordsOf(text).map((word) => ({ word, line }))),
);

/** Indexes of lines with a word of the same family, or a verb that the word may be a form of (battues: battre). */
function linesOf(written: string): ReadonlySet<number> {
  const token = firstToken(written);
  const family = familyOf(token);
  const verbs = verbsOf(written).map(({ infinitive }) => infinitive);
  const isSameWord = (own: string) => own === token || verbs.includes(own) || familyOf(own) === family;
  const alike = subjectWords([token, ...verbs]);
  return new Set(alike.filter(({ word }) => isSameWord(firstToken(word))).map(({ line }) => line));
}

/** The subjects of a question, best first; a word of several subjects counts less for each. */
export function subjectsOf(words: ReadonlyMap<string, number>): Subject[] {
  const votes = new Map<number, number[]>();
  for (const [word, weight] of words) {
    const lines = linesOf(word);
    for (const line of lines) votes.set(line, [...(votes.get(line) ?? []), weight / Math.sqrt(lines.size)]);
  }
  return [...votes]
    .map(([line, each]) => ({
      terms: wordsOf(subjectLines[line]!.split(' : ')[0]!).map(firstToken),
      votes: each.reduce((sum, vote) => sum + vote),
      words: each.length,
    }))
    .sort((one, other) => other.votes - one.votes);
}

/** True if the table has the word, or another of its family. */
export const isSubjectWord = (written: string): boolean => linesOf(written).size > 0;

// relatives.json: `families` group a noun with learned words of the same meaning but another stem, borrowed from Latin
// or Greek. `everyday` maps a common word to the terms of laws, programmes and debates, never the reverse.

const leads = rowsBeginning(() => [
  // A noun maps to all words of its family, each of them only to the noun.
  ...relatives.families
    .map(wordsOf)
    .flatMap(([word = '', ...to]) => [{ word, to }, ...to.map((other) => ({ word: other, to: [word] }))]),
  ...relatives.everyday.map(wordsOf).map(([word = '', ...to]) => ({ word, to })),
]);

/** Returns the tokens with the same meaning as a token but another stem; often none. */
export function relativesOf(token: string): readonly string[] {
  const own = leads([token]).filter(({ word }) => firstToken(word) === token);
  const relatedTokens = own.flatMap(({ to }) => to.map(firstToken));
  return [...new Set(relatedTokens)].filter((other) => other !== token);
}
