import { initialsOf, withJoinedParticles } from '../language/name.ts';
import type { Candidate } from './candidate.ts';
import { byName, nearness } from './nearness.ts';
import { type NameMatch, waysToMatch } from './rules.ts';
import { addressedNames } from './title.ts';

/** Shortest particle and word, joined, in which a misspelling is forgiven. */
const leastLed = 6;

/**
 * Returns guesses for a query that names nothing, likeliest first: longer short names (LFI-NFP for LFI),
 * names with these initials, and similar names. Guesses are only suggested, never chosen.
 */
export function guessNames(input: string, candidates: Iterable<Candidate>): NameMatch[] {
  const all = [...candidates];
  for (const { words } of addressedNames(input)) {
    const matchOf = (candidate: Candidate, more: Partial<NameMatch>): NameMatch => {
      return { candidate, words, way: 'prefix', slips: 0, ...more };
    };
    const letters = words.join('');
    const areLetters = words.length === 1 || words.every((word) => word.length === 1);
    const mayBeInitials = areLetters && letters.length > 1 && letters.length < 9;
    const found = all.flatMap((each) => [
      ...(words.length === 1 && words[0] === each.short[0] ? [matchOf(each, {})] : []),
      ...(mayBeInitials && initialsOf(each.own.parts).includes(letters)
        ? [matchOf(each, { way: 'initials' })]
        : []),
    ]);
    const isNear = nearTest(words);
    const near = all.flatMap((each) => {
      const how = isNear(each.own.parts);
      return how === null ? [] : [matchOf(each, how)];
    });
    if (found.length + near.length > 0)
      return [...found.sort(bySurety), ...near.sort((a, b) => a.slips - b.slips || bySurety(a, b))];
  }
  return [];
}

/** A letter three times in a row is a typing error; a short word is matched together with its particle: Le Penn. */
function nearTest(words: readonly string[]): (parts: string[]) => ReturnType<typeof nearness> {
  const typed = words.map((word) => word.replace(/(\p{L})\1{2,}/gu, '$1$1'));
  const joined = withJoinedParticles(typed);
  const isLed = joined.length < typed.length && joined.every(({ length }) => length >= leastLed);
  return (parts) => nearness(typed, parts) ?? (isLed ? nearness(joined, parts) : null);
}

/** Orders by how sure the match is, then by how much is known. */
function bySurety(a: NameMatch, b: NameMatch): number {
  return (
    waysToMatch.indexOf(a.way) - waysToMatch.indexOf(b.way) ||
    (b.candidate.known?.() ?? 0) - (a.candidate.known?.() ?? 0) ||
    byName(a.candidate, b.candidate)
  );
}
