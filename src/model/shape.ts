import { type Document, isDocument, type Json } from './document.ts';

/** Statistics of one field over several records: how many have it, how many with content, and counts by JSON type. */
export type FieldShape = {
  present: number;
  filled: number;
  types: Record<string, number>;
  /** Forms of its texts: `day`, `uuid`, `slug`, … or a mask such as `A9A9`. */
  forms: Record<string, number>;
  /** Short texts with counts; null if there are too many for an enumeration. */
  values: Record<string, number> | null;
};

/** Shape of responses: number of records, and statistics by path (`date`, `totals.for`, `votes_by_party[].party`). */
export type Shape = { records: number; fields: Record<string, FieldShape>; envelope: Envelope | null };

/** Paths of the list or record, the total and the cursor in a response, null if absent; `parted`: CSV delimiter. */
export type Envelope = { body: string | null; total: string | null; cursor: string | null; parted?: string };

export const emptyField = (): FieldShape => ({ present: 0, filled: 0, types: {}, forms: {}, values: {} });

export const emptyShape = (): Shape => ({ records: 0, fields: {}, envelope: null });

const maxFields = 300; // paths in a shape
const maxElements = 20; // items read of one list
const maxDepth = 3; // levels of objects
const maxKeys = 60; // keys of an inner object
const maxValues = 24; // distinct texts of an enumeration
const maxValueLength = 40; // characters of a text in an enumeration
const maxForms = 12; // forms of one field

export function addRecord(shape: Shape, record: Document): void {
  shape.records += 1;
  addFields(shape, { prefix: '', document: record, depth: 1 });
}

type ShapeEntry = { prefix: string; document: Document; depth: number };

function addFields(shape: Shape, { prefix, document, depth }: ShapeEntry): void {
  const entries = Object.entries(document);
  // A map whose keys are data, not field names.
  if (depth > 1 && entries.length > maxKeys) return;
  for (const [name, value] of entries) addValue(shape, { path: `${prefix}${name}`, value, depth });
}

function addValue(shape: Shape, { path, value, depth }: { path: string; value: Json; depth: number }): void {
  const storedField = ownValue(shape.fields, path);
  if (!storedField && Object.keys(shape.fields).length >= maxFields) return;
  const field = storedField ?? emptyField();
  if (!storedField) defineValue(shape.fields, path, field);
  field.present += 1;
  if (value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)) return;
  field.filled += 1;
  const isText = typeof value === 'string';
  const textType = isText && garbledPattern.test(value) ? 'garbled text' : 'text';
  addCount(field.types, isText ? textType : Array.isArray(value) ? 'list' : typeof value);
  if (isText) addText(field, value);
  if (depth >= maxDepth && typeof value === 'object') return;
  if (Array.isArray(value))
    for (const item of value.slice(0, maxElements)) addValue(shape, { path: `${path}[]`, value: item, depth });
  else if (isDocument(value)) addFields(shape, { prefix: `${path}.`, document: value, depth: depth + 1 });
}

/** UTF-8 text that was decoded as Latin-1 or Windows-1252 and encoded again: `Ã©`, `Â«`, `â€™`. */
const garbledPattern = /[ÃÂ][\u0080-\u00bf]|â(?:€|\u0080)/;

function addText(field: FieldShape, text: string): void {
  const form = formOf(text);
  const isTracked = Object.hasOwn(field.forms, form) || Object.keys(field.forms).length < maxForms;
  addCount(field.forms, isTracked ? form : 'other');
  if (field.values === null) return;
  // Days, numbers and other named forms are no words of an enumeration.
  const isWordForm = form === 'slug' || !namedForms.some(([name]) => name === form);
  if (!isWordForm || text.length > maxValueLength) field.values = null;
  else addCount(field.values, text);
  if (field.values && Object.keys(field.values).length > maxValues) field.values = null;
}

const namedForms: [form: string, pattern: RegExp][] = [
  ['day', /^\d{4}-\d\d-\d\d$/],
  ['moment', /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/],
  ['day/month/year', /^\d{1,2}[/.]\d{1,2}[/.]\d{4}$/],
  ['year/month/day', /^\d{4}[/.]\d\d[/.]\d\d$/],
  ['uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
  ['address', /^https?:\/\//i],
  ['number', /^[+-]?\d+([.,]\d+)?$/],
  ['hex', /^(?=.*\d)[0-9a-f]{16,}$/],
  ['slug', /^[a-z0-9]+(-[a-z0-9]+)*$/],
];

/** Form of a text: a named form, a mask for codes with digits (`A9A9`), or `words`. */
export function formOf(text: string): string {
  const namedForm = namedForms.find(([, pattern]) => pattern.test(text));
  if (namedForm) return namedForm[0];
  if (/\s/.test(text) || !/\d/.test(text) || text.length > maxValueLength) return 'words';
  return text
    .replace(/\p{Lu}+/gu, 'A')
    .replace(/\p{Ll}+/gu, 'a')
    .replace(/\d+/g, '9');
}

function addCount(counts: Record<string, number>, name: string, times = 1): void {
  defineValue(counts, name, (ownValue(counts, name) ?? 0) + times);
}

/** Own property of a table; a name from outside may be `constructor` or `__proto__`. */
export function ownValue<Value>(table: Record<string, Value>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function defineValue<Value>(table: Record<string, Value>, name: string, value: Value): void {
  Object.defineProperty(table, name, { value, enumerable: true, configurable: true, writable: true });
}

const maxRecords = 4000;

/** Returns the sum of two shapes; the older one is weighted down so that both have at most `maxRecords` together. */
export function mergeShapes(older: Shape, newer: Shape): Shape {
  const weight = Math.min(1, maxRecords / Math.max(1, older.records + newer.records));
  const names = [...new Set([...Object.keys(older.fields), ...Object.keys(newer.fields)])];
  const fields = names
    .slice(0, maxFields)
    .map((name) => [name, mergeFields(ownValue(older.fields, name), ownValue(newer.fields, name), weight)] as const);
  return {
    records: older.records * weight + newer.records,
    fields: Object.fromEntries(fields),
    // The last page has no cursor.
    envelope: newer.envelope
      ? { ...newer.envelope, cursor: newer.envelope.cursor ?? older.envelope?.cursor ?? null }
      : older.envelope,
  };
}

function mergeFields(older: FieldShape | undefined, newer: FieldShape | undefined, olderWeight: number): FieldShape {
  const olderField = weighField(older ?? emptyField(), olderWeight);
  const newerField = newer ?? emptyField();
  const values = olderField.values && newerField.values ? addCounts(olderField.values, newerField.values) : null;
  return {
    present: olderField.present + newerField.present,
    filled: olderField.filled + newerField.filled,
    types: addCounts(olderField.types, newerField.types),
    forms: addCounts(olderField.forms, newerField.forms),
    values: values && Object.keys(values).length > maxValues ? null : values,
  };
}

/** Statistics of a field with each record multiplied by the weight. */
export function weighField({ present, filled, types, forms, values }: FieldShape, weight: number): FieldShape {
  const weighCounts = (counts: Record<string, number>) =>
    Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, value * weight]));
  return {
    present: present * weight,
    filled: filled * weight,
    types: weighCounts(types),
    forms: weighCounts(forms),
    values: values && weighCounts(values),
  };
}

function addCounts(older: Record<string, number>, newer: Record<string, number>) {
  const result = { ...older };
  for (const [name, value] of Object.entries(newer)) addCount(result, name, value);
  return result;
}

/** Number of records (for an inner field: objects; for `path[]`: items) that could have the field. */
export function possibleCount(shape: Shape, path: string): number {
  if (path.endsWith('[]')) return ownValue(shape.fields, path)?.present ?? 0;
  const dot = path.lastIndexOf('.');
  if (dot < 0) return shape.records;
  return ownValue(shape.fields, path.slice(0, dot))?.types.object ?? 0;
}
