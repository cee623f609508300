import { type Document, isDocument, type Json } from './document.ts';

type ValueTest = (value: Json) => boolean;

const address = /@|\d{1,3}(?:\.\d{1,3}){3}|(?:[0-9a-f]{0,4}:){2,}[0-9a-f]{0,4}/i;

/** Mentions of a person in a text: a name, a phone number, an address in words. */
const mention =
  /(?:^| )\p{Ll}[\p{L}\p{M}]* \p{Lu}[\p{L}\p{M}'’-]+ \p{Lu}[\p{L}\p{M}'’-]+|(?:^| )(?:by|par) \p{Lu}|(?:\d[ .:/-]?){8}| (?:at|arobase) \S+\.\p{L}{2}/u;

/** One to five words, such as a role or an action; no address and no person's name. */
const words: ValueTest = (value) =>
  typeof value === 'string' &&
  value.length <= 60 &&
  /^[\p{L}\p{M}\p{N}]+(?:[ _.:/'’-][\p{L}\p{M}\p{N}]+){0,4}$/u.test(value) &&
  !address.test(value) &&
  !mention.test(value);

/** An identifier-like word: `duplicate`, `source_missing`. */
const term: ValueTest = (value) => typeof value === 'string' && /^[a-z][a-z0-9_-]{0,39}$/.test(value);

const identifier: ValueTest = (value) =>
  typeof value === 'number' ||
  (typeof value === 'string' && /^[\w.:/-]{1,200}$/.test(value) && !address.test(value));

const moment: ValueTest = (value) =>
  (typeof value === 'number' && Number.isFinite(value)) ||
  (typeof value === 'string' && /^[-\d:.+TZ ]{4,40}$/i.test(value) && !Number.isNaN(Date.parse(value)));

/** A number or boolean, also as CSV text. */
const amount: ValueTest = (value) => typeof value === 'number' || /^-?\d{1,9}$/.test(String(value));
const truth: ValueTest = (value) => typeof value === 'boolean' || value === 'true' || value === 'false';
const terms: ValueTest = (value) => Array.isArray(value) && value.every(term);

const fields = (test: ValueTest, ...names: string[]) => names.map((name) => [name, test] as const);

/** Allowed fields of the record that was acted on, if it is an object. */
const subject = new Map<string, ValueTest>([
  ...fields(words, 'type', 'kind'),
  ...fields(identifier, 'id', 'slug', 'key'),
]);

const subjectOrId: ValueTest = (value) =>
  identifier(value) ||
  (isDocument(value) &&
    Object.entries(value).every(([field, inner]) => isNothing(inner) || subject.get(field)?.(inner)));

/** Fields that a moderation entry keeps, with a test for their values. */
const allowedFields = new Map<string, ValueTest>([
  ...fields(words, 'role', 'entity_type', 'action', 'operation', 'event', 'target_type', 'record_type'),
  ...fields(words, 'type', 'kind', 'chamber'),
  ...fields(moment, 'date', 'timestamp', 'time', 'created_at', 'updated_at', 'published_at', 'occurred_at'),
  ...fields(moment, 'performed_at', 'acted_at'),
  ...fields(identifier, 'id', 'entity_id', 'entity_slug', 'entity_key', 'record_id', 'target_id'),
  ...fields(subjectOrId, 'entity', 'record', 'target'),
  ...fields(term, 'status', 'result', 'outcome', 'reason', 'category', 'severity', 'visibility', 'language'),
  ...fields(term, 'field'),
  ...fields(terms, 'fields', 'changed_fields'),
  ...fields(amount, 'count', 'version', 'revision', 'changes_count', 'duration_ms'),
  ...fields(truth, 'automatic', 'automated', 'is_automatic', 'bulk', 'is_bulk', 'reverted', 'is_reverted'),
]);

/** True for a field that a moderation entry may have. */
export function isAllowedField(field: string): boolean {
  return allowedFields.has(snakeCase(field));
}

/**
 * A moderation entry without fields that may identify a person, and the names of the omitted fields. Returns the same
 * object if nothing is omitted.
 */
export function anonymised(entry: Document): { entry: Document; leftOut: string[] } {
  const fields = Object.entries(entry);
  const kept = fields.filter(([field, value]) => isAllowed(field, value));
  if (kept.length === fields.length) return { entry, leftOut: [] };
  const leftOut = fields.filter(([field, value]) => !isAllowed(field, value) && !isNothing(value));
  return { entry: Object.fromEntries(kept), leftOut: leftOut.map(([field]) => safeFieldName(field)) };
}

function isAllowed(field: string, value: Json): boolean {
  const shape = allowedFields.get(snakeCase(field));
  return shape !== undefined && (isNothing(value) || shape(value));
}

function isNothing(value: Json | undefined): boolean {
  return value === null || value === undefined || value === '';
}

function snakeCase(field: string): string {
  return field.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
}

/** Field names are reported only if they look like one: they too may name a person. */
function safeFieldName(field: string): string {
  return /^[a-z][a-z0-9_]{0,39}$/i.test(field) ? field : '(a field whose name is no word)';
}
