import { diffWordsWithSpace } from 'diff';
import { isDocument, type Json } from '../model/document.ts';
import type { FieldChange } from '../model/normal-form.ts';
import { escapeHtml } from './html.ts';
import { sanitiseLine } from './sanitise.ts';

/** An interval of two compared texts: in both, only in the older, or only in the newer. */
export type Stretch = { text: string; in: 'both' | 'old' | 'new' };

/** Longest time for a comparison: beyond it, a diff takes longer than a reader waits. */
const timeoutMs = 2000;

/** Two texts compared word by word; null if the comparison exceeds its timeout. */
export function wordsCompared(old: string, next: string): Stretch[] | null {
  const parts = diffWordsWithSpace(old, next, { timeout: timeoutMs });
  return (
    parts?.map(({ value, added, removed }) => ({
      text: value,
      in: removed ? 'old' : added ? 'new' : 'both',
    })) ?? null
  );
}

/** Items removed and added, in order; a single value counts as a list of one, null as an empty list. */
export function itemsCompared(old: Json, next: Json): { removedItems: Json[]; come: Json[] } {
  const before = itemsOf(old);
  const after = itemsOf(next);
  const had = textsOf(before);
  const has = textsOf(after);
  return {
    removedItems: before.filter((item) => !has.has(JSON.stringify(item))),
    come: after.filter((item) => !had.has(JSON.stringify(item))),
  };
}

const itemsOf = (value: Json) => (Array.isArray(value) ? value : value === null ? [] : [value]);
const textsOf = (items: Json[]) => new Set(items.map((item) => JSON.stringify(item)));

/** Changed fields as HTML with `del` and `ins`, each under its label. */
export function changesHtml(fields: readonly FieldChange[], called: (field: string) => string): string {
  if (fields.length === 0) return '';
  const facts = fields.map(
    ({ field, old, new: next }) =>
      `<dt>${escapeHtml(sanitiseLine(called(field)))}</dt><dd>${differenceHtml(old, next, called)}</dd>`,
  );
  return `<dl>${facts.join('')}</dl>`;
}

/** A changed value as HTML: texts by word, lists by item; `called` labels the fields of an item. */
export function differenceHtml(old: Json, next: Json, called = (name: string) => name.replaceAll('_', ' ')) {
  const marked = (tag: 'del' | 'ins', value: Json) =>
    `<${tag}>${escapeHtml(sanitiseLine(wordsOf(value, called)))}</${tag}>`;
  if (Array.isArray(old) || Array.isArray(next)) {
    const { removedItems, come } = itemsCompared(old, next);
    const items = [
      ...removedItems.map((item) => `<li>${marked('del', item)}</li>`),
      ...come.map((item) => `<li>${marked('ins', item)}</li>`),
    ];
    return `<ul>${items.join('')}</ul>`;
  }
  if (typeof old === 'string' && typeof next === 'string') {
    const stretches = wordsCompared(sanitiseLine(old), sanitiseLine(next));
    if (stretches) return stretches.map(stretchHtml).join('');
  }
  return [old === null ? '' : marked('del', old), next === null ? '' : marked('ins', next)].filter(Boolean).join(' ');
}

function wordsOf(value: Json, called: (name: string) => string): string {
  if (Array.isArray(value)) return value.map((each) => wordsOf(each, called)).join('; ');
  if (!isDocument(value)) return String(value);
  return Object.entries(value)
    .filter(([, each]) => each !== null)
    .map(([name, each]) => `${called(name)} ${wordsOf(each, called)}`)
    .join(', ');
}

function stretchHtml({ text, in: where }: Stretch): string {
  if (where === 'both') return escapeHtml(text);
  return where === 'old' ? `<del>${escapeHtml(text)}</del>` : `<ins>${escapeHtml(text)}</ins>`;
}
