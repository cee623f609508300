import { type Kind, recordRange } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { type IndexPart, indexOfNow, indexParts, isBetween } from '../word-index/search-index.ts';
import { memberSql, type Scope } from './scope.ts';

const countedAtMost = 10_000;

/** Cached counts per mirror. */
const mostKnown = 20;

/** Above the counting limit, only this many matches over all kinds are ranked: the newest of each kind. */
const rankedAtMost = 5000;

/** Matches in one index table: their number (null above the counting limit), and the first rowid that is ranked. */
type PartMatches = { part: IndexPart; total: number | null; from: number };

/** The records of a kind that were found: their number, null if there are more than are ranked, and the ranked ids. */
export type KindFound = { kind: Kind; total: number | null; ids: ReadonlySet<number> };

/** The records of a kind that match an FTS5 expression. */
export type KindMatches = KindFound & { match: string; scope: Scope; parts: PartMatches[] };

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
  const read = scope.kinds.map((kind) => ({ kind, parts: readMatches(mirror, kind, match, scope) }));
  const capped = read.flatMap(({ parts }) => parts.filter(({ total }) => total === null)).length;
  const most = Math.ceil(rankedAtMost / capped);
  return read.map(({ kind, parts }) => {
    const ranked = parts.map((each) => (each.total === null ? newestOf(each, most) : each));
    const ids = new Set(ranked.flatMap((each) => each.ids()));
    return { kind, match, scope, total: sumOf(ranked.map(({ total }) => total)), ids, parts: ranked };
  });
}

type ReadMatches = PartMatches & { ids: (most?: number) => number[] };

/** Restricts matches above the counting limit to the newest. */
function newestOf({ ids, ...matches }: ReadMatches, most: number): ReadMatches {
  const newest = ids(most);
  return { ...matches, from: newest.at(-1)!, ids: () => newest };
}

function readMatches(mirror: Mirror, kind: Kind, match: string, scope: Scope): ReadMatches[] {
  const { first, last } = recordRange(kind);
  if (!isHeld(mirror, kind)) return [];
  const condition = memberSql(mirror, scope, kind);
  return indexParts(mirror).map((part) => {
    const read = (sql: string): { total: number; ids: string } =>
      mirror
        .sql<{ total: number; ids: string }>(
          `SELECT count(*) AS total, json_group_array(rowid) AS ids FROM (SELECT rowid ${matchingSql(condition.sql, part)} ${sql})`,
        )
        .get(match, first, last, ...condition.parameters)!;
    const found = read(`LIMIT ${countedAtMost + 1}`);
    const total = found.total > countedAtMost ? null : found.total;
    const ids = (most?: number): number[] =>
      JSON.parse(most === undefined ? found.ids : read(`ORDER BY rowid DESC LIMIT ${most}`).ids);
    return { part, total, from: first, ids };
  });
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

/** Ids of those records that match an FTS5 expression. */
export function idsAmong(mirror: Mirror, match: string, records: readonly { id: number }[]): Set<number> {
  const ids = records.map(({ id }) => id);
  const condition = ' AND +rowid IN (SELECT value FROM json_each(?))';
  const found = indexParts(mirror).flatMap((part) =>
    mirror
      .column<number>(`SELECT rowid ${matchingSql(condition, part)}`)
      .all(match, Math.min(...ids), Math.max(...ids), JSON.stringify(ids)),
  );
  return new Set(found);
}
