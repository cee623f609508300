import { NotFoundError, orNull, UsageError } from '../errors.ts';
import { shellLine } from '../format/sanitise.ts';
import { textOf } from '../model/document.ts';
import { hasColumn, type KindName, kindOf, kinds } from '../model/kinds.ts';
import { findSlugOrNull, isSlug, type NamedKind, nearSlugs } from '../names/lookup.ts';
import { readHistory } from '../store/history/history.ts';
import { listRecords } from '../store/records/feed.ts';
import { readCompleteRecord } from '../store/records/profile.ts';
import { ambiguousRecords, findSimilarRecords, resolveKey } from '../store/records/reference.ts';
import { say, wordPhrase } from '../words/speech.ts';
import { getProfileByName } from './from-service.ts';
import { cursor, filter, itemLimit, normaliseKindWord, pathParameter, singleChoice } from './parameter-kinds.ts';
import { listQuestion, recordQuestion } from './question.ts';
import { createRecordFilter, recordFilters, seatFilters } from './record-filters.ts';

/** Names of the kinds, as accepted in requests, in the order of the API description. */
export const kindNames = kinds.map(({ name }) => name).reverse() as [KindName, ...KindName[]];

/** A path part that names a kind, singular or plural. */
export const kindParameter = {
  ...singleChoice(kindNames, 'kind of record', { fallback: kindNames[0], normalise: normaliseKindWord }),
  isPathPart: true,
  isRequired: true,
};

/** Returns the question for one politician or party, by slug or name. */
export const profileQuestion = (name: NamedKind, example: string) =>
  recordQuestion(name, {
    parameters: { slug: pathParameter(`slug of the ${name}`, { example, names: name }) },
    kindsRead: () => [name],
    kind: () => name,
    read: (mirror, { slug }, { isInterface }) => readCompleteRecord(mirror, kindOf(name), slug, { isInterface }),
    requestFromService: (service, { slug }) => getProfileByName(service, name, slug),
    describeMissing: (mirror, { slug }) => ({
      message: say`${slug} is not in the mirror`,
      hint: null,
      detail: say`No ${wordPhrase(name)} has that slug.`,
      near: nearSlugs(mirror, name, slug),
      suggestion: (near) => ({ slug: near.key, [name === 'politician' ? 'full_name' : 'name']: near.name }),
    }),
    describeUnknown: ({ slug }) => (isSlug(slug) ? slug : null),
  });

/** One record of any kind. */
export const record = recordQuestion('record', {
  parameters: {
    kind: kindParameter,
    key: pathParameter('slug, id, or CHAMBER:ID for a ballot', { example: 'oceane-bruyevre' }),
  },
  kindsRead: ({ kind }) => [kind],
  kind: ({ kind }) => kind,
  read(mirror, { kind: name, key }) {
    const kind = kindOf(name);
    const hasNames = name === 'politician' || name === 'party';
    const storedKey = resolveKey(mirror, kind, key) ?? (hasNames ? findSlugOrNull(mirror, name, key) : null);
    return storedKey === null ? undefined : readCompleteRecord(mirror, kind, storedKey);
  },
  describeMissing: (mirror, { kind, key }) => ({
    message: say`no ${wordPhrase(kind)} in the mirror has the key "${key}"`,
    hint:
      orNull(() => readHistory(mirror, kindOf(kind), key), NotFoundError) &&
      say`it was withdrawn: \`hemicycle history ${kind} ${key}\``,
    detail: say`No ${wordPhrase(kind)} has that key.`,
    near: [...ambiguousRecords(mirror, kindOf(kind), key), ...findSimilarRecords(mirror, kindOf(kind), key)],
    suggestion: ({ key, name }) => ({ kind, key, title: name }),
  }),
});

/** Fields of which the first that a record has is its title. */
const titleFields = [...new Set(kinds.flatMap(({ search }) => search.name)), 'title', 'text'];

// Records about a member also match the member's party or group.
const memberColumns = ['party', 'politician'];

/** Columns of which a kind must have one to support a filter. */
const columnsOf = {
  topic: ['topic'],
  politician: ['politician'],
  party: memberColumns,
  group: memberColumns,
  place: ['politician', 'department'],
};

/** The records of one kind. */
export const records = listQuestion('records', {
  parameters: {
    kind: kindParameter,
    // No examples: not every kind has these fields.
    topic: filter('topic', { names: 'topic' }),
    politician: filter('slug of a politician', { names: 'politician' }),
    party: filter('slug of a party or group, or several, comma-separated', { names: 'party', matchesAllBearers: true }),
    ...seatFilters,
    ...recordFilters,
    cursor,
    limit: itemLimit(100, 'maximum number of records'),
  },
  kindsRead: ({ kind }) => [kind],
  recordOfItem: (_, { kind }) => ({ kind }),
  schema: record.schema,
  toRow: (item) => ({
    date: null,
    politician: null,
    ...item,
    key: textOf(item, 'slug', 'scrutin_id', 'id'),
    title: textOf(item, ...titleFields),
  }),
  read(mirror, values, readOptions) {
    const unsupportedFilter = (['topic', 'politician', 'party', 'group', 'place'] as const).find(
      (name) => values[name] !== undefined && !columnsOf[name].some((column) => hasColumn(kindOf(values.kind), column)),
    );
    if (unsupportedFilter === undefined) return listRecords(mirror, createRecordFilter(mirror, values, readOptions));
    const hasGroupVotes = values.kind === 'ballot' && ['party', 'group'].includes(unsupportedFilter);
    const { requestedValues = values } = readOptions;
    const line = shellLine(['hemicycle', 'ballots', '--group', String(requestedValues[unsupportedFilter])]);
    throw new UsageError(
      say`no ${wordPhrase(values.kind)} states a ${wordPhrase(unsupportedFilter)}`,
      hasGroupVotes ? say`\`${line}\` lists ballots with the votes of the group` : say`remove it`,
    ).withFault(unsupportedFilter, say`does not occur in any ${wordPhrase(values.kind)}`);
  },
});
