import { nameWords, particles } from '../language/name.ts';
import titleLists from './titles.json' with { type: 'json' };

/** Gender that a form of address implies. */
export type Gender = 'F' | 'M';

const titles = new Map<string, Gender | null>([
  ...titleEntries(titleLists.M, 'M'),
  ...titleEntries(titleLists.F, 'F'),
  ...titleEntries(titleLists.either, null),
]);

/** Offices of several words, longest first; not every word of them is a title on its own. */
const offices = titleLists.offices.map((office) => office.split(' '));

const articles = new Map<string, Gender | null>([
  ['le', 'M'],
  ['la', 'F'],
  ['l', null],
]);

/** True for a folded word that is a form of address or an office. */
export const isTitle = (word: string): boolean => titles.has(word);

const maxTitles = 6;

/** The words of a query that are read as a name, and the gender that its form of address implies, if any. */
export type NameReading = { words: string[]; gender: Gender | null };

/** Returns the readings of a query as a name, fullest first; one is empty only for a text without words. */
export function nameReadings(input: string): NameReading[] {
  // All words, then with up to six titles removed at either end ("la ministre Anne Le Maire" gives "anne le maire"),
  // then without parentheses or an article before an acronym (l'UMP).
  const fullReading = { words: nameWords(input), gender: null };
  const bareReading = { words: nameWords(bareName(withoutArticleOfAcronym(input))), gender: null };
  const readings = [fullReading, ...withoutTitles(fullReading)];
  if (bareReading.words.length > 0 && bareReading.words.length < fullReading.words.length)
    readings.push(bareReading, ...withoutTitles(bareReading));
  return readings;
}

/** The text without an article or preposition before an acronym: UMP for l'UMP, PS for le PS. */
export const withoutArticleOfAcronym = (text: string): string =>
  text.replace(
    /(?<![\p{L}\p{N}])(?:(?:[Dd]e\s+)?[LDld]['’]|(?:[Ll](?:es?|a)|[Dd](?:u|es)|[Aa]ux?)\s+)(?=\p{Lu}{2,5}(?!\p{L}))/gu,
    '',
  );

/** The name without trailing parentheses. */
export const bareName = (input: string): string => input.replace(/\s\([^()]*\)\s*$/, '');

function withoutTitles(reading: NameReading): NameReading[] {
  const readings: NameReading[] = [];
  for (let next = withoutTitle(reading); next !== null && readings.length < maxTitles; next = withoutTitle(next)) {
    // A particle or article alone is no name: the "le" of "le maire".
    if (next.words.every((word) => particles.has(word) || articles.has(word))) break;
    readings.push(next);
  }
  return readings;
}

/** The reading without one title at its start or else its end; null if it has none, or is only a title. */
function withoutTitle({ words, gender }: NameReading): NameReading | null {
  const article = articles.get(words[0] ?? '');
  const title = titleAt(words, article === undefined ? 0 : 1) ?? titleAt(words, 0);
  if (title !== null && words.length > title.to)
    return { words: words.slice(title.to), gender: gender ?? title.gender ?? article ?? null };
  const last = words.at(-1) ?? '';
  // Trailing "Maire", "Premier" and "Président" are titles; a single letter abbreviates a first name.
  if (words.length > 1 && last.length > 2 && titles.has(last))
    return { words: words.slice(0, -1), gender: gender ?? titles.get(last) ?? null };
  return null;
}

/** The title at an index: the index after it, and the gender that it implies; null if there is none. */
function titleAt(words: readonly string[], from: number): { to: number; gender: Gender | null } | null {
  const office = offices.find((each) => each.every((word, at) => words[from + at] === word));
  const first = words[from] ?? '';
  if (office !== undefined) return { to: from + office.length, gender: titles.get(first) ?? null };
  return titles.has(first) ? { to: from + 1, gender: titles.get(first) ?? null } : null;
}

function titleEntries(list: string, gender: Gender | null): [string, Gender | null][] {
  return list.split(' ').map((word) => [word, gender]);
}

/** The word before the first occurrence of another one; empty if there is none. */
export const wordBefore = (words: readonly string[], word: string): string => words[words.indexOf(word) - 1] ?? '';

/** True if the word before a name is `loi`: loi Veil. */
export const isNameOfLaw = (words: readonly string[], [first = '']: readonly string[]): boolean =>
  /^lois?$/i.test(wordBefore(words, first));
