import { withJoinedParticles } from '../language/name.ts';
import {
  type Asked,
  type Candidate,
  type NameMatch,
  type Read,
  readCandidate,
  readingsOf,
  type Test,
  type WayToMatch,
  waysToMatch,
} from './candidate.ts';
import { initialsOf } from './initials.ts';
import { byName, nearness } from './nearness.ts';

/** Returns what may have been meant by a query that names nothing, the likeliest first. */
export function guessNames(input: string, candidates: Iterable<Candidate>): NameMatch[] {
  const all = [...candidates].map(readCandidate);
  for (const asked of readingsOf(input)) {
    const found = [
      ...all.filter(longerShortNameTest(asked)).map((read) => guessOf(read, asked, 'prefix')),
      ...all.filter(initialsTest(asked)).map((read) => guessOf(read, asked, 'initials')),
    ];
    found.sort(byKnown);
    found.push(...nearTo(asked, all));
    if (found.length > 0) return found;
  }
  return [];
}

function guessOf({ candidate }: Read, { words }: Asked, way: WayToMatch): NameMatch {
  return { candidate, way, words, slips: 0 };
}

/** Short names that begin with the acronym, as LFI-NFP does with LFI: never chosen, only suggested. */
function longerShortNameTest({ words: [first, ...more] }: Asked): Test {
  return ({ short }) => more.length === 0 && !!first && short[0] === first;
}

function initialsTest({ words }: Asked): Test {
  const letters = words.join('');
  const areLetters = words.length === 1 || words.every((word) => word.length === 1);
  return ({ name }) =>
    areLetters && letters.length > 1 && letters.length < 9 && initialsOf(name.parts).includes(letters);
}

/** The shortest word with its particle in which a slip is forgiven. */
const leastLed = 6;

function nearTo({ words }: Asked, all: Read[]): NameMatch[] {
  const found: NameMatch[] = [];
  // No word has a letter three times, and a short one behind a particle tells enough with it alone: Le Penn.
  const typed = words.map((word) => word.replace(/(\p{L})\1{2,}/gu, '$1$1'));
  const joined = withJoinedParticles(typed);
  const isLed = joined.length < typed.length && joined.every(({ length }) => length >= leastLed);
  for (const read of all) {
    const { parts } = read.name;
    const near = nearness(typed, parts) ?? (isLed ? nearness(joined, parts) : null);
    if (near !== null) found.push({ candidate: read.candidate, words, ...near });
  }
  return found.sort((a, b) => a.slips - b.slips || byKnown(a, b));
}

/** Of whom more is known comes first, but for surer ways to match. */
function byKnown(a: NameMatch, b: NameMatch): number {
  return (
    waysToMatch.indexOf(a.way) - waysToMatch.indexOf(b.way) ||
    (b.candidate.known ?? 0) - (a.candidate.known ?? 0) ||
    byName(a.candidate, b.candidate)
  );
}
