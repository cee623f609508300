import type { Kind } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import type { Sql } from '../page.ts';
import { recordRange } from '../record.ts';

/** Among which records is searched: those of some kinds, perhaps of one topic, of some parties or politicians, or of some days. */
export type Scope = {
  kinds: readonly Kind[];
  topic?: string | undefined;
  parties?: readonly string[] | undefined;
  politicians?: readonly string[] | undefined;
  since?: string | undefined;
  /** Of days before this one. */
  before?: string | undefined;
  /** Not those of any of these. */
  except?: readonly Pick<Scope, 'parties' | 'politicians'>[] | undefined;
};

/** True for a scope that only texts can be within: topics and days are theirs. */
export function isOfTexts({ topic, since, before }: Scope): boolean {
  return topic !== undefined || since !== undefined || before !== undefined;
}

/** What a scope asks of the records of a kind: of each of its parts one of some conditions on `record` must hold. */
function conditionsOf({ topic, parties, politicians, since, before }: Scope, kind: Kind): Sql[][] {
  const among = (column: string, values: readonly string[]): Sql => ({
    sql: `${column} IN (${values.map(() => '?').join(', ')})`,
    parameters: [...values],
  });
  const of = (isAsked: unknown, ...conditions: Sql[]) => (isAsked === undefined ? [] : [conditions]);
  return [
    ...of(topic, among('topic', [topic!])),
    ...of(parties, among('party', parties ?? []), among('group_slug', parties ?? [])),
    ...of(
      politicians,
      among('politician', politicians ?? []),
      among("kind = 'politician' AND key", politicians ?? []),
    ),
    ...of(since, { sql: 'kind = ? AND date >= ?', parameters: [kind.name, since!] }),
    ...of(before, { sql: "kind = ? AND date > '' AND date < ?", parameters: [kind.name, before!] }),
  ];
}

/** The condition that a scope puts on a row of `record` that is already found. */
export function recordSql(scope: Scope, kind: Kind): Sql {
  const allOf = (conditions: Sql[][]): Sql => ({
    sql: conditions.map((any) => `(${any.map(({ sql }) => sql).join(' OR ')})`).join(' AND '),
    parameters: conditions.flat().flatMap(({ parameters }) => parameters),
  });
  const within = allOf(conditionsOf(scope, kind));
  const beyond = (scope.except ?? []).map((each) =>
    allOf(conditionsOf({ kinds: scope.kinds, ...each }, kind)),
  );
  return {
    // Whoever has no party is in none.
    sql: [within.sql, ...beyond.map(({ sql }) => `(${sql}) IS NOT TRUE`)]
      .filter(Boolean)
      .map((sql) => ` AND ${sql}`)
      .join(''),
    parameters: [within, ...beyond].flatMap(({ parameters }) => parameters),
  };
}

/**
 * Which records of a kind are within a scope, a bit for each, under a number that the statements of the index know them by;
 * `few` is a JSON list of them, where it takes SQLite less time to look them up in that.
 */
type Members = { first: number; bits: Uint8Array; few: string | null };

/** One statement may ask of all kinds who is within and, of each thing left out, who is beyond. */
const [mostMembers, mostOfFew] = [128, 5000];
const membersOf = new WeakMap<Mirror['database'], Map<number, Members>>();
let lastNumber = 0;

/**
 * The same condition, and that of what is left out, for statements that know records by `rowid`, as the index does: who is within a scope is read once, for they ask it again and again
 * of as many records as match.
 */
export function memberSql(mirror: Mirror, scope: Scope, kind: Kind): Sql {
  const members = (of: Scope, not: string): Sql => {
    const conditions = conditionsOf(of, kind);
    if (conditions.length === 0) return { sql: '', parameters: [] };
    const { number, few } = membersIn(mirror, kind, conditions);
    return few === null
      ? { sql: ` AND ${not} is_member(?, rowid)`, parameters: [number] }
      : { sql: ` AND +rowid ${not} IN (SELECT value FROM json_each(?))`, parameters: [few] };
  };
  const all = [
    members(scope, ''),
    ...(scope.except ?? []).map((each) => members({ kinds: scope.kinds, ...each }, 'NOT')),
  ];
  return { sql: all.map(({ sql }) => sql).join(''), parameters: all.flatMap(({ parameters }) => parameters) };
}

/** Who is within some conditions, read once as long as nobody saves anything. */
function membersIn(mirror: Mirror, kind: Kind, conditions: Sql[][]): Members & { number: number } {
  const known = mirror.readOnce('members of scopes', () => new Map<string, number>());
  const name = JSON.stringify([kind.name, conditions]);
  const members = knownMembers(mirror.database);
  let number = known.get(name);
  if (number === undefined || !members.has(number)) {
    lastNumber += 1;
    number = lastNumber;
    members.set(number, readMembers(mirror, kind, conditions));
    known.set(name, number);
    for (const oldest of members.keys()) if (members.size > mostMembers) members.delete(oldest);
  }
  const found = members.get(number)!;
  // What is asked again is the newest: a statement may not run before others are read.
  members.delete(number);
  members.set(number, found);
  return { ...found, number };
}

function isMember({ first, bits }: Members, id: number): boolean {
  const offset = id - first;
  return offset >= 0 && offset < 8 * bits.length && ((bits[offset >> 3]! >> (offset & 7)) & 1) === 1;
}

function knownMembers(database: Mirror['database']): Map<number, Members> {
  let members = membersOf.get(database);
  if (members === undefined) {
    members = new Map();
    membersOf.set(database, members);
    const all = members;
    database.function('is_member', (number: number, id: number) => Number(isMember(all.get(number)!, id)));
  }
  return members;
}

function readMembers(mirror: Mirror, kind: Kind, conditions: Sql[][]): Members {
  const { first, last } = recordRange(kind);
  const sets = conditions.map((any) =>
    any.flatMap(({ sql, parameters }): number[] =>
      // Each from an index alone, and as one text: the records themselves, and a row for each, would take ten times as long.
      JSON.parse(
        mirror
          .column<string>(
            `SELECT json_group_array(id - ${first}) FROM record WHERE ${sql} AND +id BETWEEN ? AND ?`,
          )
          .get(...parameters, first, last)!,
      ),
    ),
  );
  const bits = sets.map((offsets) => {
    const own = new Uint8Array(2 + (offsets.reduce((most, offset) => Math.max(most, offset), 0) >> 3));
    for (const offset of offsets) own[offset >> 3]! |= 1 << (offset & 7);
    return own;
  });
  const all = bits.reduce((both, own) => both.map((byte, at) => byte & (own[at] ?? 0)));
  const isWithin = (offset: number) => ((all[offset >> 3] ?? 0) >> (offset & 7)) & 1;
  const [least] = sets.toSorted((one, other) => one.length - other.length);
  const few = least!.length > mostOfFew ? null : least!.filter(isWithin).map((offset) => first + offset);
  return { first, bits: all, few: few && JSON.stringify(few) };
}

/** Tells of the number of a record of the kinds of a scope whether it is within it; null where all of them are. */
export function withinScope(mirror: Mirror, scope: Scope): ((id: number) => boolean) | null {
  const membersOfAll = (of: Scope) =>
    scope.kinds.flatMap((kind) => {
      const conditions = conditionsOf(of, kind);
      return conditions.length === 0 ? [] : [membersIn(mirror, kind, conditions)];
    });
  const within = membersOfAll(scope);
  const beyond = (scope.except ?? []).flatMap((each) => membersOfAll({ kinds: scope.kinds, ...each }));
  if (within.length + beyond.length === 0) return null;
  return (id) =>
    (within.length === 0 || within.some((each) => isMember(each, id))) &&
    !beyond.some((each) => isMember(each, id));
}
