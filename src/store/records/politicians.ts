import { nameWords } from '../../language/name.ts';
import { hasColumn, kindOf, kinds } from '../../model/kinds.ts';
import { fieldSql, quotedText, textFieldSql } from '../../names/database.ts';
import { departments, placeName } from '../../names/department.ts';
import { slugsIn } from '../../names/lookup.ts';
import type { Mirror } from '../mirror.ts';
import { allOf, decodeCursor, encodeCursor, inValues, type JsonPage, readCount, type Sql, trimPage } from '../page.ts';
import { distinctValues } from '../rows.ts';
import { sumOf } from '../search/counting.ts';
import { currentIndex, type IndexPart, indexParts, matchingIdsSql } from '../word-index/search-index.ts';
import { partyMemberSql, withPartyLink } from './members.ts';
import { type SubjectFilter, subjectSql } from './subject-records.ts';

export const politicianSorts = ['name', 'freshness', 'updated_at'] as const;
export type PoliticianSort = (typeof politicianSorts)[number];

export type PoliticianFilter = SubjectFilter & {
  /** Words of the name, each as a prefix. */
  q?: string | undefined;
  /** Slug of a party or of a parliamentary group. */
  party?: string | undefined;
  in_office?: boolean | undefined;
  includesWithdrawn?: boolean;
  chamber?: string | undefined;
  /** Department, in any spelling. */
  department?: string | undefined;
  constituency?: number | undefined;
  /** Constituencies, in any of which the deputy was elected; a null number means the whole department. */
  seats?: { department: string; constituency: number | null }[] | null;
  /** Comma-separated slugs of parliamentary groups. */
  group?: string | undefined;
  sort?: PoliticianSort | undefined;
  limit: number;
  cursor?: string | undefined;
};

/** Per kind, an SQL expression for the newest day of a fact about a politician, read from the index without a scan. */
const newestFactSql = kinds
  .filter((kind) => hasColumn(kind, 'politician'))
  .map(
    (kind) => `coalesce((SELECT date FROM record AS fact WHERE fact.politician = record.key
      AND fact.kind = ${quotedText(kind.name)} AND fact.withdrawn IS NULL ORDER BY date DESC LIMIT 1), '')`,
  );

/** Sort orders; `freshness` is the day of the newest fact about the politician. */
const orders: Record<PoliticianSort, { expression: string; direction: 'ASC' | 'DESC' }> = {
  name: { expression: 'sort_name', direction: 'ASC' },
  updated_at: { expression: 'updated_at', direction: 'DESC' },
  freshness: { expression: `max(${newestFactSql.join(', ')})`, direction: 'DESC' },
};

/** A page of politicians, by name or newest first; `isInterface` omits derived fields that the API lacks. */
export function listPoliticians(mirror: Mirror, requestedFilter: PoliticianFilter, isInterface = false): JsonPage {
  const aboutSubject = subjectSql(mirror, requestedFilter.subject);
  const filter = { ...requestedFilter, ...seatsIn(mirror, requestedFilter), aboutSubject };
  const parts = indexParts(mirror);
  const where = politiciansSql(filter, parts);
  const page = politiciansPageSql(filter, parts);
  const pageStatement = mirror.sql<{ id: number; json: string; position: string }>(page.sql);
  const { rows, last } = trimPage(pageStatement.all(...page.parameters), filter.limit);
  return {
    items: rows.map(({ json }) => (isInterface ? json : JSON.stringify(withPartyLink(mirror, JSON.parse(json))))),
    total: readCount(mirror, { ...where, sql: `SELECT count(*) FROM record WHERE ${where.sql}` }),
    nextCursor: last && encodeCursor(filter.sort ?? 'name', [last.position, last.id]),
  };
}

/** The filter's department (as `departments`) and seats, in every spelling that the mirror has. */
export function seatsIn(mirror: Mirror, { department, seats }: Pick<PoliticianFilter, 'department' | 'seats'>) {
  const spelledSeats = seats?.flatMap((seat) =>
    departmentSpellings(mirror, seat.department).map((spelling) => ({ ...seat, department: spelling })),
  );
  const departments = department === undefined ? {} : { departments: departmentSpellings(mirror, department) };
  return { ...departments, ...(spelledSeats && { seats: spelledSeats }) };
}

type ResolvedFilter = Omit<PoliticianFilter, 'department' | 'limit'> & { departments?: string[]; aboutSubject?: Sql[] };

/** Every spelling of a department, with its official code and name; both null if it is no department. */
export function departmentRows(mirror: Mirror) {
  const departmentsByName = new Map(Object.entries(departments).map((each) => [placeName(each[1]), each]));
  return distinctValues(mirror, 'politician', 'department').map((department) => {
    const [code, name] = departmentsByName.get(placeName(department)) ?? [null, null];
    return { department, code, name };
  });
}

/** Departments with people in office, sorted by name (in one of its spellings), with their number per chamber. */
export function seatsByDepartment(mirror: Mirror) {
  const where = politiciansSql({ in_office: true });
  const sql = `SELECT ${textFieldSql('department')} AS department, ${textFieldSql('chamber')} AS chamber,
    count(*) AS count FROM record WHERE ${where.sql} AND department IS NOT NULL GROUP BY 1, 2 ORDER BY 1`;
  const countStatement = mirror.sql<{ department: string; chamber: string | null; count: number }>(sql);
  const rowsByPlace = Map.groupBy(countStatement.all(...where.parameters), ({ department }) => placeName(department));
  return [...rowsByPlace.values()].map((rows) => {
    const countOf = (chamber: string) => sumOf(rows.map((row) => (row.chamber === chamber ? row.count : 0))) || null;
    return { department: rows[0]!.department, AN: countOf('AN'), Senat: countOf('Senat') };
  });
}

const departmentSpellings = (mirror: Mirror, department: string) =>
  distinctValues(mirror, 'politician', 'department').filter((each) => placeName(each) === placeName(department));

const constituencySql = `CAST(${fieldSql('constituency_number')} AS INTEGER)`;

/** Condition for people elected in any of these constituencies; a null number means any of the department. */
function seatsSql(seats: NonNullable<PoliticianFilter['seats']>): Sql {
  const keys = seats.map(({ department, constituency }) => `${department} ${constituency ?? ''}`);
  const department = textFieldSql('department');
  // Two keys of a record: `DEPARTMENT NUMBER`, and `DEPARTMENT ` for any number; NULL without a number, as of senators.
  const keySql = `${department} || ' ' || ${constituencySql}, ${department} || substr(' ' || ${constituencySql}, 1, 1)`;
  return { sql: `EXISTS (SELECT 1 FROM json_each(?) WHERE value IN (${keySql}))`, parameters: [JSON.stringify(keys)] };
}

/** Condition on `record` for the politicians that a filter selects; `parts`: the full-text index to search for `q`. */
export function politiciansSql(filter: ResolvedFilter, parts: readonly IndexPart[] = [currentIndex]): Sql {
  const { q, party, group, departments, seats, chamber, constituency } = filter;
  const conditions: Sql[] = [...(filter.aboutSubject ?? [])];
  const add = (sql: string, ...parameters: string[]) => conditions.push({ sql, parameters });
  if (party === undefined) add("kind = 'politician'");
  else add(partyMemberSql, party, party);
  if (!filter.includesWithdrawn) add('withdrawn IS NULL');
  if (group !== undefined) conditions.push(inValues('group_slug', slugsIn(group)));
  if (seats) conditions.push(seatsSql(seats));
  // Seats select people in office unless `in_office` is false.
  if (filter.in_office ?? seats) add(`${fieldSql('current_role')} IS NOT NULL`);
  if (chamber !== undefined) conditions.push(inValues(textFieldSql('chamber'), [chamber]));
  if (departments) conditions.push(inValues(textFieldSql('department'), departments));
  if (constituency !== undefined) conditions.push(inValues(constituencySql, [constituency]));
  if (q !== undefined && q.trim() !== '') conditions.push(nameSql(q, parts));
  return allOf(conditions);
}

const maxNameWords = 16; // words of a query; no name has more

function nameSql(q: string, parts: readonly IndexPart[], mode: 'prefix' | 'whole' = 'prefix'): Sql {
  const words = nameWords(q);
  if (words.length === 0 || words.length > maxNameWords) return { sql: '0', parameters: [] };
  const prefixMark = mode === 'prefix' ? ' *' : '';
  const match = `{name} : (${words.map((word) => `"${word}"${prefixMark}`).join(' AND ')})`;
  return matchingIdsSql(parts, match, [kindOf('politician')]);
}

/** Sort expression of a page; names with whole words of the query precede prefix matches. */
function sortKeySql({ q, sort = 'name' }: PoliticianFilter, parts: readonly IndexPart[]): Sql {
  const { expression } = orders[sort];
  if (sort !== 'name' || q === undefined || q.trim() === '') return { sql: expression, parameters: [] };
  const wholeWordSql = nameSql(q, parts, 'whole');
  return { ...wholeWordSql, sql: `(NOT ${wholeWordSql.sql}) || ${expression}` };
}

/** The query of a page, with one more row to detect a next page. */
export function politiciansPageSql(
  filter: ResolvedFilter & { limit: number },
  parts: readonly IndexPart[] = [currentIndex],
): Sql {
  const sort = filter.sort ?? 'name';
  const where = politiciansSql(filter, parts);
  const { direction } = orders[sort];
  const position = sortKeySql(filter, parts);
  const cursorPosition = filter.cursor === undefined ? null : decodeCursor(sort, filter.cursor);
  const keyset = cursorPosition ? ` WHERE (position, id) ${direction === 'ASC' ? '>' : '<'} (?, ?)` : '';
  return {
    sql: `SELECT * FROM (SELECT id, coalesce(row, detail) AS json, ${position.sql} AS position FROM record WHERE ${where.sql})${keyset}
      ORDER BY position ${direction}, id ${direction} LIMIT ?`,
    parameters: [...position.parameters, ...where.parameters, ...(cursorPosition ?? []), filter.limit + 1],
  };
}
