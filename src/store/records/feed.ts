import { type KindName, kinds } from '../../model/kinds.ts';
import { slugsIn } from '../../names/lookup.ts';
import type { Mirror } from '../mirror.ts';
import {
  allOf,
  currentCountSql,
  decodeCursor,
  encodeCursor,
  inValues,
  type JsonPage,
  readCount,
  type Sql,
  trimPage,
} from '../page.ts';
import { memberRecordsSql } from '../rows.ts';
import { readWordsFilter } from '../search/all-words.ts';
import { type RecordFilter, subjectAndSeatSql } from './seats.ts';

/** Types by which the service's feed can be filtered, in the order of its documentation: the last kind first. */
export const feedTypes: readonly KindName[] = kinds
  .filter(({ feed }) => feed === 'type')
  .map(({ name }) => name)
  .reverse();

/** Filter of the feed, and of lists of one kind. */
export type FeedFilter = RecordFilter & {
  /** Name of the list that cursors belong to, `feed` by default; not a sort order. */
  cursorName?: string;
  types?: readonly KindName[] | undefined;
  q?: string | undefined;
  /** First and last day, `YYYY-MM-DD`. */
  since?: string | undefined;
  until?: string | undefined;
  topic?: string | undefined;
  politician?: string | undefined;
  /** Comma-separated slugs of parties and groups; any of them matches. */
  party?: string | undefined;
  /** Kind of record that a moderation log entry refers to. */
  entityType?: string | undefined;
  cursor?: string | undefined;
  limit: number;
};

/** Above this number of parties, one scan with IN replaces a scan per party. */
const maxScans = 20;

type Row = { id: number; kind: KindName; date: string; json: string };

/** A page of the feed, newest first; each item carries its `type`. */
export const listFeed = (mirror: Mirror, filter: FeedFilter) => readNewestPage(mirror, filter, feedItem);

/** A page of the records of one kind, newest first. */
export const listRecords = (mirror: Mirror, { kind, ...filter }: Omit<FeedFilter, 'types'> & { kind: KindName }) =>
  readNewestPage(mirror, { ...filter, types: [kind] }, ({ json }) => json);

function readNewestPage(mirror: Mirror, filter: FeedFilter, textOf: (row: Row) => string): JsonPage {
  const scans = feedScans(mirror, filter);
  const page = feedSql(scans, filter);
  const { rows, last } = trimPage(mirror.sql<Row>(page.sql).all(...page.parameters), filter.limit);
  return {
    items: rows.map(textOf),
    // A first page without a next one contains all matches.
    total: last || filter.cursor !== undefined ? readCount(mirror, feedCountSql(scans)) : rows.length,
    nextCursor: last && encodeCursor(filter.cursorName ?? 'feed', [last.date, last.id]),
  };
}

/** The query of a page: merges one index walk per type and party, which avoids a full sort. */
export function feedSql(scans: readonly Scan[], filter: FeedFilter): Sql {
  const cursorPosition = filter.cursor === undefined ? [] : decodeCursor(filter.cursorName ?? 'feed', filter.cursor);
  const keyset: Sql[] = cursorPosition.length > 0 ? [{ sql: '(date, id) < (?, ?)', parameters: cursorPosition }] : [];
  const pages = scans.map((conditions) => {
    const where = allOf([{ sql: 'withdrawn IS NULL', parameters: [] }, ...conditions, ...keyset]);
    return {
      sql: `SELECT * FROM (SELECT id, kind, date, coalesce(row, detail) AS json FROM record
        WHERE ${where.sql} ORDER BY date DESC, id DESC LIMIT ?)`,
      parameters: [...where.parameters, filter.limit + 1],
    };
  });
  return {
    sql: `SELECT * FROM (${pages.map(({ sql }) => sql).join(' UNION ALL ')}) ORDER BY date DESC, id DESC LIMIT ?`,
    parameters: [...pages.flatMap(({ parameters }) => parameters), filter.limit + 1],
  };
}

/** The query of the number of matches on all pages. */
export function feedCountSql(scans: readonly Scan[]): Sql {
  const counts = scans.map((conditions) => currentCountSql(allOf(conditions)));
  return {
    sql: `SELECT ${counts.map(({ sql }) => sql).join(' + ')}`,
    parameters: counts.flatMap(({ parameters }) => parameters),
  };
}

/** Conditions of one scan of `record`, all of which must be true. */
type Scan = readonly Sql[];

/** Disjoint scans: their union has every match once, so results merge and counts add up. */
export function feedScans(mirror: Mirror, { party, ...filter }: FeedFilter): Scan[] {
  const equalSql = (column: string, value: string): Sql => ({ sql: `${column} = ?`, parameters: [value] });
  const facets: Sql[] = [];
  if (filter.politician !== undefined) facets.push(equalSql('politician', filter.politician));
  if (filter.topic !== undefined) facets.push(equalSql('topic', filter.topic));
  if (filter.entityType !== undefined)
    facets.push(equalSql("json_extract(coalesce(row, detail), '$.entity_type')", filter.entityType));
  if (filter.since !== undefined) facets.push({ sql: 'date >= ?', parameters: [filter.since] });
  // '' is no date; '~' sorts after any time of that day.
  if (filter.until !== undefined) facets.push({ sql: "date > '' AND date <= ?", parameters: [`${filter.until}~`] });
  facets.push(...subjectAndSeatSql(mirror, filter));
  const types = [...new Set(filter.types?.length ? filter.types : feedTypes)];
  const words = filter.q === undefined ? null : readWordsFilter(mirror, filter.q, types);
  // Each scan of a kind reads only its own matches.
  const wordsIn = (scannedKinds: KindName[]) => (words ? [words.sql(scannedKinds)] : []);
  const scanEachType = (typeConditions: Sql[]) =>
    types.map((type) => [equalSql('kind', type), ...typeConditions, ...facets, ...wordsIn([type])]);
  if (party === undefined) return scanEachType([]);
  const slugs = slugsIn(party);
  const parties = slugs.length > maxScans ? [inValues('party', slugs)] : slugs.map((slug) => equalSql('party', slug));
  const inGroup = inValues('group_slug', slugs);
  const inParty = inValues("ifnull(party, '')", slugs);
  const inGroupOnly = { sql: `${inGroup.sql} AND NOT ${inParty.sql}`, parameters: [...slugs, ...slugs] };
  // Records that name a party; politicians in one only as a group; records of members (no politicians) without a party.
  // The unary plus keeps SQLite from walking all records of a kind.
  return [
    ...parties.flatMap((partyCondition) => scanEachType([partyCondition])),
    ...(types.includes('politician') ? scanEachType([inGroupOnly]) : []),
    [inValues('+kind', types), memberRecordsSql(mirror, slugs), ...facets, ...wordsIn(types)],
  ];
}

/** Prepends the type to the record's JSON text; parses it only if it may have a `type`, which is overridden. */
function feedItem({ kind, json }: Row): string {
  if (!json.includes('"type"'))
    return json === '{}' ? `{"type":"${kind}"}` : `{"type":"${kind}",${json.trimStart().slice(1)}`;
  const { type: _type, ...record } = JSON.parse(json);
  return JSON.stringify({ type: kind, ...record });
}
