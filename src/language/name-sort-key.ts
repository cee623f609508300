import { fold } from './fold.ts';
import { particles } from './particle.ts';

const movedParticle = /^(de\s+|d'\s*)(?=.)/;
const outsideName = /[^\p{L}\p{N}\p{M}]+/gu;

/**
 * Returns the key under which a person sorts by code unit, as French does (NF Z44-001): surname, first name, then
 * the particle "de" or "d'" ("Anne de La Brande" gives "labrande anne de"; Le, La, Du, Des stay in front).
 * Without `lastName` the surname is guessed: the words in capitals if the others are not, else all from the first
 * particle on, else all but the first word; a hyphenated word is one word. A name that begins with a particle, or
 * of one word, is all surname.
 */
export function nameSortKey(name: string, lastName?: string | null, firstName?: string | null): string {
  const last = lastName || without(name, firstName) || guessSurname(name);
  const first = firstName || without(name, last);
  const surname = fold(last).trim();
  const particle = movedParticle.exec(surname)?.[0] ?? '';
  return [surname.slice(particle.length), fold(first), particle]
    .map((part) => part.replace(outsideName, ''))
    .filter(Boolean)
    .join(' ');
}

/** The name less one of its ends; empty when that is not an end of it. */
function without(name: string, end: string | null | undefined): string {
  const whole = name.trim();
  const part = end?.trim();
  if (!part) return '';
  if (whole.endsWith(part)) return whole.slice(0, -part.length).trim();
  return whole.startsWith(part) ? whole.slice(part.length).trim() : '';
}

function guessSurname(name: string): string {
  const words = name.trim().split(/\s+/);
  const capitals = words.filter(isInCapitals);
  if (capitals.length > 0 && capitals.length < words.length) return capitals.join(' ');
  const from = words.findIndex(isLedByParticle);
  return words.slice(from === -1 ? Math.min(1, words.length - 1) : from).join(' ');
}

function isInCapitals(word: string): boolean {
  return /\p{L}[^\p{L}]*\p{L}/u.test(word) && word === word.toUpperCase() && word !== word.toLowerCase();
}

function isLedByParticle(word: string): boolean {
  const folded = fold(word);
  return particles.has(folded) || folded.startsWith("d'") || folded.startsWith("l'");
}
