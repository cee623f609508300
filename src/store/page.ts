import { UsageError } from '../errors.ts';
import { say } from '../words/speech.ts';
import type { Mirror } from './mirror.ts';

/** One page of a list: each item as JSON text, the number of all matches (null if not counted), the next cursor. */
export type JsonPage = { items: string[]; total: number | null; nextCursor: string | null };

/** An SQL text with its parameters. */
export type Sql = { sql: string; parameters: (string | number | Uint8Array)[] };

/** Conditions joined by AND, with their parameters in order. */
export function allOf(conditions: Sql[]): Sql {
  return {
    sql: conditions.map(({ sql }) => `(${sql})`).join(' AND ') || '1',
    parameters: conditions.flatMap(({ parameters }) => parameters),
  };
}

/**
 * Counts the records of `where` that are not withdrawn: all of them less the withdrawn ones. An index counts each of the
 * two by itself, while `withdrawn IS NULL` would have every record read; the conditions are to be on indexed columns.
 */
export function liveCountSql({ sql, parameters }: Sql): Sql {
  return {
    sql: `(SELECT count(*) FROM record WHERE ${sql})
      - (SELECT count(*) FROM (SELECT id AS gone FROM record WHERE withdrawn IS NOT NULL)
        CROSS JOIN record ON id = gone WHERE ${sql})`,
    parameters: [...parameters, ...parameters],
  };
}

/** How many counts of a mirror that nobody writes to are kept. */
const mostCounts = 1000;

/** The number of rows that a query counts, remembered until the mirror's file changes. */
export function countOf(mirror: Mirror, query: Sql): number {
  const known = mirror.readOnce('counted rows', () => new Map<string, number>());
  const name = JSON.stringify(query);
  const total = known.get(name) ?? mirror.column<number>(query.sql).get(...query.parameters)!;
  if (known.size >= mostCounts) known.clear();
  known.set(name, total);
  return total;
}

/** An opaque keyset cursor: where the last page ended, in the terms of its order. */
export function encodeCursor(order: string, position: (string | number)[]): string {
  return Buffer.from(JSON.stringify([order, ...position])).toString('base64url');
}

/**
 * The position that a cursor names: a text and then numbers, `numbers` of them. Throws a UsageError on one that is damaged
 * or of another order.
 */
export function decodeCursor<const Count extends 1 | 2 = 1>(
  order: string,
  cursor: string,
  numbers: Count = 1 as Count,
): Count extends 1 ? [string, number] : [string, number, number] {
  let decoded: unknown;
  try {
    decoded = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    decoded = null;
  }
  const [own, text, ...rest]: unknown[] = Array.isArray(decoded) ? decoded : [];
  const isOurs = own === order && typeof text === 'string' && rest.length >= numbers;
  if (isOurs && rest.every((each) => Number.isSafeInteger(each)))
    return [text, ...rest.slice(0, numbers)] as Count extends 1 ? [string, number] : [string, number, number];
  throw badCursor();
}

/** The error for a damaged cursor, or one of another list. */
export function badCursor(): UsageError {
  return new UsageError(
    say`the cursor is not one of this list`,
    say`take it from next_cursor, with the same sort, or leave it out`,
  ).withFault('cursor', say`is not a cursor of this list`);
}
