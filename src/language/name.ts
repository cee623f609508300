import { cutToken } from './cut-token.ts';
import { fold } from './fold.ts';
import { particles } from './particle.ts';

export { nameSortKey } from './name-sort-key.ts';

const outsideName = /[^\p{L}\p{N}\p{M}]+/u;
const outsideGroup = /[^\p{L}\p{N}\p{M}']+/u;
const leading = new Set([...particles, ...'el al ben bou mac mc saint sainte st ste'.split(' ')]);

/**
 * Returns the tokens under which a name is indexed: its parts in order, then what they make when joined: around
 * an apostrophe, in a hyphenated word, between neighbouring words and from a particle to the word that it leads
 * to, so that "Le Roc", "LE-ROC" and "leroc" meet. No part is elided, stemmed or dropped.
 */
export function nameTokens(name: string): string[] {
  const words = splitName(name);
  const parts = words.flat(2).map(cutToken);
  const joined = new Set([...words.flatMap(joinsWithin), ...joinsBetween(words)].map(cutToken));
  for (const part of parts) joined.delete(part);
  return [...parts, ...joined];
}

/** Returns the tokens of a name joined by one space, as the full-text index takes them. */
export function analyseName(name: string): string {
  return nameTokens(name).join(' ');
}

/** Returns the folded parts of a name in order ("Jean-Paul D'Orme" gives jean, paul, d, orme), nothing joined. */
export function nameWords(name: string): string[] {
  return split(fold(name), outsideName).map(cutToken);
}

/** A name is words (parted by spaces) of groups (by hyphens and the like) of parts (by apostrophes). */
function splitName(name: string): string[][][] {
  const words = fold(name).split(/\s+/);
  return words.map((word) => split(word, outsideGroup).map((group) => split(group, "'"))).filter(isFilled);
}

function split(text: string, separator: RegExp | string): string[] {
  return text.split(separator).filter(Boolean);
}

function joinsWithin(word: string[][]): string[] {
  return [...word, word.flat()].filter((parts) => parts.length > 1).map((parts) => parts.join(''));
}

function joinsBetween(words: string[][][]): string[] {
  const wholes = words.map((word) => word.flat().join(''));
  return wholes.slice(0, -1).flatMap((word, at) => {
    const pair = word + wholes[at + 1];
    return leading.has(word) ? [pair, fromParticle(wholes.slice(at, at + 5))] : [pair];
  });
}

function fromParticle(words: string[]): string {
  const led = words.findIndex((word) => !leading.has(word));
  return words.slice(0, led === -1 ? words.length : led + 1).join('');
}

function isFilled(list: unknown[]): boolean {
  return list.length > 0;
}
