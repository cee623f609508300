import { type Kind, recordRange } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import type { Sql } from '../page.ts';
import { ofMembersSql } from '../rows.ts';

/** The records to search: kinds, and optionally a topic, parties, politicians or days. */
export type Scope = {
  kinds: readonly Kind[];
  topic?: string | undefined;
  parties?: readonly string[] | undefined;
  politicians?: readonly string[] | undefined;
  since?: string | undefined;
  /** Days before this one. */
  before?: string | undefined;
  /** Excludes the records of any of these. */
  except?: readonly Pick<Scope, 'parties' | 'politicians'>[] | undefined;
};

/** True for a scope that only texts can match: only they have topics and days. */
export function isOfTexts({ topic, since, before }: Scope): boolean {
  return topic !== undefined || since !== undefined || before !== undefined;
}

/** Conditions of a scope on `record`, in conjunctive form: one of each inner list must hold. */
function conditionsOf({ topic, parties, politicians, since, before }: Scope, kind: Kind): Sql[][] {
  const among = (column: string, values: readonly string[]): Sql => ({
    sql: `${column} IN (${values.map(() => '?').join(', ')})`,
    parameters: [...values],
  });
  const of = (isAsked: unknown, ...conditions: Sql[]) => (isAsked === undefined ? [] : [conditions]);
  return [
    ...of(topic, among('topic', [topic!])),
    ...of(
      parties,
      among('party', parties ?? []),
      among('group_slug', parties ?? []),
      ofMembersSql(parties ?? []),
    ),
    ...of(
      politicians,
      among('politician', politicians ?? []),
      among("kind = 'politician' AND key", politicians ?? []),
    ),
    ...of(since, { sql: 'kind = ? AND date >= ?', parameters: [kind.name, since!] }),
    ...of(before, { sql: "kind = ? AND date > '' AND date < ?", parameters: [kind.name, before!] }),
  ];
}

/** Cached scopes per mirror. */
const mostKnown = 128;

/**
 * The condition of a scope, exclusions included, on the `rowid` of index tables. Membership is read from a blob with one
 * byte per record, since it is tested for every match.
 */
export function memberSql(mirror: Mirror, scope: Scope, kind: Kind): Sql {
  const { first } = recordRange(kind);
  const members = (of: Scope, operator: 'IS' | 'IS NOT'): Sql => {
    const conditions = conditionsOf(of, kind);
    if (conditions.length === 0) return { sql: '', parameters: [] };
    const sql = ` AND substr(?, rowid - ${first - 1}, 1) ${operator} x'01'`;
    return { sql, parameters: [membersOf(mirror, kind, conditions)] };
  };
  const all = [
    members(scope, 'IS'),
    ...(scope.except ?? []).map((each) => members({ kinds: scope.kinds, ...each }, 'IS NOT')),
  ];
  return { sql: all.map(({ sql }) => sql).join(''), parameters: all.flatMap(({ parameters }) => parameters) };
}

/** One byte per record of a kind, 1 for those that meet the conditions; cached until the next write. */
function membersOf(mirror: Mirror, kind: Kind, conditions: Sql[][]): Buffer {
  const known = mirror.readOnce('members of scopes', () => new Map<string, Buffer>());
  const name = JSON.stringify([kind.name, conditions]);
  const members = known.get(name) ?? readMembers(mirror, kind, conditions);
  if (known.size >= mostKnown) known.clear();
  known.set(name, members);
  return members;
}

function readMembers(mirror: Mirror, kind: Kind, conditions: Sql[][]): Buffer {
  const { first, last } = recordRange(kind);
  const sets = conditions.map((any) =>
    any.flatMap(({ sql, parameters }): number[] =>
      // A covering index and one JSON text: reading records row by row takes ten times as long.
      JSON.parse(
        mirror
          .column<string>(
            `SELECT json_group_array(id - ${first}) FROM record WHERE ${sql} AND +id BETWEEN ? AND ?`,
          )
          .get(...parameters, first, last)!,
      ),
    ),
  );
  const newest = sets[0]!.reduce((most, offset) => Math.max(most, offset), -1);
  const met = Buffer.alloc(newest + 1);
  for (const [at, offsets] of sets.entries())
    for (const offset of offsets) if (met[offset] === at) met[offset] = at + 1;
  return Buffer.from(met.map((conditionsMet) => Number(conditionsMet === sets.length)));
}

/** A test of record ids against the scope; null if it restricts nothing but kinds. */
export function withinScope(mirror: Mirror, scope: Scope): ((id: number) => boolean) | null {
  const membersOfAll = (of: Scope) =>
    scope.kinds.flatMap((kind) => {
      const conditions = conditionsOf(of, kind);
      const { first } = recordRange(kind);
      return conditions.length === 0 ? [] : [{ first, members: membersOf(mirror, kind, conditions) }];
    });
  const within = membersOfAll(scope);
  const beyond = (scope.except ?? []).flatMap((each) => membersOfAll({ kinds: scope.kinds, ...each }));
  if (within.length + beyond.length === 0) return null;
  const isAmong = (all: typeof within, id: number) =>
    all.some(({ first, members }) => members[id - first] === 1);
  return (id) => (within.length === 0 || isAmong(within, id)) && !isAmong(beyond, id);
}
