import { isDocument, type Json } from '../../model/document.ts';

/** A truncated text, list or object, and how much of it is shown. */
export type Cut = { path: string; shown: number; of: number; unit: 'characters' | 'items' | 'fields' };

type Sizes = { characters: number; items: number; fields: number };

const steps: Sizes[] = [
  [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  [6000, 200],
  [2500, 60],
  [1000, 25],
  [400, 12],
  [160, 6],
  [80, 3],
  [40, 1],
].map(([characters, items]) => ({ characters: characters!, items: items!, fields: 4 * items! }));

/** Returns the value truncated to `maxLength` characters of JSON, and the cuts; the value is null if no step fits. */
export function truncateJson(value: Json, maxLength: number): { value: Json; cuts: Cut[] } {
  for (const sizes of steps) {
    const cuts: Cut[] = [];
    const truncatedValue = truncateTo(value, { sizes, cuts, path: '' });
    if (JSON.stringify(truncatedValue).length <= maxLength) return { value: truncatedValue, cuts };
  }
  const of = JSON.stringify(value).length;
  return { value: null, cuts: [{ path: '', shown: 0, of, unit: 'characters' }] };
}

/** Returns at most `maxLength` UTF-16 units of a text, without splitting a surrogate pair. */
export function firstPart(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '');
}

function truncateTo(value: Json, { sizes, cuts, path }: { sizes: Sizes; cuts: Cut[]; path: string }): Json {
  const pathPrefix = path === '' ? '' : `${path}.`;
  const inner = (name: string | number) => ({ sizes, cuts, path: `${pathPrefix}${name}` });
  if (typeof value === 'string') {
    const shownText = firstPart(value, sizes.characters);
    if (shownText.length === value.length) return value;
    cuts.push({ path, shown: shownText.length, of: value.length, unit: 'characters' });
    return `${shownText}…`;
  }
  if (Array.isArray(value)) {
    if (value.length > sizes.items) cuts.push({ path, shown: sizes.items, of: value.length, unit: 'items' });
    return value.slice(0, sizes.items).map((each, at) => truncateTo(each, inner(at)));
  }
  if (!isDocument(value)) return value;
  const entries = Object.entries(value);
  if (entries.length > sizes.fields) cuts.push({ path, shown: sizes.fields, of: entries.length, unit: 'fields' });
  return Object.fromEntries(
    entries.slice(0, sizes.fields).map(([name, each]) => [firstPart(name, 200), truncateTo(each, inner(name))]),
  );
}

/** Returns the first cuts as sentences, and the number of further ones. */
export function cutSentences(cuts: Cut[]): string[] {
  const sentences = cuts
    .slice(0, maxListedCuts)
    .map(({ path, shown, of, unit }) => `${firstPart(path, 120) || 'all'}: ${shown} of ${of} ${unit} shown`);
  return cuts.length > maxListedCuts
    ? [...sentences, `${cuts.length - maxListedCuts} more texts and lists were cut`]
    : sentences;
}

const maxListedCuts = 8;
