import { UsageError } from '../errors.ts';
import { textOf } from '../model/document.ts';
import { hasColumn, type KindName, kindOf, kinds } from '../model/kinds.ts';
import { slugMeant } from '../names/lookup.ts';
import { keyMeant, severalMeant } from '../store/records/ballot-lookup.ts';
import { listRecords } from '../store/records/feed.ts';
import { wholeRecord } from '../store/records/profile.ts';
import { nearRecords } from '../store/records/reference.ts';
import { say, wordPhrase } from '../words/speech.ts';
import { recordFilters } from './feed.ts';
import { choice, count, cursor, filter, kindWord, place } from './parameter-kinds.ts';
import { listQuestion, recordQuestion } from './question.ts';

/** Names of the kinds, as accepted in requests. */
export const kindNames = kinds.map(({ name }) => name).reverse() as [KindName, ...KindName[]];

/** A path part that names a kind, singular or plural. */
export const kindPlace = {
  ...choice(kindNames, 'kind of record', {
    fallback: kindNames[0],
    meant: kindWord,
  }),
  isPlace: true,
  isRequired: true,
};

/** Any one record. */
export const record = recordQuestion({
  name: 'record',
  operationId: 'getRecord',
  summary: 'any one record of any kind, whole',
  path: '/records/{kind}/{key}',
  isInterface: false,
  examples: [
    { description: 'A source', command: 'show source src-0001' },
    { description: 'A ballot by its chamber and id', command: 'show AN:VAL1V4' },
  ],
  parameters: {
    kind: kindPlace,
    key: place('slug, id, or CHAMBER:ID of a ballot', { example: 'oceane-bruyevre' }),
  },
  reads: ({ kind }) => [kind],
  schema: 'AnyRecord',
  kind: ({ kind }) => kind,
  read(mirror, { kind: name, key }) {
    const kind = kindOf(name);
    const held = keyMeant(mirror, kind, key);
    if (held !== null) return wholeRecord(mirror, kind, held);
    if (name !== 'politician' && name !== 'party') return undefined;
    const meant = slugMeant(mirror, name, key);
    return meant === null ? undefined : wholeRecord(mirror, kind, meant);
  },
  absent: (mirror, { kind, key }) => ({
    message: say`no ${wordPhrase(kind)} has the key "${key}" in the mirror`,
    hint: `\`hemicycle history ${kind} ${key}\` also finds what was withdrawn`,
    detail: `No ${kind} has that key.`,
    near: [...severalMeant(mirror, kindOf(kind), key), ...nearRecords(mirror, kindOf(kind), key)],
    suggestion: ({ key, name }) => ({ kind, key, title: name }),
  }),
});

/** Key and title fields of any kind. */
const keyFields = ['slug', 'scrutin_id', 'id'];
const titleFields = [...new Set(kinds.flatMap(({ search }) => search.name)), 'title', 'text'];

/** The records of one kind. */
export const records = listQuestion({
  name: 'records',
  operationId: 'listRecords',
  summary: 'the records of one kind, whole, the newest first',
  path: '/records/{kind}',
  isInterface: false,
  examples: [
    { description: 'The newest speeches', command: 'records speech' },
    {
      description: 'What was said of something in one year',
      command: 'records speech -q phare --since 2025 --until 2025',
    },
    { description: 'Sources, one JSON record a line', command: 'records source --limit 50 --format ndjson' },
  ],
  parameters: {
    kind: kindPlace,
    // Without examples: not every kind states them.
    topic: filter('topic', { names: 'topic' }),
    politician: filter('slug of a politician', { names: 'politician' }),
    party: filter('slug of a party or group, or several with commas between', {
      names: 'party',
      isEveryBearer: true,
    }),
    ...recordFilters,
    cursor,
    limit: count(100, 'number of records'),
  },
  reads: ({ kind }) => [kind],
  schema: record.schema,
  columns: ['key', 'date', 'politician', 'title'],
  flat: (item) => ({
    key: textOf(item, ...keyFields),
    date: textOf(item, 'date'),
    politician: item.politician ?? null,
    title: textOf(item, ...titleFields),
  }),
  read(mirror, values) {
    const unstated = (['topic', 'politician', 'party'] as const).find(
      (name) => values[name] !== undefined && !hasColumn(kindOf(values.kind), name),
    );
    if (unstated === undefined) return listRecords(mirror, values);
    throw new UsageError(
      say`no ${wordPhrase(values.kind)} states a ${wordPhrase(unstated)}`,
      say`leave it out`,
    ).withFault(unstated, say`is stated by no ${wordPhrase(values.kind)}`);
  },
});
