import type { Kind } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { allOf, anyOf, inValues, type Sql } from '../page.ts';
import { partiesSql } from '../rows.ts';
import { searchedKinds } from '../word-index/search-index.ts';

/** The records to search: those of `kinds` that meet every given condition; a list of names requires one of them. */
export type Scope = {
  kinds: readonly Kind[];
  topic?: string | undefined;
  parties?: readonly string[] | undefined;
  politicians?: readonly string[] | undefined;
  since?: string | undefined;
  before?: string | undefined;
  /** The condition on `id` from filters by user-defined subject, chamber, department, seats or group. */
  chosen?: Sql | undefined;
  /** The condition on `id` that a key, number or date in the query sets. */
  condition?: Sql | undefined;
  /** Authors whose records are excluded. */
  excludedAuthors?: readonly Pick<Scope, 'parties' | 'politicians'>[] | undefined;
};

/** True for a scope with a topic or days, which people and parties do not have: only texts can match. */
export function onlyTextsMatch({ topic, since, before }: Scope): boolean {
  return topic !== undefined || since !== undefined || before !== undefined;
}

/** True if a filter restricts the scope, or the scope lacks a kind that the service's own search covers. */
export function isNarrowed({ kinds, ...filters }: Scope): boolean {
  const isFiltered = Object.values(filters).some((each) => each !== undefined);
  return isFiltered || !searchedKinds.every((kind) => kinds.includes(kind));
}

/** Conditions of a scope on `record`, all of which must be true; empty if only kinds restrict it. */
function conditionsOf(mirror: Mirror, { kinds, topic, parties, politicians, since, before, chosen, condition }: Scope) {
  const names = kinds.map(({ name }) => name);
  const datedSql = (sql: string, day: string) => allOf([inValues('kind', names), { sql, parameters: [day] }]);
  return [
    chosen,
    condition,
    topic !== undefined && inValues('topic', [topic]),
    parties && partiesSql(mirror, parties),
    politicians && anyOf([inValues('politician', politicians), inValues("kind = 'politician' AND key", politicians)]),
    since !== undefined && datedSql('date >= ?', since),
    before !== undefined && datedSql("date > '' AND date < ?", before),
  ].filter((each) => typeof each === 'object');
}

/** What a scope includes and excludes, as conditions on `record`; empty if only kinds restrict it. */
function recordConditions(mirror: Mirror, scope: Scope): (Sql & { isExcluded: boolean })[] {
  const { kinds, excludedAuthors = [] } = scope;
  const included = conditionsOf(mirror, scope);
  return [
    ...(included.length === 0 ? [] : [{ ...allOf(included), isExcluded: false }]),
    ...excludedAuthors.map((each) => ({ ...allOf(conditionsOf(mirror, { kinds, ...each })), isExcluded: true })),
  ];
}

/** SQL ` AND …` that keeps the records of a scope by a column of ids; empty if only kinds restrict the scope. */
export function scopeConditionSql(mirror: Mirror, scope: Scope, column: string): Sql {
  const conditions = recordConditions(mirror, scope);
  const conditionOnColumn = ({ sql, isExcluded }: (typeof conditions)[number]) =>
    ` AND ${column} ${isExcluded ? 'NOT IN' : 'IN'} (SELECT id FROM record WHERE ${sql})`;
  return {
    sql: conditions.map(conditionOnColumn).join(''),
    parameters: conditions.flatMap(({ parameters }) => parameters),
  };
}

/** Creates a test of record ids against the scope; null if only kinds restrict it. */
export function createScopeTest(mirror: Mirror, scope: Scope): ((id: number) => boolean) | null {
  const conditions = recordConditions(mirror, scope);
  if (conditions.length === 0) return null;
  const sql = conditions.map((each) => `(${each.sql}) IS ${each.isExcluded ? 'NOT TRUE' : 'TRUE'}`).join(' AND ');
  const memberStatement = mirror.column<number>(`SELECT 1 FROM record WHERE id = ? AND ${sql}`);
  const parameters = conditions.flatMap((each) => each.parameters);
  return (id) => memberStatement.get(id, ...parameters) !== undefined;
}
