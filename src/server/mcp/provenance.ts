import { truncateText } from '../../format/sanitise.ts';
import { type Document, isDocument, type Json, sourceIdsOf, textOf } from '../../model/document.ts';
import { findKind } from '../../model/kinds.ts';
import type { Mirror } from '../../store/mirror.ts';
import { readRecord } from '../../store/record.ts';
import { sourcesOf } from '../../store/records/profile.ts';
import { truncateJson } from './fit.ts';

const maxSourcesLength = 2500; // characters of JSON

/** Returns a hit with the source ids of its stored record; unchanged if it has them or names no record. */
export function withSources(mirror: Mirror, item: Document): Document {
  const kind = findKind(textOf(item, 'type') ?? '');
  const key = textOf(item, 'slug', 'id');
  if (!kind || key === null || 'source_ids' in item) return item;
  const { source_ids = null } = readRecord(mirror, kind, key) ?? {};
  return { ...item, source_ids };
}

/** Returns the records of the sources that `fields` cites at any depth, with notes if not all are included. */
export function citedSources(mirror: Mirror, fields: Json): { sources: Json[]; notes: string[] } {
  const sourceIds = [...fieldsOf(fields)].flatMap(([name, inner]) =>
    name === 'source_ids' || name === 'source_id' ? [inner].flat() : [],
  );
  const ids = [...sourceIdsOf({ source_ids: sourceIds })];
  const sources: Json[] = [];
  let length = 0;
  const records = sourcesOf(mirror, { source_ids: ids });
  for (const { id, url = null, title = null, publisher = null, date = null } of records) {
    if (url === null && title === null) continue;
    const source = truncateJson({ id: id!, url, title, publisher, date }, 600).value;
    length += JSON.stringify(source).length;
    if (length > maxSourcesLength)
      return { sources, notes: [`sources: ${sources.length} of ${ids.length} shown; record source ID gives one`] };
    sources.push(source);
  }
  return { sources, notes: [] };
}

/** Yields every field of the documents in a value, at any depth. */
function* fieldsOf(value: Json): Generator<[name: string, inner: Json]> {
  if (Array.isArray(value)) for (const each of value) yield* fieldsOf(each);
  else if (isDocument(value))
    for (const [name, inner] of Object.entries(value)) {
      yield [name, inner];
      yield* fieldsOf(inner);
    }
}

/** Fields that a language model must not infer from counts if they are null. */
const outcomeFields = ['result', 'position', 'required', 'margin'];

/** Returns how often each field is null, at any depth. */
export function nullCounts(records: Json): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [name, inner] of fieldsOf(records)) if (inner === null) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Returns notes for the model about null fields, given `nullCounts`; none without nulls. */
export function nullNotes(counts: Map<string, number>): string[] {
  if (counts.size === 0) return [];
  const fieldCounts = [...counts].slice(0, 12).map(([name, count]) => `${truncateText(name, 60)} ${count}`);
  const missingOutcomes = outcomeFields.filter((name) => counts.has(name));
  const note = `absent or null: not stated or not known; never 0, "no" or a guess (${fieldCounts.join(', ')})`;
  if (missingOutcomes.length === 0) return [note];
  return [note, `${missingOutcomes.join(', ')}: report null as "not stated"; do not infer it from counts`];
}

/** Returns a row without omitted fields and nulls; the null outcomes stay, since the model must report them. */
export function compactRow(row: Document, omittedFields: readonly string[]): Document {
  const retainedEntries = Object.entries(row).filter(
    ([name, value]) => !omittedFields.includes(name) && (value !== null || outcomeFields.includes(name)),
  );
  return Object.fromEntries(retainedEntries.map(([name, value]) => [name, compactValue(value)]));
}

function compactValue(value: Json): Json {
  if (Array.isArray(value)) return value.map(compactValue);
  return isDocument(value) ? compactRow(value, []) : value;
}
