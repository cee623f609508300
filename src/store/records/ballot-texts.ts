import { fold } from '../../language/fold.ts';
import { kindOf, recordRange } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { ballotIndex } from '../saving/ballot-index.ts';
import { ballotsWanted } from '../search/ballots-by-words.ts';

/** A text with ballots: its key, its names as spelt there, their source fields, and the number of ballots. */
export type VotedText = { key: string; names: string[]; from: string[]; ballots: number };

/** Every text with ballots by key, most ballots first. */
export function votedTexts(mirror: Mirror): Map<string, VotedText> {
  const { codes, words } = ballotIndex(mirror).coded('text');
  const counts = new Uint32Array(words.length);
  for (const code of codes) counts[code]! += 1;
  const order = [...words.keys()].slice(1).sort((one, other) => counts[other]! - counts[one]!);
  const texts = new Map<string, VotedText>();
  for (const code of order) {
    const name = nameOfText(words[code]!);
    const key = textKey(name);
    const text = texts.get(key) ?? { key, names: [], from: [], ballots: 0 };
    texts.set(key, text);
    text.ballots += counts[code]!;
    text.names.push(name);
    text.from = [...new Set([...text.from, words[code]!.split(' ', 1)[0]!])].sort();
  }
  return texts;
}

/** The texts of the ballots that match some words, as search ranks them; most matching ballots first. */
export function searchTexts(mirror: Mirror, q: string): VotedText[] {
  const places = ballotsWanted(mirror, { q, isLaw: true, relaxes: ['corrected', 'file'] })?.places ?? new Map();
  const { first } = recordRange(kindOf('ballot'));
  const { numbers, coded } = ballotIndex(mirror);
  const { codes, words } = coded('text');
  const counts = new Map<string, number>();
  for (const [offset, number] of numbers.entries()) {
    if (codes[offset] === 0 || !places.has(number + first)) continue;
    const key = textKey(nameOfText(words[codes[offset]!]!));
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const texts = votedTexts(mirror);
  return [...counts].sort((one, other) => other[1] - one[1]).map(([key]) => texts.get(key)!);
}

/** The name in an index word, after the field from which it was read. */
export const nameOfText = (word: string): string => word.slice(word.indexOf(' ') + 1);

/** A key equal for all spellings of a text's name: words without case, accents, punctuation and direct repetition. */
export function textKey(name: string): string {
  // The last step turns l'aide à l'aide à mourir into l'aide à mourir.
  return fold(name)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/(?<!\S)(\S+ \S+ (?:\S+ )*)\1/gu, '$1');
}
