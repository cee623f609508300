import type { Document } from '../model/document.ts';
import type { Kind } from '../model/kinds.ts';
import { columnsAddedSince } from './columns.ts';
import type { Mirror } from './mirror.ts';
import { allOf, countOf, liveCountSql, type Sql } from './page.ts';

/** Which records of a kind: about one politician or party (slugs), or dated (profiles: updated) since a day. */
export type RowFilter = { politician?: string; party?: string; since?: string };

/** The same, or records by their keys. */
export type KeyedFilter = RowFilter & { keys?: readonly string[] };

/**
 * Every record of a kind that is not withdrawn, by key: the order of every export. Of the past without the columns that
 * were added since: a record that says nothing in them came with them, which makes no new version of it.
 */
export function* rows(mirror: Mirror, kind: Kind, filter: KeyedFilter = {}): Generator<Document> {
  const added = columnsAddedSince(mirror, kind);
  for (const text of rowTexts(mirror, kind, filter)) {
    const document: Document = JSON.parse(text);
    for (const column of added) if (document[column] === null) delete document[column];
    yield document;
  }
}

/** The same records as JSON text, as the service wrote them. */
export function* rowTexts(mirror: Mirror, kind: Kind, filter: KeyedFilter = {}): Generator<string> {
  const where = chosenSql(kind, filter);
  // A fresh statement: a cached one cannot be iterated twice at once.
  const statement = mirror.database
    .prepare(`SELECT coalesce(row, detail) FROM record WHERE ${where.sql} ORDER BY key`)
    .pluck();
  yield* statement.iterate(...where.parameters) as IterableIterator<string>;
}

/** The parts of a filter that mean something for a kind. */
export function filterFields(kind: Kind): (keyof RowFilter)[] {
  const has = (name: string) => kind.name === name || kind.columns.some((column) => column.name === name);
  return [
    ...(has('politician') ? (['politician'] as const) : []),
    ...(has('party') ? (['party'] as const) : []),
    ...(has('date') || has('updated_at') ? (['since'] as const) : []),
  ];
}

/** True if every part of a filter means something for the records of a kind; all have keys. */
export function canFilter(kind: Kind, { keys: _, ...filter }: KeyedFilter): boolean {
  const fields = filterFields(kind);
  const asked = (Object.keys(filter) as (keyof RowFilter)[]).filter((part) => filter[part] !== undefined);
  return asked.every((part) => fields.includes(part));
}

function conditionsOf(kind: Kind, { politician, party, since, keys }: KeyedFilter): Sql[] {
  const conditions: Sql[] = [];
  if (keys !== undefined)
    conditions.push({
      sql: 'key IN (SELECT value FROM json_each(?))',
      parameters: [JSON.stringify(keys)],
    });
  const isOf = (name: string) => (kind.name === name ? 'key' : name);
  if (politician !== undefined)
    conditions.push({ sql: `${isOf('politician')} = ?`, parameters: [politician] });
  if (party !== undefined && kind.name === 'party') conditions.push({ sql: 'key = ?', parameters: [party] });
  else if (party !== undefined)
    conditions.push({ sql: '(party = ? OR group_slug = ?)', parameters: [party, party] });
  const isDated = kind.columns.some(({ name }) => name === 'date');
  if (since !== undefined)
    conditions.push({ sql: `${isDated ? 'date' : 'updated_at'} >= ?`, parameters: [since] });
  return conditions;
}

/** How many records of a kind the mirror holds, without the withdrawn ones. */
export function countRows(mirror: Mirror, kind: Kind, filter: KeyedFilter = {}): number {
  const conditions = [{ sql: 'kind = ?', parameters: [kind.name] }, ...conditionsOf(kind, filter)];
  const { sql, parameters } = liveCountSql(allOf(conditions));
  return countOf(mirror, { sql: `SELECT ${sql}`, parameters });
}

function chosenSql(kind: Kind, filter: KeyedFilter): Sql {
  return allOf([
    { sql: 'kind = ? AND withdrawn IS NULL', parameters: [kind.name] },
    ...conditionsOf(kind, filter),
  ]);
}
