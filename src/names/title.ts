import { nameWords, particles } from '../language/name.ts';
import lists from './titles.json' with { type: 'json' };

/** Gender that a form of address implies. */
export type Gender = 'F' | 'M';

const titles = new Map<string, Gender | null>([
  ...words(lists.M, 'M'),
  ...words(lists.F, 'F'),
  ...words(lists.either, null),
]);

/** Offices of several words, longest first; some words are no title alone. */
const offices = lists.offices.map((office) => office.split(' '));

const articles = new Map<string, Gender | null>([
  ['le', 'M'],
  ['la', 'F'],
  ['l', null],
]);

/** True for a folded word that is a form of address or an office. */
export const isTitle = (word: string): boolean => titles.has(word);

/** Most titles of a person; a text with more is no name. */
const mostTitles = 6;

/** A query read as the words of a name, and the gender that its form of address implies. */
export type NameReading = { words: string[]; gender: Gender | null };

/**
 * Returns the readings of a query as a name, fullest first: all words, then without one title after another
 * at either end ("la ministre Anne Le Maire" also gives "anne le maire"), and without parentheses or an
 * article before an acronym (l'UMP). A reading is empty only for a text without words. Removes at most six
 * titles, so that the readings stay few.
 */
export function addressedNames(input: string): NameReading[] {
  const whole = { words: nameWords(input), gender: null };
  const bare = bareName(input.replace(articleOfAcronym, ''));
  const parted = bare === input ? whole : { words: nameWords(bare), gender: null };
  const readings = [whole, ...withoutTitles(whole)];
  if (parted.words.length > 0 && parted.words.length < whole.words.length)
    readings.push(parted, ...withoutTitles(parted));
  return readings;
}

/** An article or preposition before an acronym: the l of l'UMP, le of le PS. */
export const articleOfAcronym =
  /(?<![\p{L}\p{N}])(?:(?:[Dd]e\s+)?[LDld]['’]|(?:[Ll](?:es?|a)|[Dd](?:u|es)|[Aa]ux?)\s+)(?=\p{Lu}{2,5}(?!\p{L}))/gu;

/** A name without the parentheses after it. */
export const bareName = (input: string): string => input.replace(/\s\([^()]*\)\s*$/, '');

function withoutTitles(reading: NameReading): NameReading[] {
  const readings: NameReading[] = [];
  for (let next = withoutTitle(reading); next !== null; next = withoutTitle(next)) {
    // A particle alone is no name: the "Le" of "le maire".
    if (next.words.every((word) => particles.has(word) || articles.has(word))) break;
    readings.push(next);
    if (readings.length === mostTitles) break;
  }
  return readings;
}

function withoutTitle({ words, gender }: NameReading): NameReading | null {
  const article = articles.get(words[0] ?? '');
  const from = article === undefined ? 0 : 1;
  const title = titleAt(words, from) ?? titleAt(words, 0);
  if (title !== null && words.length > title.to)
    return { words: words.slice(title.to), gender: gender ?? title.gender ?? article ?? null };
  const last = words.at(-1)!;
  // "Maire", "Premier" and "Président" end names, a single letter shortens a first name.
  if (words.length > 1 && last !== undefined && last.length > 2 && titles.has(last))
    return { words: words.slice(0, -1), gender: gender ?? titles.get(last) ?? null };
  return null;
}

/** The title at an index: where it ends, and the gender that its last words imply. */
function titleAt(words: readonly string[], from: number): { to: number; gender: Gender | null } | null {
  const office = offices.find((each) => each.every((word, at) => words[from + at] === word));
  const first = words[from] ?? '';
  if (office !== undefined) return { to: from + office.length, gender: titles.get(first) ?? null };
  return titles.has(first) ? { to: from + 1, gender: titles.get(first) ?? null } : null;
}

function words(list: string, gender: Gender | null): [string, Gender | null][] {
  return list.split(' ').map((word) => [word, gender]);
}
