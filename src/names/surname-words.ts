import surnameWords from './surname-words.json' with { type: 'json' };

const setOf = (lines: string[]) => new Set(lines.flatMap((line) => line.split(' ')));

/** Surnames that are also French words: among other words they count only if written as names. */
const ordinary = setOf(surnameWords.ordinary);

/**
 * Surnames that are also places: always capitalised, so among other words they count only with a first name.
 */
const places = setOf(surnameWords.places);

/** True for a folded surname that is also a French word: Petit, Blanc, Fort. */
export function isOrdinaryWord(word: string): boolean {
  return ordinary.has(word);
}

/** True for a folded surname that is also a place: Nantes, Paris. */
export function isPlace(word: string): boolean {
  return places.has(word);
}
