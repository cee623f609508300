import { type Kind, recordRange } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import type { Sql } from '../page.ts';
import { type IndexPart, indexOfNow, indexParts, isBetween } from '../word-index/search-index.ts';
import { memberSql, type Scope } from './scope.ts';

const countedAtMost = 10_000;

/** Cached counts per mirror. */
const mostKnown = 1000;

/** Above the counting limit, only this many matches over all kinds are ranked: the newest of each kind. */
const rankedAtMost = 5000;

/** Matches in one index table: their number (null above the counting limit), and the first rowid that is ranked. */
type PartMatches = { part: IndexPart; total: number | null; from: number };

/** The records of a kind that match an FTS5 expression. */
export type KindMatches = {
  kind: Kind;
  match: string;
  scope: Scope;
  total: number | null;
  parts: PartMatches[];
};

/** The FROM clause for the records of an index table that match an expression, in a rowid range and a scope. */
export function matchingSql(condition: string, part: IndexPart = indexOfNow): string {
  return `FROM ${part.table} WHERE search MATCH ? AND ${isBetween}${condition}${part.isValid}`;
}

/** Counts the matches per kind, up to 10,000; above that, only the newest are ranked. */
export function findMatches(mirror: Mirror, match: string, scope: Scope): KindMatches[] {
  const { kinds: among, ...rest } = scope;
  const asked = JSON.stringify([match, among.map(({ name }) => name), rest]);
  // The next page repeats the same query.
  const known =
    mirror.pastOf === null ? mirror.readOnce('matches', () => new Map<string, KindMatches[]>()) : null;
  const found = known?.get(asked) ?? countedMatches(mirror, match, scope);
  if (known !== null && known.size >= mostKnown) known.clear();
  known?.set(asked, found);
  return found;
}

function countedMatches(mirror: Mirror, match: string, scope: Scope): KindMatches[] {
  const found = scope.kinds.map((kind) => countMatches(mirror, kind, match, scope));
  const capped = found.flatMap(({ parts }) => parts.filter(({ total }) => total === null)).length;
  const most = Math.ceil(rankedAtMost / capped);
  return capped === 0 ? found : found.map((each) => newestOf(mirror, each, most));
}

/** Restricts matches above the counting limit to the newest. */
function newestOf(mirror: Mirror, found: KindMatches, most: number): KindMatches {
  const { kind, match, scope } = found;
  const { first, last } = recordRange(kind);
  const condition = memberSql(mirror, scope, kind);
  const parts = found.parts.map((matches) => {
    if (matches.total !== null) return matches;
    const from = mirror
      .column<number>(
        `SELECT rowid ${matchingSql(condition.sql, matches.part)} ORDER BY rowid DESC LIMIT 1 OFFSET ?`,
      )
      .get(match, first, last, ...condition.parameters, most - 1);
    return { ...matches, from: from ?? matches.from };
  });
  return { ...found, parts };
}

function countMatches(mirror: Mirror, kind: Kind, match: string, scope: Scope): KindMatches {
  const { first, last } = recordRange(kind);
  const isNone = !isHeld(mirror, kind);
  const condition = memberSql(mirror, scope, kind);
  const parts = indexParts(mirror).map((part) => {
    if (isNone) return { part, total: 0, from: first };
    const total = mirror
      .column<number>(
        `SELECT count(*) FROM (SELECT 1 ${matchingSql(condition.sql, part)} LIMIT ${countedAtMost + 1})`,
      )
      .get(match, first, last, ...condition.parameters)!;
    return { part, total: total > countedAtMost ? null : total, from: first };
  });
  return { kind, match, scope, total: sumOf(parts.map(({ total }) => total)), parts };
}

/** False if the mirror has no record of a kind: for a prefix or phrase, FTS5 takes as long to find none as to count. */
function isHeld(mirror: Mirror, kind: Kind): boolean {
  if (mirror.pastOf !== null) return true;
  const { first, last } = recordRange(kind);
  return mirror.sql('SELECT 1 FROM record WHERE id BETWEEN ? AND ? LIMIT 1').get(first, last) !== undefined;
}

/** The sum; null if one of them is unknown. */
export function sumOf(totals: (number | null)[]): number | null {
  return totals.some((total) => total === null)
    ? null
    : totals.reduce<number>((sum, total) => sum + total!, 0);
}

/** The FROM clause over all kinds in one index table; null without matches. */
export function matchingIn(mirror: Mirror, found: readonly KindMatches[], at: number): Sql | null {
  const ranges = found.flatMap(({ kind, scope, parts }) => {
    const { part, from, total } = parts[at]!;
    const { last } = recordRange(kind);
    return total === 0 ? [] : [{ part, from, last, condition: memberSql(mirror, scope, kind) }];
  });
  const [first] = ranges;
  if (first === undefined) return null;
  // The unary plus keeps SQLite from running one index scan for each range.
  const within = ranges.map(({ condition }) => `(+rowid BETWEEN ? AND ?${condition.sql})`).join(' OR ');
  const all = [Math.min(...ranges.map(({ from }) => from)), Math.max(...ranges.map(({ last }) => last))];
  return {
    sql: matchingSql(` AND (${within})`, first.part),
    parameters: [
      found[0]!.match,
      ...all,
      ...ranges.flatMap(({ from, last, condition }) => [from, last, ...condition.parameters]),
    ],
  };
}

/** How many ranked matches also have a token, and the newest of them (null if none). */
export function sharingToken(
  mirror: Mirror,
  { kind, match, scope, parts }: KindMatches,
  token: string,
): { count: number; newest: number | null } {
  const { last } = recordRange(kind);
  const condition = memberSql(mirror, scope, kind);
  const shares = parts
    .filter(({ total }) => total !== 0)
    .map(
      ({ part, from }) =>
        mirror
          .sql<{ count: number; newest: number | null }>(
            `SELECT count(*) AS count, max(rowid) AS newest ${matchingSql(condition.sql, part)}`,
          )
          .get(`(${match}) AND "${token}"`, from, last, ...condition.parameters)!,
    );
  const newest = Math.max(...shares.map((share) => share.newest ?? -1));
  return { count: sumOf(shares.map(({ count }) => count))!, newest: newest === -1 ? null : newest };
}

/** Ids of all counted matches. */
export function matchedIds(mirror: Mirror, { kind, match, scope, parts }: KindMatches): Set<number> {
  const { last } = recordRange(kind);
  const condition = memberSql(mirror, scope, kind);
  const numbers = new Set<number>();
  for (const { part, from, total } of parts) {
    if (total === 0) continue;
    const json = mirror
      .column<string>(`SELECT json_group_array(rowid) ${matchingSql(condition.sql, part)}`)
      .get(match, from, last, ...condition.parameters)!;
    for (const id of JSON.parse(json) as number[]) numbers.add(id);
  }
  return numbers;
}
