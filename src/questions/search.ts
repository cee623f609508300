import { ServiceAnswerError, UsageError } from '../errors.ts';
import { type Document, documentsIn, isDocument, textOf } from '../model/document.ts';
import { findKind, type KindName } from '../model/kinds.ts';
import { slugsIn } from '../names/lookup.ts';
import type { JsonResponse } from '../service/client.ts';
import { readList } from '../service/shapes.ts';
import type { Mirror } from '../store/mirror.ts';
import { allOf } from '../store/page.ts';
import { subjectAndSeatSql } from '../store/records/seats.ts';
import { requestedKinds } from '../store/search/filters.ts';
import type { Relaxation } from '../store/search/relaxation.ts';
import { searchInMode } from '../store/search/search.ts';
import { indexedKinds, searchedKinds } from '../store/word-index/search-index.ts';
import { say } from '../words/speech.ts';
import { refuseUnsupported } from './from-service.ts';
import { individualVoteNotes } from './individual-votes.ts';
import { literalParameter } from './interpretation.ts';
import { resolveNames } from './names.ts';
import type { Values } from './parameter.ts';
import { choices, cursor, filter, itemLimit, ofKinds, partyFilter, requiredWords, truth } from './parameter-kinds.ts';
import type { PlaceOptions } from './places.ts';
import { type Listing, listQuestion, type Page } from './question.ts';
import { createRecordFilter, seatFilters, subjectFilter } from './record-filters.ts';
import { relatedTextsField } from './related-texts.ts';
import { dayBound } from './time-bounds.ts';

const searchableKinds = [...indexedKinds].map(({ name }) => name).reverse(); // order of the API description

/** Kinds that commands search by default: the service's kinds, and ballots. */
export const commandKinds: readonly string[] = [...searchedKinds.map(({ name }) => name), 'ballot'];

/** Counts matches by kind, in kinds that commands do not search by default; `places` is as in `PlaceOptions`. */
export function countOtherKinds(mirror: Mirror, values: SearchValues, places: string | null): Document {
  const otherKinds = searchableKinds.filter((name) => !commandKinds.includes(name));
  const resolvedValues = { ...values, ...resolveNames(mirror, seatFilters, values) };
  const request = { ...createSearchRequest(mirror, resolvedValues, { places }), types: otherKinds, limit: 0 };
  return searchInMode(mirror, 'fulltext', request).counts;
}

const typeParameter = choices(searchableKinds, 'kinds to search, comma-separated; by default those of the service', {
  ...ofKinds,
  flag: { helpValue: 'KIND,…', aliases: ['kind'] },
});
const types = choices(searchableKinds, 'the same as `type`', { ...ofKinds, surface: 'http' });
const copiesParameter = truth('every record; false for one hit per identical text, with its number of copies', {
  fallback: true,
});

// Parameters of searches of the mirror; a search of the service refuses them with a UsageError.
const mirrorOnlyParameters = {
  politician: filter('only records of this politician, like `politician:` in the query', {
    names: 'politician',
    example: 'oceane-bruyevre',
    isBeyondInterface: true,
  }),
  party: { ...partyFilter, isBeyondInterface: true },
  since: dayBound('start', 'only records from this day on', { isBeyondInterface: true }),
  until: dayBound('end', 'only records up to this day', { isBeyondInterface: true }),
  ...seatFilters,
  subject: subjectFilter,
  literal: literalParameter,
  explain: truth('list every step of a search by words, with its number of results', { surface: 'cli' }),
};

type KindValues = { type: KindName[] | undefined; types: KindName[] | undefined };

const kindsRead = ({ type, types, topic }: KindValues & { topic: string | undefined }) =>
  requestedKinds({ types: type ?? types, topic }).map(({ name }) => name);

const columns = ['type', 'slug', 'title', 'snippet', 'politician', 'date'];
const allColumns = ['type', 'slug', 'id', 'title', 'snippet', 'score', 'politician', 'date', 'matched', 'copies'];

/** Full-text search. */
export const search = listQuestion('search', {
  parameters: {
    q: requiredWords(
      'words, all required; "exact phrase", -excluded, prefix*, type:, party:, politician:, since:, until:, ' +
        '-type: to exclude a kind',
      { example: '"gardiens de phare" retrait*' },
    ),
    type: typeParameter,
    types,
    limit: itemLimit(100, 'maximum number of results'),
    topic: filter('only records on this topic', { names: 'topic', example: 'retraites', isBeyondInterface: true }),
    ...mirrorOnlyParameters,
    cursor,
    all_copies: copiesParameter,
  },
  kindsRead,
  recordOfItem: (item) => ({ kind: String(item.type), key: textOf(item, 'slug', 'id') ?? '' }),
  columns,
  allColumns,
  read: (mirror, values, options) =>
    createPage(mirror, values.q, searchInMode(mirror, 'fulltext', createSearchRequest(mirror, values, options))),
  async requestFromService({ client }, { q, type, limit, topic, ...filters }) {
    if (topic !== undefined)
      throw new UsageError(
        say`the service accepts a topic only in semantic searches`,
        say`add --semantic, or use the mirror`,
      );
    refuseMirrorOnlyFilters(filters);
    const optionalQuery = { type: type?.join(','), limit };
    // The service's API documents neither parameter; retry without them if it refuses them.
    const answer = await client.getJson('/search', { q, ...optionalQuery }).catch((error) => {
      const isRefused = error instanceof ServiceAnswerError && [400, 422].includes(error.status ?? 0);
      if (!isRefused) throw error;
      return client.getJson('/search', { q });
    });
    return readHits(answer, { types: type, limit, isSemantic: false });
  },
});

/** Semantic search, or full-text search as its fallback. */
export const searchSemantic = listQuestion('search-semantic', {
  parameters: {
    q: requiredWords('a question or statement in natural language', { example: 'Qui veut des trains de nuit ?' }),
    topic: filter('topic', { example: 'retraites', names: 'topic' }),
    k: itemLimit(50, 'maximum number of results', { flag: { char: 'k' } }),
    type: typeParameter,
    types,
    cursor,
    all_copies: copiesParameter,
    ...mirrorOnlyParameters,
  },
  kindsRead,
  columns,
  allColumns,
  semanticQuery: ({ q, topic, type, types }) => ({ query: q, filter: { topic, types: type ?? types } }),
  read(mirror, { k, ...values }, readOptions) {
    const { searchesByMeaning, vector = null } = readOptions;
    const request = { ...createSearchRequest(mirror, values, readOptions), limit: k, vector };
    return createPage(mirror, values.q, searchInMode(mirror, searchesByMeaning ? 'semantic' : 'fallback', request));
  },
  async requestFromService({ client }, { q, topic, k, type, ...filters }) {
    refuseMirrorOnlyFilters(filters);
    const answer = await client.getJson('/search/semantic', { q, topic, k: Math.min(k, 50) });
    return readHits(answer, { types: type, limit: k, isSemantic: true });
  },
});

function refuseMirrorOnlyFilters(values: MirrorOnlyValues): void {
  refuseUnsupported(Object.fromEntries(Object.entries(values).filter(([name]) => name in mirrorOnlyParameters)));
}

type MirrorOnlyValues = Values<typeof mirrorOnlyParameters>;

type SearchValues = MirrorOnlyValues & KindValues & { q: string; all_copies: boolean };

/** Returns the store's request; `chosen` is the condition from seats, group and subjects, undefined without any. */
function createSearchRequest<Some extends SearchValues>(mirror: Mirror, values: Some, readOptions: PlaceOptions) {
  const recordFilter = createRecordFilter(mirror, values, readOptions);
  const { q: query, type, types, all_copies: allCopies, politician, party, until, ...remainingFilter } = recordFilter;
  const { subject, chamber, department, seats, group, ...unchangedFields } = remainingFilter;
  const conditions = subjectAndSeatSql(mirror, { subject, chamber, department, seats, group });
  const chosen = conditions.length > 0 ? allOf(conditions) : undefined;
  const politicians = politician === undefined ? undefined : [politician];
  const parties = party === undefined ? undefined : slugsIn(party);
  // `~` sorts after every time of the day, so that `before` includes the whole day `until`.
  const before = until && `${until}~`;
  return { ...unchangedFields, politicians, parties, before, query, types: type ?? types, allCopies, chosen };
}

/** Returns the page of a search, with its mode and counts, corrections, remarks and related texts. */
function createPage(mirror: Mirror, query: string, answer: ReturnType<typeof searchInMode>): Page {
  const { items, total, nextCursor, mode, method, fallback, trouble = null, near, ...otherFields } = answer;
  const { counts, remarks: searchRemarks, interpretations, ...corrections } = otherFields;
  const remarks = [...individualVoteNotes(mirror, query), ...searchRemarks];
  const related = counts.ballot ? relatedTextsField(mirror, undefined, query) : {};
  return {
    items: items.map((hit) => JSON.stringify(hit)),
    near,
    total,
    nextCursor,
    trouble,
    hasTimeBound: /(?:^|\s)-?(?:since|until):/.test(query),
    lead: { query, mode, fallback },
    interpretations,
    remarks,
    // The server replaces `relaxed: null` if it sends the near matches as items (`listText`).
    extra: { mode, method, fallback, counts, relaxed: null, ...corrections, remarks: remarks.map(String), ...related },
  };
}

/** Parses the service's search results; keeps hits of the requested kinds, at most `limit`. */
function readHits(
  answer: JsonResponse,
  { types, limit, isSemantic }: { types: string[] | undefined; limit: number; isSemantic: boolean },
): Listing {
  const { items, total, next } = readList(answer, ['hits', 'search']);
  const matchingItems = items.filter(({ type }) => !types || typeof type !== 'string' || types.includes(type));
  const knownTotal = matchingItems.length === items.length ? total : null;
  const body = answer.body as Document;
  const mode = body.mode === 'semantic' ? 'semantic' : 'fulltext';
  const kindCounts = isDocument(body.counts) ? Object.entries(body.counts).filter(([kind]) => findKind(kind)) : [];
  // If the service runs Hemicycle itself, `relaxed` marks its items as suggestions for a search without results.
  const relaxed = typeof body.relaxed === 'string' ? (body.relaxed as Relaxation) : null;
  const hits = matchingItems.slice(0, limit);
  return {
    items: relaxed ? [] : hits,
    near: relaxed && { relaxed, total: null, items: hits },
    total: knownTotal ?? (next === null ? matchingItems.length : null),
    nextCursor: null,
    origin: { from: 'service', as_of: answer.at },
    extra: {
      mode,
      method: typeof body.method === 'string' ? body.method : mode === 'semantic' ? 'embeddings' : 'words',
      fallback: typeof body.fallback === 'boolean' ? body.fallback : isSemantic && mode === 'fulltext',
      relaxed: null,
      corrected: documentsIn(body.corrected),
      counts: Object.fromEntries(kindCounts.map(([kind, count]) => [findKind(kind)!.name, count])),
      suggestions: documentsIn(body.suggestions),
    },
  };
}
