import { type Document, isDocument, type Json } from '../../model/document.ts';
import { beginning } from './fit.ts';
import { fieldsOf } from './named-sources.ts';

/** Fields whose null a model must not fill in from counts. */
const outcomes = ['result', 'position', 'required', 'margin'];

/** How often each field is null. */
export function nullCounts(records: Json): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [name, inner] of fieldsOf(records))
    if (inner === null) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** What a model is told of the fields that are null. */
export function nullNotes(counts: Map<string, number>): string[] {
  if (counts.size === 0) return [];
  const named = [...counts].slice(0, 12).map(([name, count]) => `${beginning(name, 60)} ${count}`);
  const unstated = outcomes.filter((name) => counts.has(name));
  const note = `absent or null is what is not stated, or cannot be told; never 0, "no" or a guess (${named.join(', ')})`;
  if (unstated.length === 0) return [note];
  const names = unstated.join(', ');
  return [note, `${names}: null must be told as "not stated"; counts do not stand in for it`];
}

/** A row without the fields left to another tool and without nulls, but for those that must be told as not stated. */
export function rowStated(row: Document, left: readonly string[]): Document {
  const kept = Object.entries(row).filter(
    ([name, value]) => !left.includes(name) && (value !== null || outcomes.includes(name)),
  );
  return Object.fromEntries(
    kept.map(([name, value]) => [name, Array.isArray(value) ? value.map(innerStated) : innerStated(value)]),
  );
}

const innerStated = (value: Json): Json => (isDocument(value) ? rowStated(value, []) : value);
