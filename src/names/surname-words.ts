import surnameWords from './surname-words.json' with { type: 'json' };

const setOf = (lines: string[]) => new Set(lines.flatMap((line) => line.split(' ')));

/** French words that are surnames too: within other words they are names only where they are written as such. */
const ordinary = setOf(surnameWords.ordinary);

/** Places that are surnames too: within other words they are names with a first name alone, for all are written with a capital. */
const places = setOf(surnameWords.places);

/** True for a folded word that is a French word too where it is a surname: Petit, Blanc, Fort. */
export function isOrdinaryWord(word: string): boolean {
  return ordinary.has(word);
}

/** True for a folded word that is a place too where it is a surname: Nantes, Paris. */
export function isPlace(word: string): boolean {
  return places.has(word);
}
