import type { OmittedField } from './bounds.ts';
import { type Document, isDocument, type Json } from './document.ts';
import { describedFields, type Kind, kinds } from './kinds.ts';
import shippedWords from './log-words.json' with { type: 'json' };

/** True for a word, in lower case and without accents, that a value may hold. */
type WordTest = (word: string) => boolean;

type ValueTest = (value: Json, isKnownWord: WordTest) => boolean;

/** The words of a text in lower case, without accents, as they are compared; `camelCase` is two words. */
export function wordsIn(text: string): string[] {
  const folded = text.normalize('NFD').replace(/\p{M}/gu, '');
  const parted = folded.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase();
  return parted.split(/[\s,;_.:/'’-]+/).filter((word) => word !== '');
}

/**
 * The closed vocabulary of the log: the words of `log-words.json`, and what kinds and their fields are called. It has no
 * given name, and grows by a commit or by what the operator accepts, never by what a log holds: a busy moderator is frequent.
 */
let vocabulary: ReadonlySet<string> | null = null;

const readVocabulary = () =>
  new Set([
    ...Object.values(shippedWords).flatMap((lines) => lines.flatMap(wordsIn)),
    ...kinds.flatMap((kind) =>
      [kind.name, kind.plural, ...describedFields(kind).map(({ name }) => name)].flatMap(wordsIn),
    ),
  ]);

const isShipped: WordTest = (word) => {
  vocabulary ??= readVocabulary();
  return vocabulary.has(word);
};

/** Characters that the comparison of words drops, and that can therefore say anything: marks that belong to no letter. */
const hiding = /\p{M}/u;

/** One to five words of the vocabulary, such as a role or an action. */
const words: ValueTest = (value, isKnownWord) => {
  if (typeof value !== 'string' || value.length > 60 || hiding.test(value.normalize('NFC'))) return false;
  const tokens = wordsIn(value);
  return tokens.length > 0 && tokens.length <= 5 && tokens.every(isKnownWord);
};

const wordList: ValueTest = (value, isKnownWord) =>
  Array.isArray(value) && value.every((item) => words(item, isKnownWord));

/** An opaque id: words, a year, then a number too short to be called, a UUID, a ULID, or hexadecimal digits. */
const opaqueId =
  /^(?:(?<before>[a-z][a-z_.:/-]*)[_.:/-])?(?:(?:19|20)\d\d[_/-])?(?:[a-z]\d{0,7}|\d{1,7}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[0-7][\dabcdefghjkmnpqrstvwxyz]{25}|(?=[\da-f]*\d)(?=[\da-f]*[a-f])[\da-f]{16,64})$/i;

const identifier: ValueTest = (value, isKnownWord) => {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.length > 120) return false;
  // Among hexadecimal digits too, ten decimal ones in a row may be a telephone number.
  if (/\d{10}/.test(text)) return false;
  const match = opaqueId.exec(text);
  return match === null ? words(value, isKnownWord) : wordsIn(match.groups?.before ?? '').every(isKnownWord);
};

/** A day or moment as ISO 8601 writes it, or seconds or milliseconds since 1970 between 2001 and 2033. */
const moment: ValueTest = (value) =>
  typeof value === 'number'
    ? (value >= 1e9 && value < 2e9) || (value >= 1e12 && value < 2e12)
    : typeof value === 'string' &&
      /^(?:19|20)\d\d(?:-\d\d(?:-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?)?)?$/i.test(
        value,
      ) &&
      !Number.isNaN(Date.parse(value));

/** A number too short to be called, or a boolean, also as CSV text. */
const amount: ValueTest = (value) => typeof value !== 'object' && /^-?\d{1,6}$/.test(String(value));
const truth: ValueTest = (value) => typeof value === 'boolean' || value === 'true' || value === 'false';

const fields = (test: ValueTest, ...names: string[]) => names.map((name) => [name, test] as const);

/** Allowed fields of the record that was acted on, if it is an object. */
const subject = new Map<string, ValueTest>([
  ...fields(words, 'type', 'kind'),
  ...fields(identifier, 'id', 'slug', 'key'),
]);

const subjectOrId: ValueTest = (value, isKnownWord) =>
  identifier(value, isKnownWord) ||
  (isDocument(value) &&
    Object.entries(value).every(
      ([field, inner]) => subject.has(field) && (isNothing(inner) || subject.get(field)!(inner, isKnownWord)),
    ));

/** Fields that a moderation entry keeps, with a test for their values. */
const allowedFields = new Map<string, ValueTest>([
  ...fields(words, 'role', 'entity_type', 'action', 'operation', 'event', 'target_type', 'record_type'),
  ...fields(words, 'type', 'kind', 'chamber'),
  ...fields(moment, 'date', 'timestamp', 'time', 'created_at', 'updated_at', 'published_at', 'occurred_at'),
  ...fields(moment, 'performed_at', 'acted_at'),
  ...fields(identifier, 'id', 'entity_id', 'entity_slug', 'entity_key', 'record_id', 'target_id'),
  ...fields(subjectOrId, 'entity', 'record', 'target'),
  ...fields(words, 'status', 'result', 'outcome', 'reason', 'category', 'severity', 'visibility', 'language'),
  ...fields(words, 'field'),
  ...fields(wordList, 'fields', 'changed_fields'),
  ...fields(amount, 'count', 'version', 'revision', 'changes_count', 'duration_ms'),
  ...fields(truth, 'automatic', 'automated', 'is_automatic', 'bulk', 'is_bulk', 'reverted', 'is_reverted'),
]);

/** The columns that may be kept of a kind: those of the log only if an entry may have them. */
export function keptColumns<Names extends string[] | null>(kind: Pick<Kind, 'name'>, columns: Names): Names {
  return kind.name === 'audit' && columns ? (columns.filter((name) => testOf(name)) as Names) : columns;
}

/** A key of the log that tells of no person; null for any other. */
export function anonymousKey(key: string | null): string | null {
  return key !== null && (moment(key, isShipped) || identifier(key, isShipped)) ? key : null;
}

/**
 * A moderation entry without values that may identify a person, and the names of their fields. Returns the same object if
 * nothing is withheld. `accepted` are words beyond the vocabulary.
 */
export function anonymised(entry: Document, accepted: ReadonlySet<string> = new Set()) {
  const isKnownWord: WordTest = (word) => isShipped(word) || accepted.has(word);
  const isAllowed = (field: string, value: Json) =>
    isNothing(value) ? testOf(field) !== undefined : testOf(field)?.(value, isKnownWord);
  const fields = Object.entries(entry);
  const allowedEntries = fields.filter(([field, value]) => isAllowed(field, value));
  if (allowedEntries.length === fields.length) return { entry, leftOut: [] };
  const leftOut = fields.filter(([field, value]) => !isAllowed(field, value) && !isNothing(value));
  return {
    entry: Object.fromEntries(allowedEntries),
    leftOut: leftOut.map(([field]) => anonymousField(field)),
  };
}

function testOf(field: string): ValueTest | undefined {
  return allowedFields.get(field.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase());
}

const isNothing = (value: Json | undefined): boolean => value === null || value === undefined || value === '';

/** What an entry was taken without, told without its key. */
export function anonymousOmission({ field, reason }: OmittedField): OmittedField {
  return { record: 'audit', field: anonymousField(field), reason };
}

/** Field names are told only if they are of the vocabulary: they too may name a person. */
function anonymousField(field: string): string {
  return words(field, isShipped) ? field : '(a field whose name is no word)';
}
