import { AmbiguousNameError, NotFoundError } from '../../errors.ts';
import type { Query, QueryTerm } from '../../language/query.ts';
import { kinds as allKinds, findKind, type Kind, type KindName, kindOf } from '../../model/kinds.ts';
import { say } from '../../words/speech.ts';
import type { Mirror } from '../mirror.ts';
import { findFilterSlugs, slugsIn } from '../names/name-lookup.ts';
import type { Sql } from '../page.ts';
import { recordRange } from '../record.ts';
import { readOnce } from '../remembered.ts';
import { isIndexed, searchedKinds } from '../word-index/search-index.ts';

/** Among which records is searched: those of some kinds, perhaps of one topic, of some parties or politicians, or since a day. */
export type Scope = {
  kinds: readonly Kind[];
  topic?: string | undefined;
  parties?: readonly string[] | undefined;
  politicians?: readonly string[] | undefined;
  since?: string | undefined;
  /** Not those of these parties, nor of these politicians. */
  except?: Pick<Scope, 'parties' | 'politicians'> | undefined;
};

/** True for a scope that only texts can be within: topics and days are theirs. */
export function isOfTexts({ topic, since }: Scope): boolean {
  return topic !== undefined || since !== undefined;
}

type Asked = { types?: readonly KindName[] | undefined; topic?: string | undefined };

/**
 * The kinds that a search looks into: those asked for, else those of the service; with a topic also those that bear one,
 * for politicians, parties and most texts bear none and could never be found by it.
 */
export function askedKinds({ types, topic }: Asked): readonly Kind[] {
  if (types) return [...new Set(types)].map(kindOf);
  if (topic === undefined) return searchedKinds;
  return allKinds.filter((kind) => isIndexed(kind) && kind.columns.some(({ name }) => name === 'topic'));
}

/** The kinds that search knows, by the words of the French for them. */
const frenchKinds: Record<string, KindName> = {
  discours: 'speech',
  intervention: 'speech',
  scrutin: 'ballot',
  vote: 'ballot',
  amendement: 'content',
  texte: 'content',
  promesse: 'promise',
  citation: 'quote',
  parti: 'party',
  groupe: 'party',
  elu: 'politician',
  personne: 'politician',
};

/**
 * Among what to search, as parameters and the query's own filters say. A filter that names nothing is but words, and said
 * to be.
 */
export function scopeOf(
  mirror: Mirror,
  query: Query,
  { types, topic }: Asked,
): { query: Query; scope: Scope } {
  const scope: Scope = { kinds: askedKinds({ types, topic }), topic };
  const terms: QueryTerm[] = [...query.terms];
  const remarks = [...query.remarks];
  for (const { name, value, asWords } of query.filters) {
    const isUnderstood = applied[name](mirror, scope, value);
    if (isUnderstood) {
      const slugs = name === 'party' ? scope.parties! : [];
      if (slugs.length > 1) remarks.push(say`party:${value} is ${slugs.join(', ')}`);
      continue;
    }
    terms.push(asWords);
    remarks.push(say`${name}:${value} names ${missing[name]}, and was searched as words`);
  }
  return { query: { ...query, terms, remarks }, scope };
}

const missing = {
  type: say`no kind that is searched`,
  party: say`no one party`,
  politician: say`no one politician`,
  since: say`no day, month or year`,
};

const applied = {
  type(_mirror: Mirror, scope: Scope, value: string): boolean {
    const found = value.split(',').map(searchedKind);
    if (found.some((kind) => kind === undefined)) return false;
    scope.kinds = found.filter((kind) => kind !== undefined);
    return true;
  },
  party(mirror: Mirror, scope: Scope, value: string): boolean {
    scope.parties = slugsNamed(mirror, 'party', value);
    return scope.parties !== undefined;
  },
  politician(mirror: Mirror, scope: Scope, value: string): boolean {
    scope.politicians = slugsNamed(mirror, 'politician', value);
    return scope.politicians !== undefined;
  },
  since(_mirror: Mirror, scope: Scope, value: string): boolean {
    if (!/^\d{4}(-\d\d(-\d\d)?)?$/.test(value)) return false;
    scope.since = value;
    return true;
  },
};

/** The slugs that a filter names; undefined where it names none, or not one alone. */
export function slugsNamed(
  mirror: Mirror,
  kind: 'party' | 'politician',
  value: string,
): string[] | undefined {
  try {
    const slugs = slugsIn(value).flatMap((each) => findFilterSlugs(mirror, kind, each));
    return slugs.length > 0 ? slugs : undefined;
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof AmbiguousNameError) return undefined;
    throw error;
  }
}

function searchedKind(word: string): Kind | undefined {
  const plain = word.trim().toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  const french = frenchKinds[plain] ?? frenchKinds[plain.replace(/s$/, '')];
  const kind = french === undefined ? findKind(plain) : kindOf(french);
  return kind && isIndexed(kind) ? kind : undefined;
}

/** What a scope asks of the records of a kind: of each of its parts one of some conditions on `record` must hold. */
function conditionsOf({ topic, parties, politicians, since }: Scope, kind: Kind): Sql[][] {
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
  ];
}

/** The condition that a scope puts on a row of `record` that is already found. */
export function recordSql(scope: Scope, kind: Kind): Sql {
  const conditions = conditionsOf(scope, kind);
  return {
    sql: conditions.map((any) => ` AND (${any.map(({ sql }) => sql).join(' OR ')})`).join(''),
    parameters: conditions.flat().flatMap(({ parameters }) => parameters),
  };
}

/**
 * Which records of a kind are within a scope, a bit for each, under a number that the statements of the index know them by;
 * `few` is a JSON list of them, where it takes SQLite less time to look them up in that.
 */
type Members = { first: number; bits: Uint8Array; few: string | null };

const [mostMembers, mostOfFew] = [16, 5000];
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
  const within = members(scope, '');
  if (scope.except === undefined) return within;
  const beyond = members({ kinds: scope.kinds, ...scope.except }, 'NOT');
  return { sql: within.sql + beyond.sql, parameters: [...within.parameters, ...beyond.parameters] };
}

/** Who is within some conditions, read once as long as nobody saves anything. */
function membersIn(mirror: Mirror, kind: Kind, conditions: Sql[][]): Members & { number: number } {
  const known = readOnce(mirror, 'members of scopes', () => new Map<string, number>());
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
  return { ...members.get(number)!, number };
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
  const members = scope.kinds.flatMap((kind) => {
    const conditions = conditionsOf(scope, kind);
    return conditions.length === 0 ? [] : [membersIn(mirror, kind, conditions)];
  });
  if (members.length === 0) return null;
  return (id) => members.some((each) => isMember(each, id));
}
