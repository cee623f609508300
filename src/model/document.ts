export type Json = null | boolean | number | string | Json[] | { [field: string]: Json };

/** One record in the service's spelling, including unknown fields. */
export type Document = { [field: string]: Json };

/** True for a JSON object, false for arrays, null and scalars. */
export function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object of a JSON text; null for any other text. */
export function parseDocument(text: string): Document | null {
  try {
    const value: unknown = JSON.parse(text);
    return isDocument(value) ? value : null;
  } catch {
    return null;
  }
}

/** The value of the first of `fields` that is a non-empty string or a number, as a string; null if there is none. */
export function textOf(document: Document, ...fields: string[]): string | null {
  for (const field of fields) {
    const value = document[field];
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number') return String(value);
  }
  return null;
}

/** The strings among the values of `fields`, in order; they may be empty. */
export const stringsOf = (document: Document, fields: readonly string[]): string[] =>
  fields.map((field) => document[field]).filter((value) => typeof value === 'string');

/** The slug in a reference, which is a slug or an object with `slug` or `id`; otherwise null. */
export function slugOf(reference: Json | undefined): string | null {
  if (typeof reference === 'string') return reference === '' ? null : reference;
  return isDocument(reference) ? textOf(reference, 'slug', 'id') : null;
}

/** The objects in a list, in order; empty if the value is no list. */
export const documentsIn = (value: unknown): Document[] => (Array.isArray(value) ? value.filter(isDocument) : []);

/** The value with every text changed, names of fields included. */
export function mapTexts<Value extends Json>(value: Value, change: (text: string) => string): Value;
export function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change));
  if (!isDocument(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [change(name), mapTexts(inner, change)]));
}

/** The parts of a comma-separated list, trimmed and without empty ones. */
export const partsOfList = (text: string): string[] => text.split(',').flatMap((part) => part.trim() || []);

/** Yields the items in batches of `size`; the last may be smaller. */
export function* inBatches<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let batch: Item[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** JSON texts of a record in a mirror: its row of the dataset, and its detail. */
export type RecordTexts = { row: string | null; detail: string | null };

/** The most complete document of a record: its detail, with missing and null fields from its row. */
export function documentOf({ row, detail }: RecordTexts): Document {
  const document: Document = detail ? JSON.parse(detail) : {};
  if (!row) return document;
  const rowDocument: Document = JSON.parse(row);
  if (!detail) return rowDocument;
  for (const [field, value] of Object.entries(rowDocument)) document[field] ??= value;
  return document;
}

/** The distinct ids of the sources that a record names; a number is its decimal text, as in keys. */
export function sourceIdsOf({ source_ids }: Document): Set<string> {
  const ids = Array.isArray(source_ids) ? source_ids : [];
  return new Set(ids.flatMap((id) => textOf({ id }, 'id') ?? []));
}

/** Detects integers beyond a double's precision; a false match inside a string only costs an exact parse. */
const longIntegerPattern = /[:,[]\s*-?\d{16,}\s*[,}\]]/;

/** Parses JSON with integers beyond a double's precision as strings, so that ids stay distinct. Throws SyntaxError. */
export function parseExactJson(text: string, { usesDoubles = false } = {}): { value: Json; text: string } {
  if (!longIntegerPattern.test(text)) return { value: JSON.parse(text), text };
  let isChanged = false;
  const exact: Json = JSON.parse(text, (_name, each: Json, { source = '' }: { source?: string } = {}) => {
    // A writer that used doubles already rounded: an integer that prints with the same digits stays a number.
    if (!isUnsafeInteger(each) || !/^-?\d+$/.test(source) || (usesDoubles && source === `${each}`)) return each;
    isChanged = true;
    return source;
  });
  return { value: exact, text: isChanged ? JSON.stringify(exact) : text };
}

const isUnsafeInteger = (value: Json): value is number => Number.isInteger(value) && !Number.isSafeInteger(value);
