import type { Document } from '../model/document.ts';
import { hasColumn, type Kind, type KindName } from '../model/kinds.ts';
import { columnsAddedSince } from './columns.ts';
import type { Mirror } from './mirror.ts';
import { allOf, countOf, liveCountSql, type Sql } from './page.ts';

/** Filter of records: of a politician or party (slugs), dated since a day, or ballots by key. */
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
    (party === undefined || has('party') || has('politician')) &&
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
  else if (party !== undefined) {
    const sat = ofMembersSql([party]);
    conditions.push({
      sql: `(party = ? OR group_slug = ? OR ${sat.sql})`,
      parameters: [party, party, ...sat.parameters],
    });
  }
  if (since !== undefined) add(`${hasColumn(kind, 'date') ? 'date' : 'updated_at'} >= ?`, since);
  return conditions;
}

/**
 * The condition for records that state no party, of politicians who sat in one of these on the record's day. A record
 * without a day, or of somebody whose affiliations state none, counts by the present party and group: `present` selects these.
 */
export function ofMembersSql(parties: readonly string[], which: 'all' | 'present' = 'all'): Sql {
  const asked = JSON.stringify(parties);
  const affiliations = "json_each(coalesce(person.row, person.detail), '$.affiliations') AS stay";
  const stated = (field: string) => `CASE stay.type WHEN 'object' THEN stay.value ->> '$.${field}' END`;
  const ofPerson = `JOIN record AS person ON person.kind = 'politician' AND person.withdrawn IS NULL`;
  const facts = 'JOIN record AS fact ON fact.politician = person.key AND fact.party IS NULL';
  const present = `SELECT fact.id FROM json_each(?) AS asked ${ofPerson}
    AND asked.value IN (person.party, person.group_slug) ${facts}
    AND (fact.date = '' OR NOT EXISTS (SELECT 1 FROM ${affiliations} WHERE ${stated('start')} IS NOT NULL))`;
  if (which === 'present') return { sql: `id IN (${present})`, parameters: [asked] };
  // Only the affiliations of records that hold the slug are read.
  const onDay = `SELECT fact.id FROM json_each(?) AS asked
    ${ofPerson} AND instr(coalesce(person.row, person.detail), '"' || asked.value || '"') JOIN ${affiliations}
    ${facts} AND fact.date >= ${stated('start')} AND fact.date <= coalesce(${stated('end')}, '9999') || '~'
    WHERE asked.value = coalesce(${stated('party.slug')}, ${stated('party')})`;
  return { sql: `id IN (${onDay} UNION ALL ${present})`, parameters: [asked, asked] };
}

/** Number of records of a kind, without withdrawn ones. */
export function countRows(mirror: Mirror, kind: Kind, filter: KeyedFilter = {}): number {
  const conditions = [{ sql: 'kind = ?', parameters: [kind.name] }, ...conditionsOf(kind, filter)];
  const { sql, parameters } = liveCountSql(allOf(conditions));
  return countOf(mirror, { sql: `SELECT ${sql}`, parameters });
}

/** The words that current records of a kind state in a field, sorted. */
export function wordsStated(mirror: Mirror, kind: KindName, field: string): string[] {
  const sql = `SELECT DISTINCT json_extract(coalesce(row, detail), ?) AS word FROM record
    WHERE kind = ? AND withdrawn IS NULL AND typeof(word) = 'text' ORDER BY word`;
  return mirror.column<string>(sql).all(`$.${field}`, kind);
}

/** Date of the newest record of a kind, or null. */
export function newestDate(mirror: Mirror, kind: KindName): string | null {
  return mirror.column<string | null>('SELECT max(date) FROM record WHERE kind = ?').get(kind) || null;
}
