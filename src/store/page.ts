import { UsageError } from '../errors.ts';
import { readMeta } from './meta.ts';
import type { Mirror } from './mirror.ts';

/** One page of a list: each item as JSON text, the number of all matches (null if not counted), the next cursor. */
export type Page = { items: string[]; total: number | null; nextCursor: string | null };

/** A query before it runs. */
export type Sql = { sql: string; parameters: (string | number)[] };

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

const counted = new WeakMap<Mirror, { version: unknown; totals: Map<string, number> }>();

/** The number of rows that a query counts, remembered until the mirror's file changes. */
export function countOf(mirror: Mirror, query: Sql): number {
  const version = readMeta(mirror, 'version');
  let memory = counted.get(mirror);
  if (!memory || memory.version !== version || memory.totals.size > 1000) {
    memory = { version, totals: new Map() };
    counted.set(mirror, memory);
  }
  const name = JSON.stringify(query);
  let total = memory.totals.get(name);
  if (total === undefined) {
    total = mirror
      .sql(query.sql)
      .pluck()
      .get(...query.parameters) as number;
    memory.totals.set(name, total);
  }
  return total;
}

/** An opaque keyset cursor: where the last page ended, in the terms of its order. */
export function encodeCursor(order: string, position: (string | number)[]): string {
  return Buffer.from(JSON.stringify([order, ...position])).toString('base64url');
}

/** The position that a cursor names; throws a UsageError on one that is damaged or of another order. */
export function decodeCursor(order: string, cursor: string): [string, number] {
  let decoded: unknown;
  try {
    decoded = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    decoded = null;
  }
  if (
    Array.isArray(decoded) &&
    decoded[0] === order &&
    typeof decoded[1] === 'string' &&
    Number.isSafeInteger(decoded[2])
  ) {
    return [decoded[1], decoded[2]];
  }
  throw new UsageError(
    'the cursor is not one of this list',
    'take it from next_cursor, with the same sort, or leave it out',
  );
}
