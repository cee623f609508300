import { hasColumn, kinds } from '../../model/kinds.ts';
import { textFieldSql } from '../../names/database.ts';
import { slugsIn } from '../../names/lookup.ts';
import type { Mirror } from '../mirror.ts';
import { allOf, anyOf, inValues, type Sql } from '../page.ts';
import { partiesSql } from '../rows.ts';
import { type PoliticianFilter, politiciansSql, seatsIn } from './politicians.ts';
import { type SubjectFilter, subjectSql } from './subject-records.ts';

/** Seats (chamber, department, constituencies) or a group of the people whose records to list. */
export type SeatFilter = Pick<PoliticianFilter, 'chamber' | 'department' | 'seats' | 'group'>;

export type RecordFilter = SubjectFilter & SeatFilter;

/** Conditions on `record` for the records in the chosen subjects and of people with the chosen seats. */
export const subjectAndSeatSql = (mirror: Mirror, filter: RecordFilter): Sql[] => [
  ...subjectSql(mirror, filter.subject),
  ...seatSql(mirror, filter),
];

/** Kinds whose records may state a chamber. */
const chamberKinds = kinds.filter((kind) => hasColumn(kind, 'chamber')).map(({ name }) => name);

/** Conditions for records of people (also withdrawn) with such a seat, or of a chamber given alone; empty if none. */
export function seatSql(mirror: Mirror, { group, ...filter }: SeatFilter): Sql[] {
  if (group !== undefined) return [allOf([...seatSql(mirror, filter), partiesSql(mirror, slugsIn(group))])];
  const { chamber, department, seats } = filter;
  if (chamber === undefined && department === undefined && !seats) return [];
  const people = politiciansSql({ chamber, ...seatsIn(mirror, filter), includesWithdrawn: true });
  // Read once: SQLite would repeat it, in which each politician is parsed, for each kind and column.
  const slugs = mirror.column<string>(`SELECT key FROM record WHERE ${people.sql}`).all(...people.parameters);
  const ofPeople = (column: string): Sql => ({
    sql: `${column} IN (SELECT value FROM json_each(?))`,
    parameters: [JSON.stringify(slugs)],
  });
  // Unless only a chamber is given: records about these people, and the people themselves.
  if (chamber === undefined || department !== undefined || seats)
    return [anyOf([ofPeople('politician'), ofPeople("kind = 'politician' AND key")])];
  const inChamber = inValues(textFieldSql('chamber'), [chamber]);
  const ofGroups = { ...inChamber, sql: `party IN (SELECT key FROM record WHERE kind = 'party' AND ${inChamber.sql})` };
  // A chamber selects records that state it, and, if they state none, those of its people and groups.
  const ofKinds = inValues('kind', chamberKinds);
  // A field is parsed only in records of kinds that have it.
  const statesNoChamber = { ...ofKinds, sql: `(CASE WHEN ${ofKinds.sql} THEN ${textFieldSql('chamber')} END) IS NULL` };
  return [anyOf([allOf([ofKinds, inChamber]), allOf([statesNoChamber, anyOf([ofPeople('politician'), ofGroups])])])];
}
