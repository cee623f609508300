import { sanitiseLine } from '../format/sanitise.ts';
import { isDocument, type Json, slugOf, textOf } from '../model/document.ts';

const listLength = 40;

/** A value as one line for people: an object by its slug or name, a list joined if short, else its count. */
export function cellText(value: Json | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return sanitiseLine(value);
  if (Array.isArray(value)) return listText(value);
  if (!isDocument(value)) return String(value);
  return sanitiseLine(slugOf(value) ?? textOf(value, 'full_name', 'name', 'title') ?? JSON.stringify(value));
}

function listText(list: Json[]): string {
  const joined = list.every((item) => typeof item !== 'object') ? sanitiseLine(list.join(', ')) : null;
  return joined !== null && joined.length <= listLength ? joined : String(list.length);
}
