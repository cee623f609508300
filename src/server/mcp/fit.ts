import { truncateText } from '../../format/sanitise.ts';
import { isDocument, type Json } from '../../model/document.ts';

/** A truncated text, list or object: how many of its units the result contains, and of how many. */
export type Cut = { path: string; shown: number; of: number; unit: 'characters' | 'items' | 'fields' };

/** Maximum characters of a text and items of a list; an object may have four times as many fields. */
type Limits = { characters: number; items: number };

/** Limits to try in turn until the value fits. */
const limitSteps: Limits[] = [
  { characters: Number.POSITIVE_INFINITY, items: Number.POSITIVE_INFINITY },
  { characters: 6000, items: 200 },
  { characters: 2500, items: 60 },
  { characters: 1000, items: 25 },
  { characters: 400, items: 12 },
  { characters: 160, items: 6 },
  { characters: 80, items: 3 },
  { characters: 40, items: 1 },
];

/** Returns the value truncated to `maxLength` characters of JSON, with its cuts; the value is null if it cannot fit. */
export function truncateJson(value: Json, maxLength: number): { value: Json; cuts: Cut[] } {
  for (const limits of limitSteps) {
    const cuts: Cut[] = [];
    const truncatedValue = truncateTo(value, { limits, cuts, path: '' });
    if (JSON.stringify(truncatedValue).length <= maxLength) return { value: truncatedValue, cuts };
  }
  return { value: null, cuts: [{ path: '', shown: 0, of: JSON.stringify(value).length, unit: 'characters' }] };
}

function truncateTo(value: Json, { limits, cuts, path }: { limits: Limits; cuts: Cut[]; path: string }): Json {
  const innerOptions = (name: string | number) => ({ limits, cuts, path: path === '' ? `${name}` : `${path}.${name}` });
  if (typeof value === 'string') {
    const shownText = truncateText(value, limits.characters);
    if (shownText.length === value.length) return value;
    cuts.push({ path, shown: shownText.length, of: value.length, unit: 'characters' });
    return `${shownText}…`;
  }
  if (Array.isArray(value)) {
    if (value.length > limits.items) cuts.push({ path, shown: limits.items, of: value.length, unit: 'items' });
    return value.slice(0, limits.items).map((each, at) => truncateTo(each, innerOptions(at)));
  }
  if (!isDocument(value)) return value;
  const entries = Object.entries(value);
  const maxFields = 4 * limits.items;
  if (entries.length > maxFields) cuts.push({ path, shown: maxFields, of: entries.length, unit: 'fields' });
  return Object.fromEntries(
    entries.slice(0, maxFields).map(([name, each]) => [truncateText(name, 200), truncateTo(each, innerOptions(name))]),
  );
}

/** Returns a sentence for each of the first cuts, and one with the number of further ones. */
export function truncationSentences(cuts: Cut[]): string[] {
  const sentences = cuts
    .slice(0, maxCuts)
    .map(({ path, shown, of, unit }) => `${truncateText(path, 120) || 'all'}: ${shown} of ${of} ${unit} shown`);
  return cuts.length > maxCuts ? [...sentences, `${cuts.length - maxCuts} more texts and lists were cut`] : sentences;
}

const maxCuts = 8;
