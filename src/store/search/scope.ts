import { type Kind, recordRange } from '../../model/kinds.ts';
import { readCached } from '../cached.ts';
import type { Mirror } from '../mirror.ts';
import { isAmong, type Sql } from '../page.ts';
import { kindOfRecord } from '../record.ts';
import { memberRecordsSql } from '../rows.ts';
import { countIndexedRecords, searchedKinds } from '../word-index/search-index.ts';

/** The records to search: kinds, and optionally a topic, parties, politicians or days. */
export type Scope = {
  kinds: readonly Kind[];
  topic?: string | undefined;
  parties?: readonly string[] | undefined;
  politicians?: readonly string[] | undefined;
  since?: string | undefined;
  before?: string | undefined;
  /** Excludes the records of any of these. */
  except?: readonly Pick<Scope, 'parties' | 'politicians'>[] | undefined;
};

/** True for a scope that only texts can match: only they have topics and days. */
export function onlyTextsMatch({ topic, since, before }: Scope): boolean {
  return topic !== undefined || since !== undefined || before !== undefined;
}

/** True for a scope that a filter restricts, or that lacks a kind of the service's search. */
export function isNarrowed({ kinds, ...filters }: Scope): boolean {
  const isFiltered = Object.values(filters).some((each) => each !== undefined);
  return isFiltered || !searchedKinds.every((kind) => kinds.includes(kind));
}

/** Conditions of a scope on `record` in conjunctive form: one of each inner list must be true. */
function conditionsOf(mirror: Mirror, { kinds, topic, parties, politicians, since, before }: Scope): Sql[][] {
  const names = kinds.map(({ name }) => name);
  const datedSql = (sql: string, day: string): Sql => ({
    sql: `${isAmong('kind', names).sql} AND ${sql}`,
    parameters: [...names, day],
  });
  const conditions = [
    topic !== undefined && [isAmong('topic', [topic])],
    parties && [isAmong('party', parties), isAmong('group_slug', parties), memberRecordsSql(mirror, parties)],
    politicians && [isAmong('politician', politicians), isAmong("kind = 'politician' AND key", politicians)],
    since !== undefined && [datedSql('date >= ?', since)],
    before !== undefined && [datedSql("date > '' AND date < ?", before)],
  ];
  return conditions.filter((alternatives) => typeof alternatives === 'object');
}

const mostCached = 128;

/** Per kind one byte per record, 1 for members, tested for every match; and the ids if members are few, else null. */
type Members = { marks: ReadonlyMap<Kind, Buffer>; fewIds: number[] | null };

/** Most members that are few, and their share (one of 500): looking up more costs as much as reading a common word. */
const maxFewMembers = 2000;
const fewDivisor = 500;

const hasMember = ({ marks }: Pick<Members, 'marks'>, id: number): boolean => {
  const kind = kindOfRecord(id);
  return marks.get(kind)?.[id - recordRange(kind).first] === 1;
};

/** The members of a scope (null if only kinds restrict it), and those of each exclusion. */
function readScopeMembers(mirror: Mirror, scope: Scope): { included: Members | null; excluded: Members[] } {
  const { kinds, except = [] } = scope;
  const cache = mirror.readOnce('members of scopes', () => new Map<string, Members>());
  const read = (conditions: Sql[][]): Members => {
    const name = JSON.stringify([kinds.map((kind) => kind.name), conditions]);
    return readCached(cache, name, { compute: () => readMembers(mirror, kinds, conditions), most: mostCached });
  };
  const conditions = conditionsOf(mirror, scope);
  return {
    included: conditions.length === 0 ? null : read(conditions),
    excluded: except.map((each) => read(conditionsOf(mirror, { kinds, ...each }))),
  };
}

function readMembers(mirror: Mirror, kinds: readonly Kind[], conditions: Sql[][]): Members {
  const sets = conditions.map((alternatives) =>
    alternatives.flatMap(({ sql, parameters }): number[] =>
      // A covering index and one JSON text: ten times as fast as reading records row by row.
      JSON.parse(mirror.column<string>(`SELECT json_group_array(id) FROM record WHERE ${sql}`).get(...parameters)!),
    ),
  );
  const marks = new Map(
    kinds.map((kind) => {
      const { first, last } = recordRange(kind);
      const idsOfKind = sets.map((ids) => ids.filter((id) => id >= first && id <= last));
      const newestId = idsOfKind[0]!.reduce((most, id) => Math.max(most, id), first - 1);
      const conditionCounts = Buffer.alloc(newestId - first + 1);
      for (const [at, ids] of idsOfKind.entries())
        for (const id of ids) if (conditionCounts[id - first] === at) conditionCounts[id - first] = at + 1;
      return [kind, Buffer.from(conditionCounts.map((conditionCount) => Number(conditionCount === sets.length)))];
    }),
  );
  const ids = [...new Set(sets[0])].filter((id) => hasMember({ marks }, id)).sort((one, other) => one - other);
  return { marks, fewIds: ids.length > Math.min(maxFewMembers, countIndexedRecords(mirror) / fewDivisor) ? null : ids };
}

/** The ids of a scope with few members; null if there are more. */
export function fewMembers(mirror: Mirror, scope: Scope): number[] | null {
  const fewIds = readScopeMembers(mirror, scope).included?.fewIds;
  return fewIds?.filter(createScopeTest(mirror, scope)!) ?? null;
}

/** The condition of a scope, with exclusions, on the `rowid` of index tables. */
export function memberSql(mirror: Mirror, scope: Scope, kind: Kind): Sql {
  const { included: within, excluded: beyond } = readScopeMembers(mirror, scope);
  const isMember = `substr(?, rowid - ${recordRange(kind).first - 1}, 1)`;
  return {
    sql: [...(within ? [` AND ${isMember} IS x'01'`] : []), ...beyond.map(() => ` AND ${isMember} IS NOT x'01'`)].join(
      '',
    ),
    parameters: [...(within ? [within] : []), ...beyond].map(({ marks }) => marks.get(kind)!),
  };
}

/** Creates a test of record ids against the scope; null if only kinds restrict it. */
export function createScopeTest(mirror: Mirror, scope: Scope): ((id: number) => boolean) | null {
  const { included: within, excluded: beyond } = readScopeMembers(mirror, scope);
  if (within === null && beyond.length === 0) return null;
  return (id) => (within === null || hasMember(within, id)) && !beyond.some((each) => hasMember(each, id));
}
