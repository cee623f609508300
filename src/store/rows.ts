import type { Document } from '../model/document.ts';
import { hasColumn, type Kind } from '../model/kinds.ts';
import { columnsAddedSince } from './columns.ts';
import type { Mirror } from './mirror.ts';
import { allOf, countOf, liveCountSql, type Sql } from './page.ts';

/**
 * Filter of records: of a politician or party (slugs), dated (profiles: updated) since a day, or the ballots of somebody's
 * own list, by key.
 */
export type RowFilter = {
  politician?: string;
  party?: string;
  since?: string;
  ballots?: { keys: readonly string[]; author: string | null };
};

/** The same, also by key. */
export type KeyedFilter = RowFilter & { keys?: readonly string[] };

/**
 * Every current record of a kind in the order of keys, as all exports have it. Past records omit columns added later that
 * are null: adding a null column makes no new version.
 */
export function* rows(mirror: Mirror, kind: Kind, filter: KeyedFilter = {}): Generator<Document> {
  const added = columnsAddedSince(mirror, kind);
  const where = allOf([
    { sql: 'kind = ? AND withdrawn IS NULL', parameters: [kind.name] },
    ...conditionsOf(kind, filter),
  ]);
  const texts = mirror.column<string>(
    `SELECT coalesce(row, detail) FROM record WHERE ${where.sql} ORDER BY key`,
  );
  for (const text of texts.iterate(...where.parameters)) {
    const document: Document = JSON.parse(text);
    for (const column of added) if (document[column] === null) delete document[column];
    yield document;
  }
}

/** True if every part of a filter applies to the records of a kind; keys always do. */
export function canFilter(kind: Kind, { politician, party, since, ballots }: KeyedFilter): boolean {
  const has = (name: string) => kind.name === name || hasColumn(kind, name);
  return (
    (politician === undefined || has('politician')) &&
    (party === undefined || has('party')) &&
    (since === undefined || has('date') || has('updated_at')) &&
    (ballots === undefined || kind.name === 'ballot')
  );
}

function conditionsOf(kind: Kind, { politician, party, since, ...filter }: KeyedFilter): Sql[] {
  const conditions: Sql[] = [];
  const add = (sql: string, ...parameters: string[]) => conditions.push({ sql, parameters });
  for (const keys of [filter.keys, filter.ballots?.keys])
    if (keys !== undefined) add('key IN (SELECT value FROM json_each(?))', JSON.stringify(keys));
  if (politician !== undefined) add(`${kind.name === 'politician' ? 'key' : 'politician'} = ?`, politician);
  if (party !== undefined && kind.name === 'party') add('key = ?', party);
  else if (party !== undefined) add('(party = ? OR group_slug = ?)', party, party);
  if (since !== undefined) add(`${hasColumn(kind, 'date') ? 'date' : 'updated_at'} >= ?`, since);
  return conditions;
}

/** Number of records of a kind, without withdrawn ones. */
export function countRows(mirror: Mirror, kind: Kind, filter: KeyedFilter = {}): number {
  const conditions = [{ sql: 'kind = ?', parameters: [kind.name] }, ...conditionsOf(kind, filter)];
  const { sql, parameters } = liveCountSql(allOf(conditions));
  return countOf(mirror, { sql: `SELECT ${sql}`, parameters });
}
