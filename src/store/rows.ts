import type { Document } from '../model/document.ts';
import { hasColumn, type Kind, type KindName } from '../model/kinds.ts';
import { affiliatedPeople } from '../names/party-groups.ts';
import { columnsAddedSince } from './columns.ts';
import type { Mirror } from './mirror.ts';
import { allOf, countOf, liveCountSql, type Sql } from './page.ts';

/** Filter of records: of a politician or party (slugs), dated since a day, or ballots by key. */
export type RowFilter = {
  politician?: string;
  party?: string;
  /** The party with the groups of its members: who said something, where `party` is who belongs to it. */
  parties?: readonly string[];
  /** Those of them that vote. */
  voters?: readonly string[];
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
    ...conditionsOf(mirror, kind, filter),
  ]);
  const texts = mirror.column<string>(`SELECT coalesce(row, detail) FROM record WHERE ${where.sql} ORDER BY key`);
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

function conditionsOf(
  mirror: Mirror,
  kind: Kind,
  { politician, party, parties, since, ...filter }: KeyedFilter,
): Sql[] {
  const conditions: Sql[] = [];
  const add = (sql: string, ...parameters: string[]) => conditions.push({ sql, parameters });
  for (const keys of [filter.keys, filter.ballots?.keys])
    if (keys !== undefined) add('key IN (SELECT value FROM json_each(?))', JSON.stringify(keys));
  if (politician !== undefined) add(`${kind.name === 'politician' ? 'key' : 'politician'} = ?`, politician);
  if (party !== undefined && kind.name === 'party') add('key = ?', party);
  else if (party !== undefined) {
    const slugs = (kind.name !== 'politician' && parties) || [party];
    const placeholders = slugs.map(() => '?').join(', ');
    const sat = ofMembersSql(mirror, slugs);
    conditions.push({
      sql: `(party IN (${placeholders}) OR group_slug IN (${placeholders}) OR ${sat.sql})`,
      parameters: [...slugs, ...slugs, ...sat.parameters],
    });
  }
  if (since !== undefined) add(`${hasColumn(kind, 'date') ? 'date' : 'updated_at'} >= ?`, since);
  return conditions;
}

/** By party and group, when what its members said counts for it: in their stays, and by where they are at present. */
const membersByParty = (mirror: Mirror) =>
  mirror.readOnce('members of parties', () => {
    const all = affiliatedPeople(mirror).flatMap(({ politician, stays, present }) => {
      const dated = stays.filter(({ start }) => start !== null);
      // "~" sorts after every moment of a day.
      const to = dated.length > 0 ? '' : '~';
      return [
        ...dated.map(({ party, start, end }) => ({
          politician,
          party,
          from: start!,
          to: `${end ?? '9999'}~`,
        })),
        ...present.map((party) => ({ politician, party, from: '', to })),
      ];
    });
    return Map.groupBy(all, ({ party }) => party);
  });

/**
 * The condition for records that state no party, of politicians who sat in one of these on the record's day. A record
 * without a day, or of somebody whose affiliations state none, counts by the present party and group: `present` selects these.
 */
export function ofMembersSql(mirror: Mirror, parties: readonly string[], which: 'all' | 'present' = 'all') {
  const members = parties.flatMap((party) => membersByParty(mirror).get(party) ?? []);
  const selectedMembers = members.filter(({ from }) => which === 'all' || from === '');
  return {
    sql: `id IN (SELECT fact.id FROM json_each(?) AS member JOIN record AS fact
      ON fact.politician = member.value ->> '$.politician' AND fact.party IS NULL
      AND fact.date BETWEEN member.value ->> '$.from' AND member.value ->> '$.to')`,
    parameters: [JSON.stringify(selectedMembers)],
  };
}

/** Number of records of a kind, without withdrawn ones. */
export function countRows(mirror: Mirror, kind: Kind, filter: KeyedFilter = {}): number {
  const conditions = [{ sql: 'kind = ?', parameters: [kind.name] }, ...conditionsOf(mirror, kind, filter)];
  const { sql, parameters } = liveCountSql(allOf(conditions));
  return countOf(mirror, { sql: `SELECT ${sql}`, parameters });
}

/** The words that current records of a kind state in a field, sorted. */
export function distinctValues(mirror: Mirror, kind: KindName, field: string): string[] {
  const sql = `SELECT DISTINCT json_extract(coalesce(row, detail), ?) AS word FROM record
    WHERE kind = ? AND withdrawn IS NULL AND typeof(word) = 'text' ORDER BY word`;
  return mirror.column<string>(sql).all(`$.${field}`, kind);
}

/** Date of the newest record of a kind, or null. */
export function newestDate(mirror: Mirror, kind: KindName): string | null {
  return mirror.column<string | null>('SELECT max(date) FROM record WHERE kind = ?').get(kind) || null;
}
