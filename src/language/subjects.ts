import { findVerbs } from './conjugation.ts';
import { familyOf } from './families.ts';
import { firstTwoLetters } from './fold.ts';
import { once } from './once.ts';
import { firstToken } from './prose.ts';
import subjectLines from './subjects.json' with { type: 'json' };

/** A subject of a question: tokens of its political terms, and the summed weights of the question's words for it. */
export type Subject = { terms: readonly string[]; score: number };

// subjects.json: one subject of public life per line. Before the colon are its terms in political texts; after it,
// everyday and slang words, people concerned, tools, places, actions and feelings. A word on several lines is weak
// evidence; several words of one line in a question indicate its subject. No line about crimes or threats may contain
// people, faiths, origins or countries, so that questions about a group never match crimes.

const wordsOf = (text: string) => text.replace(' :', '').split(' ');
const termsOf = (line: string) => line.split(' : ')[0]!.split(' ');

/** The words of all subjects by their first two letters; indexed on first use. */
const subjectWords = once(() => {
  const rows = subjectLines.flatMap((text, line) => wordsOf(text).map((word) => ({ word, line })));
  return Map.groupBy(rows, ({ word }) => firstTwoLetters(word));
});

/** Indexes of lines with a word of the same family, or a verb that the word may be a form of (battues: battre). */
function subjectLinesOf(word: string): ReadonlySet<number> {
  const token = firstToken(word);
  const family = familyOf(token);
  const verbs = findVerbs(word).map(({ infinitive }) => infinitive);
  const isSameWord = (other: string) => other === token || verbs.includes(other) || familyOf(other) === family;
  const prefixes = new Set([token, ...verbs].map(firstTwoLetters));
  const similarSubjectWords = [...prefixes].flatMap((each) => subjectWords().get(each) ?? []);
  return new Set(similarSubjectWords.filter((each) => isSameWord(firstToken(each.word))).map(({ line }) => line));
}

/** The subjects of words with weights, highest score first; a word of several subjects counts less for each. */
export function subjectsOf(words: ReadonlyMap<string, number>): Subject[] {
  const shares = [...words].flatMap(([word, weight]) => {
    const lines = [...subjectLinesOf(word)];
    return lines.map((line) => ({ line, share: weight / Math.sqrt(lines.length) }));
  });
  return [...Map.groupBy(shares, ({ line }) => line)]
    .map(([line, lineShares]) => ({
      terms: termsOf(subjectLines[line]!).map(firstToken),
      score: lineShares.reduce((sum, { share }) => sum + share, 0),
    }))
    .sort((one, other) => other.score - one.score);
}

/** Other terms of the subjects whose terms include one of the words; omits terms that belong to several subjects. */
export function relatedTerms(words: readonly string[]): string[] {
  // A word may have exclusions (`taxe -"taxe carbone"`), which are dropped; phrases are skipped.
  const wordsWithoutExclusions = words.map((each) => each.replace(/ -(?:"[^"]*"|\S+)/g, ''));
  const tokens = wordsWithoutExclusions.filter((each) => !/\s/.test(each)).map(firstToken);
  const isRelated = (terms: string[]) => terms.some((term) => tokens.includes(firstToken(term)));
  const related = subjectLines.map(termsOf).filter(isRelated).flat();
  return related.filter((each) => !tokens.includes(firstToken(each)) && subjectLinesOf(each).size === 1);
}

/** True if a subject has the word, or another of its family. */
export const isSubjectWord = (word: string): boolean => subjectLinesOf(word).size > 0;
