import type { OmittedField } from './bounds.ts';
import { type Document, isDocument, type Json } from './document.ts';
import { describedFields, type Kind, kinds } from './kinds.ts';
import logWords from './log-words.json' with { type: 'json' };
import { assignedKeyField } from './normal-form.ts';

// Entries of the moderation log keep only values of an allow list, so that they identify no person.

/** True for a word (lower case, without accents) that stored values may contain. */
type WordTest = (word: string) => boolean;

type ValueTest = (value: Json, isKnownWord: WordTest) => boolean;

/** The words of a text in lower case, without accents; `camelCase` gives two words. */
export function wordsIn(text: string): string[] {
  const foldedText = text.normalize('NFD').replace(/\p{M}/gu, '');
  const spacedText = foldedText.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase();
  return spacedText.split(/[\s,;_.:/'’-]+/).filter((word) => word !== '');
}

// Closed vocabulary of the moderation log: `log-words.json`, and names of kinds and fields. It has no given names; it
// grows by commits and the operator's approval, never from logs: a moderator's name may be frequent there.
let vocabulary: ReadonlySet<string> | null = null;

const namesOf = (kind: Kind) => [kind.name, kind.plural, ...describedFields(kind).map(({ name }) => name)];

const isVocabularyWord: WordTest = (word) => {
  vocabulary ??= new Set([...Object.values(logWords).flat(), ...kinds.flatMap(namesOf)].flatMap(wordsIn));
  return vocabulary.has(word);
};

/** Matches marks that NFC joins to no letter; `wordsIn` drops them, so they could encode any text. */
const combiningMarks = /\p{M}/u;

/** True for one to five words of the vocabulary, such as a role or an action. */
const isWords: ValueTest = (value, isKnownWord) => {
  if (typeof value !== 'string' || value.length > 60 || combiningMarks.test(value.normalize('NFC'))) return false;
  const tokens = wordsIn(value);
  return tokens.length > 0 && tokens.length <= 5 && tokens.every(isKnownWord);
};

const isWordList: ValueTest = (value, isKnownWord) =>
  Array.isArray(value) && value.every((item) => isWords(item, isKnownWord));

/** An opaque id: words, a year, then a UUID, a ULID, hexadecimal digits, or fewer digits than a telephone number. */
const opaqueId =
  /^(?:(?<prefix>[a-z][a-z_.:/-]*)[_.:/-])?(?:(?:19|20)\d\d[_/-])?(?:[a-z]\d{0,7}|\d{1,7}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[0-7][\dabcdefghjkmnpqrstvwxyz]{25}|(?=[\da-f]*\d)(?=[\da-f]*[a-f])[\da-f]{16,64})$/i;

const isIdentifier: ValueTest = (value, isKnownWord) => {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.length > 120) return false;
  // Ten decimal digits in a row may be a telephone number, even among hexadecimal digits.
  if (/\d{10}/.test(text)) return false;
  const match = opaqueId.exec(text);
  return match === null ? isWords(value, isKnownWord) : wordsIn(match.groups?.prefix ?? '').every(isKnownWord);
};

/** True for an ISO 8601 day or moment, or a Unix time in seconds or milliseconds between 2001 and 2033. */
const isTimeValue: ValueTest = (value) =>
  typeof value === 'number'
    ? (value >= 1e9 && value < 2e9) || (value >= 1e12 && value < 2e12)
    : typeof value === 'string' &&
      /^(?:19|20)\d\d(?:-\d\d(?:-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?)?)?$/i.test(
        value,
      ) &&
      !Number.isNaN(Date.parse(value));

/** An integer of at most six digits, fewer than a telephone number has; as a number or as text (from CSV). */
const isAmount: ValueTest = (value) => typeof value !== 'object' && /^-?\d{1,6}$/.test(String(value));
const isTruthValue: ValueTest = (value) => typeof value === 'boolean' || value === 'true' || value === 'false';

const testFields = (test: ValueTest, ...names: string[]) => names.map((name) => [name, test] as const);

const subjectTests = new Map<string, ValueTest>([
  ...testFields(isWords, 'type', 'kind'),
  ...testFields(isIdentifier, 'id', 'slug', 'key'),
]);

/** An identifier, or an object with nothing but type and identifier. */
const isSubjectOrId: ValueTest = (value, isKnownWord) =>
  isIdentifier(value, isKnownWord) ||
  (isDocument(value) &&
    Object.entries(value).every(
      ([field, inner]) => subjectTests.has(field) && (isEmpty(inner) || subjectTests.get(field)!(inner, isKnownWord)),
    ));

const allowedFields = new Map<string, ValueTest>([
  ...testFields(isWords, 'role', 'entity_type', 'action', 'operation', 'event', 'target_type', 'record_type'),
  ...testFields(isWords, 'type', 'kind', 'chamber', 'field'),
  ...testFields(isTimeValue, 'date', 'timestamp', 'time', 'created_at', 'updated_at', 'published_at', 'occurred_at'),
  ...testFields(isTimeValue, 'performed_at', 'acted_at'),
  ...testFields((value) => /^sha256:[\da-f]{32}(?:~\d{1,6})?$/.test(String(value)), assignedKeyField),
  ...testFields(isIdentifier, 'id', 'entity_id', 'entity_slug', 'entity_key', 'record_id', 'target_id'),
  ...testFields(isSubjectOrId, 'entity', 'record', 'target'),
  ...testFields(isWords, 'status', 'result', 'outcome', 'reason', 'category', 'severity', 'visibility', 'language'),
  ...testFields(isWordList, 'fields', 'changed_fields'),
  ...testFields(isAmount, 'count', 'version', 'revision', 'changes_count', 'duration_ms'),
  ...testFields(isTruthValue, 'automatic', 'automated', 'is_automatic', 'bulk', 'is_bulk', 'reverted', 'is_reverted'),
]);

/** The columns that may be stored: of the moderation log (`audit`) only allowed fields, of other kinds all. */
export function allowedColumns<Names extends string[] | null>(kind: Pick<Kind, 'name'>, columns: Names): Names {
  return kind.name === 'audit' && columns ? (columns.filter((name) => valueTestOf(name)) as Names) : columns;
}

/** The key of a log entry if it identifies no person, else null. */
export function anonymousKey(key: string | null): string | null {
  return key !== null && (isTimeValue(key, isVocabularyWord) || isIdentifier(key, isVocabularyWord)) ? key : null;
}

/** Returns a log entry without values that may identify a person, and the names of their fields, anonymised too. */
export function anonymise(entry: Document, acceptedWords: ReadonlySet<string> = new Set()) {
  // The words in `acceptedWords` extend the vocabulary. An entry that loses nothing is returned as the same object.
  const isKnownWord: WordTest = (word) => isVocabularyWord(word) || acceptedWords.has(word);
  const isAllowed = (field: string, value: Json) =>
    isEmpty(value) ? valueTestOf(field) !== undefined : valueTestOf(field)?.(value, isKnownWord);
  const { allowed = [], omitted = [] } = Object.groupBy(Object.entries(entry), ([field, value]) =>
    isAllowed(field, value) ? 'allowed' : 'omitted',
  );
  if (omitted.length === 0) return { entry, omittedNames: [] };
  const omittedNames = omitted.flatMap(([field, value]) => (isEmpty(value) ? [] : anonymousField(field)));
  return { entry: Object.fromEntries(allowed), omittedNames };
}

function valueTestOf(field: string): ValueTest | undefined {
  return allowedFields.get(field.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase());
}

const isEmpty = (value: Json | undefined): boolean => value === null || value === undefined || value === '';

/** A report of an omitted field without the key of its entry. */
export function anonymousOmission({ field, reason }: OmittedField): OmittedField {
  return { record: 'audit', field: anonymousField(field), reason };
}

/** The name of a field if it is in the vocabulary, else a placeholder, since it may name a person. */
const anonymousField = (field: string): string =>
  isWords(field, isVocabularyWord) ? field : '(a field whose name is no word)';
