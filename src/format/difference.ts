import { type Change, diffWordsWithSpace } from 'diff';
import { isDocument, type Json } from '../model/document.ts';
import type { FieldChange } from '../model/normal-form.ts';
import { clauses, type Speech } from '../words/speech.ts';
import { escapeHtml } from './html.ts';
import { sanitiseLine } from './sanitise.ts';

const timeoutMs = 2000; // Longest time for a comparison of two texts.

/** Compares texts word by word; returns common, added and removed parts in order, or null after two seconds. */
export const compareWords = (old: string, next: string): Change[] | null =>
  diffWordsWithSpace(old, next, { timeout: timeoutMs }) ?? null;

/** Returns items removed and added, in order; a single value counts as a list of one, null as an empty list. */
export function compareItems(old: Json, next: Json): { removedItems: Json[]; addedItems: Json[] } {
  const oldItems = toList(old);
  const newItems = toList(next);
  return { removedItems: itemsOutside(oldItems, newItems), addedItems: itemsOutside(newItems, oldItems) };
}

const toList = (value: Json) => (Array.isArray(value) ? value : value === null ? [] : [value]);

/** The items that `otherItems` lacks; items with the same JSON are equal. */
function itemsOutside(items: Json[], otherItems: Json[]): Json[] {
  const otherTexts = new Set(otherItems.map((item) => JSON.stringify(item)));
  return items.filter((item) => !otherTexts.has(JSON.stringify(item)));
}

/** Returns changed fields as an HTML list with `del` and `ins`, each under its label; empty without any. */
export function changesHtml(fields: readonly FieldChange[], speech: Speech): string {
  if (fields.length === 0) return '';
  const facts = fields.map(
    ({ field, old, new: next }) =>
      `<dt>${escapeHtml(sanitiseLine(speech.field(field)))}</dt><dd>${differenceHtml(old, next, speech)}</dd>`,
  );
  return `<dl>${facts.join('')}</dl>`;
}

/** Returns a changed value as HTML: texts by word, lists by item; `labelOf` labels the fields of an item. */
export function differenceHtml(old: Json, next: Json, speech: Speech, labelOf = speech.field): string {
  const mark = (tag: 'del' | 'ins', value: Json) =>
    `<${tag}>${escapeHtml(sanitiseLine(valueText(value, speech, labelOf)))}</${tag}>`;
  if (Array.isArray(old) || Array.isArray(next)) {
    const { removedItems, addedItems } = compareItems(old, next);
    const items = [
      ...removedItems.map((item) => `<li>${mark('del', item)}</li>`),
      ...addedItems.map((item) => `<li>${mark('ins', item)}</li>`),
    ];
    return `<ul>${items.join('')}</ul>`;
  }
  if (typeof old === 'string' && typeof next === 'string') {
    const segments = compareWords(sanitiseLine(old), sanitiseLine(next));
    if (segments) return segments.map(segmentHtml).join('');
  }
  return [old === null ? '' : mark('del', old), next === null ? '' : mark('ins', next)].filter(Boolean).join(' ');
}

function valueText(value: Json, speech: Speech, labelOf: Speech['field']): string {
  if (Array.isArray(value)) return speech.render(clauses(value.map((each) => valueText(each, speech, labelOf))));
  if (!isDocument(value)) return String(value);
  return Object.entries(value)
    .filter(([, each]) => each !== null)
    .map(([name, each]) => `${labelOf(name)} ${valueText(each, speech, labelOf)}`)
    .join(', ');
}

function segmentHtml({ value, added, removed }: Change): string {
  if (removed) return `<del>${escapeHtml(value)}</del>`;
  return added ? `<ins>${escapeHtml(value)}</ins>` : escapeHtml(value);
}
