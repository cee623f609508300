import { UsageError } from '../errors.ts';
import { textOf } from '../model/document.ts';
import { hasColumn, type KindName, kindOf, kinds } from '../model/kinds.ts';
import { isSlug, type NamedKind, slugMeant } from '../names/lookup.ts';
import { keyMeant, severalMeant } from '../store/records/ballot-lookup.ts';
import { listRecords } from '../store/records/feed.ts';
import { wholeRecord } from '../store/records/profile.ts';
import { nearRecords } from '../store/records/reference.ts';
import { say, wordPhrase } from '../words/speech.ts';
import { recordFilters } from './feed.ts';
import { profileOf } from './from-service.ts';
import { noProfile } from './names.ts';
import { choice, count, cursor, filter, kindWord, place } from './parameter-kinds.ts';
import { listQuestion, recordQuestion, toldOf } from './question.ts';

/** Names of the kinds, as accepted in requests. */
export const kindNames = kinds.map(({ name }) => name).reverse() as [KindName, ...KindName[]];

/** A path part that names a kind, singular or plural. */
export const kindPlace = {
  ...choice(kindNames, 'kind of record', { fallback: kindNames[0], meant: kindWord }),
  isPlace: true,
  isRequired: true,
};

/** One politician or party, by a slug or a name. */
export const profileQuestion = (name: NamedKind, example: string) =>
  recordQuestion({
    ...toldOf(name),
    parameters: { slug: place(`slug of the ${name}`, { example, names: name }) },
    reads: () => [name],
    kind: () => name,
    read: (mirror, { slug }) => wholeRecord(mirror, kindOf(name), slug),
    ask: (service, { slug }) => profileOf(service, name, slug),
    absent: (mirror, { slug }) => noProfile(mirror, name, slug),
    unknown: ({ slug }) => (isSlug(slug) ? slug : null),
  });

/** Any one record. */
export const record = recordQuestion({
  ...toldOf('record'),
  parameters: {
    kind: kindPlace,
    key: place('slug, id, or CHAMBER:ID of a ballot', { example: 'oceane-bruyevre' }),
  },
  reads: ({ kind }) => [kind],
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
    hint: say`\`hemicycle history ${kind} ${key}\` also finds what was withdrawn`,
    detail: `No ${kind} has that key.`,
    near: [...severalMeant(mirror, kindOf(kind), key), ...nearRecords(mirror, kindOf(kind), key)],
    suggestion: ({ key, name }) => ({ kind, key, title: name }),
  }),
});

/** Title fields of any kind. */
const titleFields = [...new Set(kinds.flatMap(({ search }) => search.name)), 'title', 'text'];

/** The records of one kind. */
export const records = listQuestion({
  ...toldOf('records'),
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
  flat: (item) => ({
    date: null,
    politician: null,
    ...item,
    key: textOf(item, 'slug', 'scrutin_id', 'id'),
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
