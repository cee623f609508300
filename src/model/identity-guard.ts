import type { OmittedField } from './bounds.ts';
import { type Document, isDocument, type Json } from './document.ts';
import { describedFields, type Kind, kinds } from './kinds.ts';
import shippedWords from './log-words.json' with { type: 'json' };
import { givenKey } from './normal-form.ts';

/** True if a value may contain the word, which is in lower case and without accents. */
type WordTest = (word: string) => boolean;

type ValueTest = (value: Json, isKnownWord: WordTest) => boolean;

/** The words of a text in lower case, without accents; `camelCase` gives two words. */
export function wordsIn(text: string): string[] {
  const folded = text.normalize('NFD').replace(/\p{M}/gu, '');
  const parted = folded.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase();
  return parted.split(/[\s,;_.:/'’-]+/).filter((word) => word !== '');
}

// Closed vocabulary of the log: `log-words.json`, and names of kinds and fields. It has no given names and grows by
// commits and the operator's approval, never from logs: a moderator's name may be frequent there.
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

/** Marks that belong to no letter: `wordsIn` drops them, so they could encode any text. */
const hiding = /\p{M}/u;

/** One to five words of the vocabulary, such as a role or an action. */
const words: ValueTest = (value, isKnownWord) => {
  if (typeof value !== 'string' || value.length > 60 || hiding.test(value.normalize('NFC'))) return false;
  const tokens = wordsIn(value);
  return tokens.length > 0 && tokens.length <= 5 && tokens.every(isKnownWord);
};

const wordList: ValueTest = (value, isKnownWord) =>
  Array.isArray(value) && value.every((item) => words(item, isKnownWord));

/** An opaque id: words, a year, then a UUID, a ULID, hexadecimal digits, or fewer digits than a telephone number. */
const opaqueId =
  /^(?:(?<before>[a-z][a-z_.:/-]*)[_.:/-])?(?:(?:19|20)\d\d[_/-])?(?:[a-z]\d{0,7}|\d{1,7}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[0-7][\dabcdefghjkmnpqrstvwxyz]{25}|(?=[\da-f]*\d)(?=[\da-f]*[a-f])[\da-f]{16,64})$/i;

const identifier: ValueTest = (value, isKnownWord) => {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.length > 120) return false;
  // Ten decimal digits in a row may be a telephone number, even among hexadecimal digits.
  if (/\d{10}/.test(text)) return false;
  const match = opaqueId.exec(text);
  return match === null ? words(value, isKnownWord) : wordsIn(match.groups?.before ?? '').every(isKnownWord);
};

/** An ISO 8601 day or moment, or a Unix time in seconds or milliseconds between 2001 and 2033. */
const moment: ValueTest = (value) =>
  typeof value === 'number'
    ? (value >= 1e9 && value < 2e9) || (value >= 1e12 && value < 2e12)
    : typeof value === 'string' &&
      /^(?:19|20)\d\d(?:-\d\d(?:-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?)?)?$/i.test(
        value,
      ) &&
      !Number.isNaN(Date.parse(value));

/** A number too short for a telephone number, or a boolean, also as CSV text. */
const amount: ValueTest = (value) => typeof value !== 'object' && /^-?\d{1,6}$/.test(String(value));
const truth: ValueTest = (value) => typeof value === 'boolean' || value === 'true' || value === 'false';

const fields = (test: ValueTest, ...names: string[]) => names.map((name) => [name, test] as const);

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

const allowedFields = new Map<string, ValueTest>([
  ...fields(words, 'role', 'entity_type', 'action', 'operation', 'event', 'target_type', 'record_type'),
  ...fields(words, 'type', 'kind', 'chamber'),
  ...fields(moment, 'date', 'timestamp', 'time', 'created_at', 'updated_at', 'published_at', 'occurred_at'),
  ...fields(moment, 'performed_at', 'acted_at'),
  ...fields((value) => /^sha256:[\da-f]{32}(?:~\d{1,6})?$/.test(String(value)), givenKey),
  ...fields(identifier, 'id', 'entity_id', 'entity_slug', 'entity_key', 'record_id', 'target_id'),
  ...fields(subjectOrId, 'entity', 'record', 'target'),
  ...fields(words, 'status', 'result', 'outcome', 'reason', 'category', 'severity', 'visibility', 'language'),
  ...fields(words, 'field'),
  ...fields(wordList, 'fields', 'changed_fields'),
  ...fields(amount, 'count', 'version', 'revision', 'changes_count', 'duration_ms'),
  ...fields(truth, 'automatic', 'automated', 'is_automatic', 'bulk', 'is_bulk', 'reverted', 'is_reverted'),
]);

/** The columns of a kind that may be kept; for the log, only allowed fields. */
export function keptColumns<Names extends string[] | null>(kind: Pick<Kind, 'name'>, columns: Names): Names {
  return kind.name === 'audit' && columns ? (columns.filter((name) => testOf(name)) as Names) : columns;
}

/** The key of a log entry if it identifies no person, else null. */
export function anonymousKey(key: string | null): string | null {
  return key !== null && (moment(key, isShipped) || identifier(key, isShipped)) ? key : null;
}

/** Returns an entry without values that may identify a person, the same object if none may, and their field names. */
export function anonymised(entry: Document, accepted: ReadonlySet<string> = new Set()) {
  // The words in `accepted` extend the vocabulary.
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

/** A report of an omitted field without the key of its entry. */
export function anonymousOmission({ field, reason }: OmittedField): OmittedField {
  return { record: 'audit', field: anonymousField(field), reason };
}

/** The name of a field if it is in the vocabulary, else a placeholder, since it may name a person. */
function anonymousField(field: string): string {
  return words(field, isShipped) ? field : '(a field whose name is no word)';
}
