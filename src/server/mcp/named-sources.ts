import { type Document, isDocument, type Json, textOf } from '../../model/document.ts';
import { findKind } from '../../model/kinds.ts';
import type { Mirror } from '../../store/mirror.ts';
import { readRecord } from '../../store/record.ts';
import { sourcesOf } from '../../store/records/profile.ts';
import { fitted } from './fit.ts';

/** Characters that the sources of an answer may take. */
const mostOfSources = 2500;

/** A hit with the ids of its record's sources. */
export function withSources(mirror: Mirror, item: Document): Document {
  const kind = findKind(textOf(item, 'type') ?? '');
  const key = textOf(item, 'slug', 'id');
  if (!kind || key === null || 'source_ids' in item) return item;
  const { source_ids = null } = readRecord(mirror, kind, key) ?? {};
  return { ...item, source_ids };
}

/** The sources that the records name, from the current mirror. */
export function namedSources(mirror: Mirror, fields: Json): { sources: Json[]; cuts: string[] } {
  const named = [...fieldsOf(fields)].flatMap(([name, inner]) =>
    name === 'source_ids' || name === 'source_id' ? [inner].flat() : [],
  );
  const ids = [...new Set(named)].filter((id) => typeof id === 'string');
  const sources: Json[] = [];
  let length = 0;
  for (const { id, url = null, title = null, publisher = null, date = null } of sourcesOf(mirror, {
    source_ids: ids,
  })) {
    if (url === null && title === null) continue;
    const source = fitted({ id: id!, url, title, publisher, date }, 600).value;
    length += JSON.stringify(source).length;
    if (length > mostOfSources)
      return {
        sources,
        cuts: [`sources: ${sources.length} of ${ids.length} shown; record source ID gives one`],
      };
    sources.push(source);
  }
  return { sources, cuts: [] };
}

/** Every field of a value, at any depth. */
export function* fieldsOf(value: Json): Generator<[name: string, inner: Json]> {
  if (Array.isArray(value)) for (const each of value) yield* fieldsOf(each);
  else if (isDocument(value))
    for (const [name, inner] of Object.entries(value)) {
      yield [name, inner];
      yield* fieldsOf(inner);
    }
}
