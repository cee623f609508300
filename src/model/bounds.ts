import { type Document, isDocument, type Json, mapTexts, textOf } from './document.ts';
import { describedFields, kinds } from './kinds.ts';
import { assignedKeyField } from './normal-form.ts';

export type OmittedField = { record: string; field: string; reason: string };

/** SQLite reads at most 1,000 levels of JSON; recursion in this program fails even sooner. */
const maxRecordLevels = 100;

/** Longest text of a field in UTF-16 units; no real record is longer. */
export const maxRecordChars = 16 * 2 ** 20;

/** Most fields of a record; real ones have some 30. */
export const maxRecordFields = 10_000;

/** Most fields of one record that become columns, which would be empty cells in the rows of all other records. */
export const maxColumnFields = 200;

/** Longest key; a longer one does not fit into an address. */
export const maxKeyChars = 1000;

const keyFields = new Set<string>(kinds.map(({ keyField }) => keyField));
const describedNames = new Set(kinds.flatMap((kind) => describedFields(kind).map(({ name }) => name)));

const tooDeepReason = `nested more than ${maxRecordLevels} levels deep`;
const tooLongReason = `longer than ${maxRecordChars} characters`;

/** Returns a received record reduced to the bounds of a mirror, or the same object; all received records pass here. */
export function receiveRecord(document: Document, omissions: OmittedField[], oversizedFields: string[] = []): Document {
  // Fields that are too deep or long are omitted and added to `omissions`, and texts are made well-formed.
  // `oversizedFields` are names of fields that the parser of a file already omitted as too long.
  const omittedFields = oversizedFields.map((field) => ({ field, reason: tooLongReason }));
  for (const [field, value] of Object.entries(document)) {
    const isLongKey = keyFields.has(field) && typeof value === 'string' && value.length > maxKeyChars;
    const reason = isLongKey ? `longer than the ${maxKeyChars} characters of a key` : sizeProblem(value);
    if (reason !== null) omittedFields.push({ field, reason });
  }
  const surplusFields = fieldsBeyond(maxRecordFields, document);
  const surplusReason = `one of ${surplusFields.length} fields beyond the first ${maxRecordFields}`;
  if (surplusFields[0] !== undefined) omittedFields.push({ field: surplusFields[0], reason: surplusReason });
  if (omittedFields.length === 0) return wellFormed(document);
  const droppedFields = new Set([...omittedFields.map(({ field }) => field), ...surplusFields]);
  const result = Object.fromEntries(Object.entries(document).filter(([field]) => !droppedFields.has(field)));
  const record = textOf(result, 'slug', 'id', 'scrutin_id', 'title')?.slice(0, 100) ?? 'a record without a key';
  for (const { field, reason } of omittedFields) omissions.push({ record, field: field.slice(0, 100), reason });
  return wellFormed(result);
}

/** Names of the fields that become columns: described ones, and others up to `maxColumnFields` in all. */
export function columnFields(document: Document): string[] {
  const fields = Object.keys(document).filter((field) => field !== assignedKeyField);
  if (fields.length <= maxColumnFields) return fields;
  const surplusFields = new Set(fieldsBeyond(maxColumnFields, document));
  return fields.filter((field) => !surplusFields.has(field));
}

/** Names of the undescribed fields beyond `limit` fields, which are the last ones of the record. */
function fieldsBeyond(limit: number, document: Document): string[] {
  const fields = Object.keys(document);
  if (fields.length <= limit) return [];
  const otherFields = fields.filter((field) => !describedNames.has(field));
  return otherFields.slice(Math.max(0, limit - (fields.length - otherFields.length)));
}

/** The value with U+FFFD for each lone surrogate, which UTF-8 cannot encode; the same value if there is none. */
export const wellFormed = <Value extends Json>(value: Value): Value =>
  isWellFormed(value) ? value : mapTexts(value, (text) => text.toWellFormed());

function isWellFormed(value: Json): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormed);
  if (!isDocument(value)) return true;
  for (const name in value) if (!name.isWellFormed() || !isWellFormed(value[name]!)) return false;
  return true;
}

/** Why a value is too large, or null; walks by level, since recursion could overflow the stack. */
function sizeProblem(value: Json): string | null {
  if (typeof value === 'string') return value.length > maxRecordChars ? tooLongReason : null;
  if (typeof value !== 'object' || value === null) return null;
  let chars = 0;
  let level: (Json[] | Document)[] = [value];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > maxRecordLevels) return tooDeepReason;
    const next: (Json[] | Document)[] = [];
    for (const each of level)
      for (const inner of Array.isArray(each) ? each : Object.values(each)) {
        chars += typeof inner === 'string' ? inner.length : 1;
        if (typeof inner === 'object' && inner !== null) next.push(inner);
      }
    if (chars > maxRecordChars) return tooLongReason;
    level = next;
  }
  return null;
}

/** True for JSON text with more than `maxRecordLevels` levels, counted without parsing it. */
export function isTextTooDeep(json: string): boolean {
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) at += character === '\\' ? 1 : 0;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > maxRecordLevels) return true;
  }
  return false;
}
