import { type Chamber, chambers } from '../../model/ballot.ts';
import { type KindName, kindOf } from '../../model/kinds.ts';
import type { Coverage } from '../../parliament/coverage.ts';
import type { Mirror } from '../mirror.ts';
import { countRows } from '../rows.ts';
import { numberedBallots, shadowBallotTables } from '../saving/ballot-tables.ts';

/** Number of records and first and last day of each kind; ballots have a row per chamber, or that of `chamber`. */
export function readCoverage(mirror: Mirror, kinds: readonly KindName[], chamber?: Chamber): Coverage[] {
  return kinds.flatMap((kind) => {
    if (kind !== 'ballot') return [mirror.readOnce(`coverage of ${kind}`, () => coverageOfKind(mirror, kind))];
    const byChamber = mirror.readOnce('coverage of ballots', () => coverageOfBallots(mirror));
    return byChamber.filter((row) => chamber === undefined || row.chamber === chamber);
  });
}

/** True if any current record of a kind has a value in a field. */
export function statesField(mirror: Mirror, kind: KindName, field: string): boolean {
  return mirror.readOnce(`any ${kind} states ${field}`, () => {
    const sql = `SELECT 1 FROM record WHERE kind = ? AND withdrawn IS NULL
      AND nullif(json_extract(coalesce(row, detail), ?), '') IS NOT NULL LIMIT 1`;
    return mirror.column(sql).get(kind, `$.${field}`) !== undefined;
  });
}

function coverageOfBallots(mirror: Mirror): Coverage[] {
  shadowBallotTables(mirror);
  const coverageStatement = mirror.sql<{ first: string | null; last: string | null; records: number; without: number }>(
    `SELECT min(nullif(day, '')) AS first, max(nullif(day, '')) AS last, count(*) AS records,
       coalesce(sum(1 - has_counts), 0) AS without FROM ballot WHERE chamber = ?`,
  );
  const numbered = numberedBallots(mirror);
  return chambers.map((chamber) => {
    const { without, ...row } = coverageStatement.get(chamber)!;
    const isIncomplete = (numbered[chamber] ?? 0) > row.records;
    return {
      kind: 'ballot',
      chamber,
      ...row,
      ...(isIncomplete && { numbered: numbered[chamber] }),
      ...(without > 0 && { without_counts: without }),
    };
  });
}

function coverageOfKind(mirror: Mirror, kind: KindName): Coverage {
  const day = (order: 'ASC' | 'DESC') => {
    const sql = `SELECT substr(date, 1, 10) FROM record WHERE kind = ? AND withdrawn IS NULL AND date > '0'
      AND date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*' ORDER BY date ${order} LIMIT 1`;
    return mirror.column<string>(sql).get(kind) ?? null;
  };
  return { kind, chamber: null, first: day('ASC'), last: day('DESC'), records: countRows(mirror, kindOf(kind)) };
}
