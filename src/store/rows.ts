import type { Document } from '../model/document.ts';
import { hasColumn, type Kind, type KindName } from '../model/kinds.ts';
import { affiliatedPeople } from '../names/party-groups.ts';
import { columnsAddedSince } from './columns.ts';
import type { Mirror } from './mirror.ts';
import { allOf, anyOf, currentCountSql, inValues, readCount, type Sql } from './page.ts';

/** Filter of records by politician or party (slugs), first day, list of ballots, and subjects. */
export type RowFilter = {
  politician?: string;
  party?: string;
  /** Replaces `party` for kinds other than politicians and parties: slugs of the party and its members' groups. */
  parties?: readonly string[];
  /** Slugs of groups whose votes a table of ballots selects; `rows` ignores them. */
  voters?: readonly string[];
  since?: string;
  /** Keys of ballots; `author`: who chose this list, for captions only. */
  ballots?: { keys: readonly string[]; author: string | null };
  /** Names of subjects, and the SQL condition for the records in any of them. */
  subject?: { names: readonly string[]; condition: Sql };
};

/** A record filter that also selects keys, or ids. */
export type KeyedFilter = RowFilter & { keys?: readonly string[]; ids?: readonly number[] };

/** Yields the current records of a kind, ordered by key; in a mirror of the past, without null fields added later. */
export function* rows(mirror: Mirror, kind: Kind, filter: KeyedFilter = {}): Generator<Document> {
  const laterColumns = columnsAddedSince(mirror, kind);
  const where = allOf([
    // The unary plus excludes the index on kind and key, which SQLite would read whole to find the ids.
    { sql: `${filter.ids ? '+' : ''}kind = ? AND withdrawn IS NULL`, parameters: [kind.name] },
    ...conditionsOf(mirror, kind, filter),
  ]);
  const texts = mirror.column<string>(`SELECT coalesce(row, detail) FROM record WHERE ${where.sql} ORDER BY key`);
  for (const text of texts.iterate(...where.parameters)) {
    const document: Document = JSON.parse(text);
    for (const column of laterColumns) if (document[column] === null) delete document[column];
    yield document;
  }
}

/** True if every part of a filter applies to the records of a kind; keys, ids, subjects always do. */
export function canFilter(kind: Kind, { politician, party, since, ballots }: KeyedFilter): boolean {
  const hasField = (name: string) => kind.name === name || hasColumn(kind, name);
  return (
    (politician === undefined || hasField('politician')) &&
    (party === undefined || hasField('party') || hasField('politician')) &&
    (since === undefined || hasField('date') || hasField('updated_at')) &&
    (ballots === undefined || kind.name === 'ballot')
  );
}

/** SQL conditions of all parts of a filter, except `voters`, for the records of a kind. */
function conditionsOf(mirror: Mirror, kind: Kind, keyedFilter: KeyedFilter): Sql[] {
  const { politician, party, parties, since, ...filter } = keyedFilter;
  const conditions: Sql[] = [];
  const add = (sql: string, ...parameters: string[]) => conditions.push({ sql, parameters });
  for (const keys of [filter.keys, filter.ballots?.keys])
    if (keys !== undefined) add('key IN (SELECT value FROM json_each(?))', JSON.stringify(keys));
  if (filter.ids) add('id IN (SELECT value FROM json_each(?))', JSON.stringify(filter.ids));
  if (filter.subject) conditions.push(filter.subject.condition);
  if (politician !== undefined) add(`${kind.name === 'politician' ? 'key' : 'politician'} = ?`, politician);
  if (party !== undefined && kind.name === 'party') add('key = ?', party);
  else if (party !== undefined) {
    conditions.push(partiesSql(mirror, kind.name === 'politician' ? [party] : (parties ?? [party])));
  }
  if (since !== undefined) add(`${hasColumn(kind, 'date') ? 'date' : 'updated_at'} >= ?`, since);
  return conditions;
}

/** Members by slug of a party or group, with the days (`from` to `to`) whose party-less records count for it. */
const membersByParty = (mirror: Mirror) =>
  mirror.readOnce('members of parties', () => {
    const authorsSql = 'SELECT DISTINCT politician FROM record WHERE politician IS NOT NULL AND party IS NULL';
    const authors = new Set(mirror.column<string>(authorsSql).all());
    const people = affiliatedPeople(mirror).filter(({ politician }) => authors.has(politician));
    const memberPeriods = people.flatMap(({ politician, stays, presentParties }) => {
      const datedStays = stays.filter(({ start }) => start !== null);
      // With dated stays, the present party counts only for undated records (''), else for all: "~" sorts last.
      return [
        ...datedStays.map(({ party, start, end }) => ({ politician, party, from: start!, to: `${end ?? '9999'}~` })),
        ...presentParties.map((party) => ({ politician, party, from: '', to: datedStays.length > 0 ? '' : '~' })),
      ];
    });
    return Map.groupBy(memberPeriods, ({ party }) => party);
  });

/** SQL condition for records of parties or groups (slugs), and of their members at the time. */
export const partiesSql = (mirror: Mirror, slugs: readonly string[]): Sql =>
  anyOf([inValues('party', slugs), inValues('group_slug', slugs), memberRecordsSql(mirror, slugs)]);

/** SQL condition for party-less records of members of `parties` at the time; `present`: by present party only. */
export function memberRecordsSql(mirror: Mirror, parties: readonly string[], affiliations: 'all' | 'present' = 'all') {
  const members = parties.flatMap((party) => membersByParty(mirror).get(party) ?? []);
  const selectedMembers = members.filter(({ from }) => affiliations === 'all' || from === ''); // '': present party
  return {
    sql: `id IN (SELECT memberRecord.id FROM json_each(?) AS member CROSS JOIN record AS memberRecord
      ON memberRecord.politician = member.value ->> '$.politician' AND memberRecord.party IS NULL
      AND memberRecord.date BETWEEN member.value ->> '$.from' AND member.value ->> '$.to')`,
    parameters: [JSON.stringify(selectedMembers)],
  };
}

/** Number of current records of a kind that match a filter. */
export function countRows(mirror: Mirror, kind: Kind, filter: KeyedFilter = {}): number {
  const conditions = [{ sql: 'kind = ?', parameters: [kind.name] }, ...conditionsOf(mirror, kind, filter)];
  const { sql, parameters } = currentCountSql(allOf(conditions));
  return readCount(mirror, { sql: `SELECT ${sql}`, parameters });
}

/** Distinct texts of a field in the current records of a kind, sorted. */
export function distinctValues(mirror: Mirror, kind: KindName, field: string): readonly string[] {
  return mirror.readOnce(`values of ${field} of ${kind}`, () => {
    const sql = `SELECT DISTINCT json_extract(coalesce(row, detail), ?) AS value FROM record
      WHERE kind = ? AND withdrawn IS NULL AND typeof(value) = 'text' ORDER BY value`;
    return mirror.column<string>(sql).all(`$.${field}`, kind);
  });
}

/** Latest date of a record of a kind; null if none is dated. */
export function newestDate(mirror: Mirror, kind: KindName): string | null {
  return mirror.column<string | null>('SELECT max(date) FROM record WHERE kind = ?').get(kind) || null;
}
