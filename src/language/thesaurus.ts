import { beginningOf, commonBeginning, fold } from './fold.ts';
import { proseTokens } from './prose.ts';

/**
 * A thesaurus in the MyThes format (https://github.com/hunspell/mythes/blob/master/data_layout.txt) of
 * LibreOffice: an index of headwords with byte offsets, and a file of their meanings.
 */
export type Thesaurus = {
  /**
   * Synonyms of a word as the thesaurus writes them, mutual ones first. A word typed without accents also
   * finds accented headwords, and endings may differ.
   */
  synonyms(word: string): string[];
};

/** Returns the lines of a headword's meanings, which follow its own line at the byte offset. */
export type EntryReader = (offset: number) => string[];

/** Creates a thesaurus from the text of its index; meanings are read lazily. */
export function createThesaurus(index: string, readEntry: EntryReader): Thesaurus {
  const { offsets, byBeginning } = readIndex(index);
  const meaningsOf = (headword: string): string[] => {
    const offset = offsets.get(headword);
    return offset === undefined ? [] : readEntry(offset).flatMap(wordsOf);
  };
  return {
    synonyms(written) {
      const word = written.toLowerCase();
      const headwords = headwordsFor(word, byBeginning.get(beginningOf(word)) ?? []);
      const named = new Set(headwords.flatMap(meaningsOf));
      const [mutual, others]: [string[], string[]] = [[], []];
      for (const each of named) {
        const isMutual = meaningsOf(each).some((meaning) => headwords.includes(meaning));
        (isMutual ? mutual : others).push(each);
      }
      return [...mutual, ...others];
    },
  };
}

type Index = { offsets: Map<string, number>; byBeginning: Map<string, string[]> };

/** A line of the index is `headword|byte`; the first two hold the encoding and the number of headwords. */
function readIndex(text: string): Index {
  const lines = text.split('\n').map((line) => line.split('|'));
  const offsets = new Map(
    lines.flatMap(([word, byte]) => (word && byte ? [[word, Number.parseInt(byte, 10)] as const] : [])),
  );
  return { offsets, byBeginning: Map.groupBy(offsets.keys(), beginningOf) };
}

/**
 * The headwords that a word may be a form of; for an accented word, those with the longest common beginning.
 */
function headwordsFor(word: string, candidates: string[]): string[] {
  const token = soleToken(word);
  if (token === null) return [];
  const same = candidates.filter((candidate) => soleToken(candidate) === token);
  if (fold(word) === word) return same;
  const shared = same.map((candidate) => commonBeginning(candidate, word).length);
  const longest = Math.max(...shared);
  return same.filter((_, at) => shared[at] === longest);
}

/** The words of a meaning, whose line begins with its part of speech: (noun)|word|word (generic term). */
function wordsOf(meaning: string): string[] {
  return meaning
    .trimEnd()
    .split('|')
    .slice(1)
    .map((word) => word.replace(/\s*\([^)]*\)$/, ''));
}

function soleToken(word: string): string | null {
  const tokens = proseTokens(word);
  return tokens.length === 1 ? tokens[0]! : null;
}
