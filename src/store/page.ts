import { orNull, UsageError } from '../errors.ts';
import { say } from '../words/speech.ts';
import { readCached } from './cached.ts';
import type { Mirror } from './mirror.ts';

/** A page of a list: items as JSON, number of all matches (null if not counted), next cursor. */
export type JsonPage = { items: string[]; total: number | null; nextCursor: string | null };

/** An SQL text with its parameters. */
export type Sql = { sql: string; parameters: (string | number | Uint8Array)[] };

/** SQL condition that a column has one of the values. */
export const inValues = (column: string, values: readonly (string | number)[]): Sql => ({
  sql: `${column} IN (${values.map(() => '?').join(', ')})`,
  parameters: [...values],
});

const joinSql = (conditions: readonly Sql[], operator: 'AND' | 'OR'): Sql => ({
  sql: conditions.map(({ sql }) => `(${sql})`).join(` ${operator} `) || '1',
  parameters: conditions.flatMap(({ parameters }) => parameters),
});

/** Joins conditions by AND. */
export const allOf = (conditions: readonly Sql[]): Sql => joinSql(conditions, 'AND');

/** Joins at least one condition by OR. */
export const anyOf = (conditions: readonly Sql[]): Sql => joinSql(conditions, 'OR');

/** SQL that counts current records from indexes, as all minus withdrawn ones; conditions must be on indexed columns. */
export function currentCountSql({ sql, parameters }: Sql): Sql {
  return {
    sql: `(SELECT count(*) FROM record WHERE ${sql})
      - (SELECT count(*) FROM (SELECT id AS gone FROM record WHERE withdrawn IS NOT NULL)
        CROSS JOIN record ON id = gone WHERE ${sql})`,
    parameters: [...parameters, ...parameters],
  };
}

const maxCachedCounts = 1000;
const maxKeyLength = 10_000;

/** The result of a counting query, cached until the file changes. */
export function readCount(mirror: Mirror, query: Sql): number {
  const cache = mirror.readOnce('counted rows', () => new Map<string, number>());
  const compute = () => mirror.column<number>(query.sql).get(...query.parameters)!;
  const key = JSON.stringify(query);
  // Do not keep long keys: the parameters of a query may be a megabyte of ids.
  return key.length > maxKeyLength ? compute() : readCached(cache, key, { compute, maxEntries: maxCachedCounts });
}

/** Returns an opaque keyset cursor of a list order: `position` has the sort values of the last row of a page. */
export function encodeCursor(order: string, position: (string | number)[]): string {
  return Buffer.from(JSON.stringify([order, ...position])).toString('base64url');
}

/** Position in a cursor: a text, then `count` integers. Throws a UsageError if it is damaged or of another order. */
export function decodeCursor<Numbers extends number[] = [number]>(order: string, cursor: string, count = 1) {
  const decoded: unknown = orNull(() => JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  const [cursorOrder, text, ...remainingValues]: unknown[] = Array.isArray(decoded) ? decoded : [];
  const isWellFormed = cursorOrder === order && typeof text === 'string' && remainingValues.length >= count;
  if (!isWellFormed || !remainingValues.every((each) => Number.isSafeInteger(each))) throw badCursorError();
  return [text, ...remainingValues.slice(0, count)] as [string, ...Numbers];
}

/** Trims rows to `limit`; `last` is the last row of the page if more rows follow, for the next cursor; else null. */
export function trimPage<Row>(rows: Row[], limit: number): { rows: Row[]; last: Row | null } {
  const page = rows.slice(0, limit);
  return { rows: page, last: rows.length > limit ? (page.at(-1) ?? null) : null };
}

/** The error for a damaged or foreign cursor. */
export function badCursorError(): UsageError {
  return new UsageError(
    say`the cursor does not belong to this list`,
    say`use the value of next_cursor with the same sort, or remove it`,
  ).withFault('cursor', say`does not belong to this list`);
}
