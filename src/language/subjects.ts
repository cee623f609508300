import { findVerbs } from './conjugation.ts';
import { familyOf } from './families.ts';
import { firstTwoLetters } from './fold.ts';
import { once } from './once.ts';
import { firstToken } from './prose.ts';
import subjectLines from './subjects.json' with { type: 'json' };

/** A subject of a question: tokens of its terms in texts, and the sum of the votes of the question's words for it. */
export type Subject = { terms: readonly string[]; votes: number };

// subjects.json: one subject of public life per line. Before the colon are its terms in political texts; after it,
// everyday and slang words, people concerned, tools, places, actions and feelings. A word on several lines decides
// nothing alone; several words of one line in a question indicate its subject. No line about crimes or threats may
// contain people, faiths, origins or countries: a question about one is not about the other.

const wordsOf = (text: string) => text.replace(' :', '').split(' ');

const termsOf = (line: string) => line.split(' : ')[0]!.split(' ');

/** The words of all subjects by their first two letters; indexed on first use. */
const subjectWords = once(() => {
  const rows = subjectLines.flatMap((text, line) => wordsOf(text).map((word) => ({ word, line })));
  return Map.groupBy(rows, ({ word }) => firstTwoLetters(word));
});

/** Indexes of lines with a word of the same family, or a verb that the word may be a form of (battues: battre). */
function linesOf(written: string): ReadonlySet<number> {
  const token = firstToken(written);
  const family = familyOf(token);
  const verbs = findVerbs(written).map(({ infinitive }) => infinitive);
  const isSameWord = (own: string) => own === token || verbs.includes(own) || familyOf(own) === family;
  const beginnings = new Set([token, ...verbs].map(firstTwoLetters));
  const similarSubjectWords = [...beginnings].flatMap((each) => subjectWords().get(each) ?? []);
  return new Set(similarSubjectWords.filter(({ word }) => isSameWord(firstToken(word))).map(({ line }) => line));
}

/** The subjects of words with weights, most votes first; a word of several subjects votes less for each. */
export function subjectsOf(words: ReadonlyMap<string, number>): Subject[] {
  const votes = [...words].flatMap(([word, weight]) => {
    const lines = [...linesOf(word)];
    return lines.map((line) => ({ line, vote: weight / Math.sqrt(lines.length) }));
  });
  return [...Map.groupBy(votes, ({ line }) => line)]
    .map(([line, each]) => ({
      terms: termsOf(subjectLines[line]!).map(firstToken),
      votes: each.reduce((sum, { vote }) => sum + vote, 0),
    }))
    .sort((one, other) => other.votes - one.votes);
}

/** The other terms of the subjects that have one of the words as a term; without those of several subjects. */
export function relatedTerms(words: readonly string[]): string[] {
  const plainWords = words.map((each) => each.replace(/ -(?:"[^"]*"|\S+)/g, ''));
  const tokens = plainWords.filter((each) => !/\s/.test(each)).map(firstToken);
  const isRelated = (terms: string[]) => terms.some((term) => tokens.includes(firstToken(term)));
  const related = subjectLines.map(termsOf).filter(isRelated).flat();
  return related.filter((each) => !tokens.includes(firstToken(each)) && linesOf(each).size === 1);
}

/** True if a subject has the word, or another of its family. */
export const isSubjectWord = (written: string): boolean => linesOf(written).size > 0;
