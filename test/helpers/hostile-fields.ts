import { type Document, isDocument, type Json } from '../../src/model/document.ts';
import { describedFields, type Kind, kinds } from '../../src/model/kinds.ts';
import { demoRecords } from './fake-service.ts';

/** A record with a hostile value in one field, as the line of a file that holds it. */
export type HostileRecord = { kind: Kind; field: string; value: string; key: string; line: string };

/** Stands in a document for JSON that no writer of JSON would give. */
const raw = (json: string) => `RAW ${json} RAW`;

const nestedList = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

const fields = (count: number, from = 0) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`field_${from + at}`, at]));

/** Nested facts that name no record of the mirror. */
const unknownFact: Document = {
  ...{ id: 'nowhere', slug: 'nowhere', title: 'Nowhere', text: 'Nowhere', date: '2026-01-01' },
  ...{ politician: 'nowhere', party: 'nowhere', group: 'nowhere', topic: 'nowhere', ballot_id: 'nowhere' },
  ...{ source_ids: ['nowhere'], for: 1, against: 2, position: 'pour', url: 'http://nowhere.example/' },
};

/** Values that have broken programs. A new row is tried in every field of every kind. */
const hostileValues: Readonly<Record<string, Json>> = {
  nul: 'a\0b',
  'nul-alone': '\0',
  surrogate: 'a\ud800b',
  'half-a-pair': 'fin \ud83d',
  // No program of ours lets a text blink: on a screen these are the record's own characters.
  control: '\u001b[5m\u0007\u009b\r\n\u202e\u2066',
  quotes: `'"\`;]--/*<b>&%_\\{}$`,
  path: '//evil.example/../%ff?#',
  formula: '=cmd|0!A1',
  empty: '',
  blank: ' \t ',
  same: 'Le même',
  list: ' a, b ',
  'beyond-numbers': raw(`1${'0'.repeat(400)}`),
  negative: -1,
  fraction: 0.1,
  'large-integer': raw('12345678901234567890'),
  truth: true,
  none: null,
  deep: raw(nestedList(90)),
  'too-deep': raw(nestedList(2000)),
  'year-9999': '9999-12-31',
  'year-10000': '+010000-01-01T00:00:00Z',
  'year-0': '0000-00-00',
  'no-day': '2026-02-31',
  'empty-list': [],
  'empty-object': {},
  'list-of-odds': [null, true, 0, '', 'x', [], {}, [[]], { slug: null }, { slug: {} }, { party: [] }],
  'unknown-facts': [unknownFact],
  'unknown-fact': unknownFact,
  prototype: raw('{"__proto__":{"slug":"x"},"constructor":"x","toString":null,"valueOf":1,"length":-1}'),
};

/** Values of 100 kB and more, for the key, the names and texts that are searched, and one unknown field. */
const bulkyValues: Readonly<Record<string, Json>> = {
  long: 'Né '.repeat(34_000),
  'long-word': 'a'.repeat(100_000),
  'many-fields': fields(2500),
};

/** Every text inside a value replaced by that text. */
function spoilt(value: Json, text: Json): Json {
  if (Array.isArray(value)) return value.map((each) => spoilt(each, text));
  if (!isDocument(value)) return text;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, spoilt(each, text)]));
}

const lineOf = (document: Document) =>
  JSON.stringify(document).replace(/"RAW (.*?) RAW"/g, (_all, json: string) => json.replaceAll('\\"', '"'));

/** A demo record with every field that the first records of its kind have. */
const modelOf = (kind: Kind): Document => Object.assign({}, ...demoRecords(kind.plural).slice(0, 40));

/**
 * A record for each described field of a kind and each hostile value: as the field, inside what it nests, and as its key; then one with
 * the value in all fields, and one with it as the name of a field. A new column of the table of kinds gains its records.
 */
export function hostileRecords(kind: Kind): HostileRecord[] {
  const model = modelOf(kind);
  const described = describedFields(kind).map(({ name }) => name);
  const inProfile = kind.keyField === 'slug' ? [...kinds.map(({ plural }) => plural), 'members'] : [];
  const names = [...new Set([...described, ...Object.keys(model), ...inProfile, 'unknown_field'])];
  const record = (field: string, value: string, change: Document): HostileRecord => {
    const key = `x-${field}-${value}`.replaceAll('_', '-');
    const line = lineOf({ ...model, [kind.keyField]: key, ...change });
    return { kind, field, value, key, line };
  };
  const ordinary = Object.entries(hostileValues).flatMap(([word, value]) => [
    ...names.map((name) => record(name, word, { [name]: value })),
    ...names
      .filter((name) => typeof model[name] === 'object' && model[name] !== null)
      .map((name) => record(`${name}-inside`, word, { [name]: spoilt(model[name]!, value) })),
    record('all', word, Object.fromEntries(names.filter(isNoKey).map((name) => [name, value]))),
    ...(typeof value === 'string' && !value.startsWith('RAW') ? [record('name', word, { [value]: value })] : []),
  ]);
  const searched = [kind.keyField, ...Object.values(kind.search).flat(), 'unknown_field'];
  const bulky = Object.entries(bulkyValues).flatMap(([word, value]) =>
    [...new Set(searched)].map((name) => record(name, word, { [name]: value })),
  );
  // Each field of a record is a column of its kind: one kind beyond the most columns is enough, and makes large files.
  const parts = kind.name === 'politician' ? [0, 1, 2, 3] : [];
  const many = parts.map((at) => record('record', `many-fields-${at}`, fields(2500, at * 2500)));
  return [...ordinary, ...bulky, ...many];
}

/** A ballot without its chamber has another key. */
const isNoKey = (name: string) => !['id', 'slug', 'scrutin_id', 'chamber'].includes(name);
