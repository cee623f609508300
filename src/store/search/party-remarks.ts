import { type Phrase, say } from '../../words/speech.ts';
import { readCached } from '../cached.ts';
import type { Mirror } from '../mirror.ts';
import { memberRecordsSql } from '../rows.ts';
import type { Scope } from './scope.ts';

/** Remarks on a party filter: groups under which texts may be filed, and how records without a party are assigned. */
export function partyRemarks(mirror: Mirror, { parties = [], kinds }: Pick<Scope, 'parties' | 'kinds'>): Phrase[] {
  if (parties.length === 0) return [];
  const kindNames = JSON.stringify(kinds.map(({ name }) => name));
  const cache = mirror.readOnce('records by where people sat', () => new Map<string, boolean>());
  /** True if records match by the affiliations of their politician: all of them, or only the present one. */
  const hasRecords = (which: 'all' | 'present') => {
    const { sql, parameters } = memberRecordsSql(mirror, parties, which);
    const statement = mirror.sql(
      `SELECT 1 FROM record WHERE ${sql} AND kind IN (SELECT value FROM json_each(?)) AND withdrawn IS NULL LIMIT 1`,
    );
    const compute = () => statement.get(...parameters, kindNames) !== undefined;
    return readCached(cache, JSON.stringify([which, parties, kindNames]), { compute, maxEntries: 128 });
  };
  return [
    ...groupsRemark(mirror, parties),
    ...(hasRecords('all') ? [say`records without a party count for the party of their politician on that date`] : []),
    ...(hasRecords('present') ? [say`without a date, or without dated affiliations, the current party counts`] : []),
  ];
}

/** A remark with up to 3 groups, largest first, of the parties' members; empty if a record is filed under a party. */
function groupsRemark(mirror: Mirror, parties: readonly string[]): Phrase[] {
  const partiesJson = JSON.stringify(parties);
  const inListSql = 'IN (SELECT value FROM json_each(?))';
  const filedStatement = mirror.sql(`SELECT 1 FROM record WHERE (party ${inListSql} OR group_slug ${inListSql})
    AND kind NOT IN ('politician', 'party') AND withdrawn IS NULL LIMIT 1`);
  // Texts are filed under the group of their legislature.
  if (filedStatement.get(partiesJson, partiesJson) !== undefined) return [];
  const sql = `SELECT group_slug || ' (' || count(*) || ')' FROM record
    WHERE kind = 'politician' AND party ${inListSql} AND group_slug IS NOT NULL AND withdrawn IS NULL
    GROUP BY group_slug ORDER BY count(*) DESC, group_slug LIMIT 3`;
  const groups = mirror.column<string>(sql).all(partiesJson);
  if (groups.length === 0) return [];
  return [say`no text states ${parties.join(', ')}; its members sit in ${groups.join(', ')}`];
}
