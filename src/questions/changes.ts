import { UsageError } from '../errors.ts';
import { quoteWords } from '../language/query.ts';
import { changedFieldsColumn, column, nonNull, present } from '../model/columns.ts';
import { type Kind, kindOf, kinds } from '../model/kinds.ts';
import { readCached } from '../store/cached.ts';
import { changeCounts } from '../store/history/change-counts.ts';
import { type ChangeFilter, changeTypes, readChangePage } from '../store/history/changes.ts';
import { readHistoryStart } from '../store/history/past.ts';
import type { Mirror } from '../store/mirror.ts';
import { lastFilledAt } from '../store/records/contents.ts';
import { countRows } from '../store/rows.ts';
import { readWordsFilter } from '../store/search/all-words.ts';
import { lastFillStart } from '../store/syncs/runs.ts';
import { instant, say } from '../words/speech.ts';
import { literalParameter } from './interpretation.ts';
import type { Values } from './parameter.ts';
import { choices, cursor, filter, itemLimit, ofKinds, optionalWords, partyFilter } from './parameter-kinds.ts';
import type { PlaceOptions } from './places.ts';
import { listQuestion } from './question.ts';
import { kindNames } from './record.ts';
import { createRecordFilter, seatFilters, subjectFilter } from './record-filters.ts';
import { momentBound } from './time-bounds.ts';

const { text, datetime } = column;

const since = momentBound(
  'start',
  'start of the period: 7d, a date (its start, in Paris), a time, or last (the last sync or import)',
  { flag: { helpValue: '7d|DATE|last' } },
);

/** Filters of changes, also for watches. */
export const changeFilterParameters = {
  q: optionalWords('words in the record, or in an earlier version of it', { example: 'logement' }),
  literal: literalParameter,
  only: choices(changeTypes, 'only these types of change', { flag: { helpValue: 'TYPE,…' } }),
  kind: choices(kindNames, 'only these kinds of record', { ...ofKinds, flag: { helpValue: 'KIND,…' } }),
  topic: filter('topic', { example: 'logement', names: 'topic' }),
  politician: filter('slug of a politician: only changes about them', {
    example: 'oceane-bruyevre',
    names: 'politician',
  }),
  party: partyFilter,
  ...seatFilters,
  subject: subjectFilter,
};

/** Values of the filters of changes. */
export type ChangeValues = Values<typeof changeFilterParameters>;

/** Returns the store's filter for values: kinds as objects, words quoted if `literal`, the seats of a place. */
export function changeFilter(mirror: Mirror, values: ChangeValues, options: PlaceOptions) {
  const { kind, subject, literal, q, ...otherFilters } = createRecordFilter(mirror, values, options);
  return {
    ...otherFilters,
    q: literal && q ? quoteWords(q) : q,
    kinds: kind?.map(kindOf),
    subject: subject.length > 0 ? subject : undefined,
  };
}

/** Changes of records since a moment. */
export const changes = listQuestion('changes', {
  parameters: {
    since: {
      ...since,
      schema: { ...since.schema, default: 'last' },
      read: (texts: string[]) => (texts[0] === 'last' ? 'last' : since.read(texts)!),
      fallback: 'last',
    },
    until: momentBound(
      'end',
      'end of the period: 7d, a date (its end, in Paris) or a time; without --since, everything before it',
    ),
    ...changeFilterParameters,
    limit: itemLimit(100, 'number of changes'),
    cursor,
  },
  covers: (mirror, { kind = kindNames }) =>
    kind.map((name) => ({
      kind: name,
      chamber: null,
      days: 'seen' as const,
      first: readHistoryStart(mirror, [kindOf(name)])?.slice(0, 10) ?? null,
      last: lastFilledAt(mirror)?.slice(0, 10) ?? null,
      records: countRows(mirror, kindOf(name)),
    })),
  fields: [
    datetime('seen_at', 'When this mirror detected the change (ISO 8601); not when the service made it.', nonNull),
    text('change', 'added, edited, withdrawn, returned or renamed (same record, new key).', {
      ...nonNull,
      words: changeTypes,
    }),
    text('kind', 'Kind of record.', { ...nonNull, words: kindNames }),
    text('key', 'Key of the record: slug, id, or CHAMBER:ID for a ballot.', nonNull),
    text('former_key', 'Previous key of a renamed record, or slug that another person has now; absent otherwise.'),
    datetime(
      'withdrawn_at',
      'When this mirror reported a returned record as withdrawn, in error if no field changed; only present for returned.',
    ),
    text('politician', 'Slug of the politician concerned; null if none.', present),
    text('title', 'Title of the record, as published.', nonNull),
    changedFieldsColumn('fields', 'Changed fields of an edit, each with its old and new value.'),
  ],
  answerFields: [datetime('since', 'Start of the period (ISO 8601).', nonNull)],
  read(mirror, { since: requestedSince, until, limit, cursor, ...filterValues }, readOptions) {
    const { asOf } = readOptions;
    const since = resolveSince(mirror, requestedSince, until);
    const untilMoment = until === undefined || (asOf !== null && asOf < until) ? asOf : until;
    const filter = { since, until: untilMoment, ...changeFilter(mirror, filterValues, readOptions) };
    const page = readChangePage(mirror, { ...filter, limit, cursor });
    const cache = new Map<'all', ReturnType<typeof countByKind>>(); // for repeated calls
    const countAll = () => readCached(cache, 'all', { compute: () => countByKind(mirror, filter) });
    const { interpretations } = readWordsFilter(mirror, filter.q ?? '', filterValues.kind ?? kindNames);
    return { ...page, countAll, interpretations, extra: { since } };
  },
  notes(mirror, { since: requestedSince, until, kind }) {
    const since = resolveSince(mirror, requestedSince, until);
    const historyStart = readHistoryStart(mirror, kind?.map(kindOf) ?? (kinds as Kind[]));
    const precedesHistory = historyStart !== null && since < historyStart;
    return [
      until === undefined
        ? say`as detected by this mirror since ${instant(since)}`
        : say`as detected by this mirror since ${instant(since)}, until ${instant(until)}`,
      ...(precedesHistory ? [say`its history starts at ${instant(historyStart)}: older records were added then`] : []),
    ];
  },
});

/** Counts changes by kind and type, with the start of their period; null if there are too many to count. */
function countByKind(mirror: Mirror, filter: ChangeFilter) {
  const counts = new Map<string, Map<string, number>>();
  let total = 0;
  const dayCounts = changeCounts(mirror, filter);
  if (dayCounts === null) return null;
  for (const { kind, change: changeType, count } of dayCounts) {
    const change = changeType === 'first' ? 'added' : changeType; // first: on the first day of the kind
    total += count;
    const typeCounts = counts.get(kind) ?? new Map<string, number>();
    counts.set(kind, typeCounts.set(change, (typeCounts.get(change) ?? 0) + count));
  }
  return { since: filter.since, total, counts };
}

/** Returns the start of a period; `last` is the last sync, or the epoch if `until` is earlier. Throws a UsageError. */
export function resolveSince(mirror: Mirror, requestedSince: string, until?: string | undefined): string {
  const since = requestedSince === 'last' ? lastFillStart(mirror) : requestedSince;
  if (since === null) throw new UsageError(say`this mirror was never synced`, say`give a time with --since`);
  return requestedSince === 'last' && until !== undefined && until < since ? epochStart : since;
}

/** Start of the Unix epoch, which precedes every recorded change. */
export const epochStart = new Date(0).toISOString();
