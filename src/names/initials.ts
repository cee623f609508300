import { particles } from '../language/name.ts';
import { isStopWord } from '../language/stop-words.ts';

const mostParts = 8;

/**
 * Returns the initials of a name: of all parts, without particles, and without stop words (jlm, vge, pdlc of
 * Parti des dunes, landes et côtes).
 */
export function initialsOf(parts: readonly string[]): string[] {
  const some = parts.slice(0, mostParts);
  const plain = some.filter((part) => !particles.has(part));
  const telling = parts.filter((part) => !isStopWord(part)).slice(0, mostParts);
  return [...new Set([some, plain, telling].map(firstLetters))].filter((letters) => letters.length > 1);
}

/** True for the initials of the first two or three parts: "jl" of jean, luc, merlin. */
export function beginsParts(letters: string, parts: readonly string[]): boolean {
  if (letters.length < 2 || letters.length > 3) return false;
  return firstLetters(parts.slice(0, mostParts)).startsWith(letters);
}

function firstLetters(parts: readonly string[]): string {
  return parts.map((part) => part[0]).join('');
}
