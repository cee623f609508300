import { type Document, type Json, textOf } from './document.ts';

/** A field that a record was kept without, and why. */
export type OmittedField = { record: string; field: string; reason: string };

/** SQLite reads no JSON of more than 1,000 levels, and recursion ends a program long before the service ends a record. */
const maxRecordLevels = 100;

/** No record that people wrote is longer; a field of more is kept out of memory and of the index. */
export const maxRecordChars = 16 * 2 ** 20;

const tooDeep = `nested more than ${maxRecordLevels} levels deep`;
const tooLong = `longer than ${maxRecordChars} characters`;

/**
 * The record without the fields that are nested too deep or are too long, which are added to `excess`; the very record
 * where there are none. Whatever comes from outside passes here before anything else looks into it; `unread` are the
 * fields that were left out before, as too long.
 */
export function omitOversizeFields(
  document: Document,
  excess: OmittedField[],
  unread: string[] = [],
): Document {
  const over = unread.map((field) => ({ field, reason: tooLong }));
  over.push(
    ...Object.entries(document).flatMap(([field, value]) => {
      const reason = excessOf(value);
      return reason === null ? [] : [{ field, reason }];
    }),
  );
  if (over.length === 0) return document;
  const left = new Set(over.map(({ field }) => field));
  const kept = Object.fromEntries(Object.entries(document).filter(([field]) => !left.has(field)));
  const record = textOf(kept, 'slug', 'id', 'scrutin_id', 'title')?.slice(0, 100) ?? 'a record without a key';
  for (const { field, reason } of over) excess.push({ record, field: field.slice(0, 100), reason });
  return kept;
}

/** Why a value is more than can be kept, or null; goes through it level by level, for its depth may be any. */
function excessOf(value: Json): string | null {
  if (typeof value === 'string') return value.length > maxRecordChars ? tooLong : null;
  if (typeof value !== 'object' || value === null) return null;
  let chars = 0;
  let level: (Json[] | Document)[] = [value];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > maxRecordLevels) return tooDeep;
    const next: (Json[] | Document)[] = [];
    for (const each of level)
      for (const inner of Array.isArray(each) ? each : Object.values(each)) {
        chars += typeof inner === 'string' ? inner.length : 1;
        if (typeof inner === 'object' && inner !== null) next.push(inner);
      }
    if (chars > maxRecordChars) return tooLong;
    level = next;
  }
  return null;
}

/** True for JSON that nests deeper than a record may, by its text alone. */
export function isTextTooDeep(json: string): boolean {
  let [depth, isQuoted] = [0, false];
  for (let at = 0; at < json.length; at += 1) {
    const mark = json[at];
    if (mark === '"') isQuoted = !isQuoted;
    else if (isQuoted) at += mark === '\\' ? 1 : 0;
    else if (mark === '[' || mark === '{') depth += 1;
    else if (mark === ']' || mark === '}') depth -= 1;
    if (depth > maxRecordLevels) return true;
  }
  return false;
}
