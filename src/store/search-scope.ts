import { AmbiguousNameError, NotFoundError } from '../errors.ts';
import type { Query, QueryTerm } from '../language/query.ts';
import { kinds as allKinds, findKind, type Kind, type KindName, kindOf } from '../model/kinds.ts';
import { say } from '../words/speech.ts';
import type { Mirror } from './mirror.ts';
import { findFilterSlugs, slugsIn } from './name-lookup.ts';
import type { Sql } from './page.ts';
import { recordRange } from './record.ts';
import { isIndexed, searchedKinds } from './search-index.ts';

/** Among which records is searched: those of some kinds, perhaps of one topic, of some parties or politicians, or since a day. */
export type Scope = {
  kinds: readonly Kind[];
  topic?: string | undefined;
  parties?: readonly string[] | undefined;
  politicians?: readonly string[] | undefined;
  since?: string | undefined;
};

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
function slugsNamed(mirror: Mirror, kind: 'party' | 'politician', value: string): string[] | undefined {
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

/** The condition that a scope puts on the records of a kind, by their numbers in a column. */
export function scopeSql({ topic, parties, politicians, since }: Scope, kind: Kind, column: string): Sql {
  const conditions: string[] = [];
  const parameters: string[] = [];
  const add = (condition: string, ...values: string[]) => {
    // Without the plus SQLite looks up each of these records in the index by itself, with the whole query each time.
    conditions.push(` AND +${column} IN (SELECT id FROM record WHERE ${condition})`);
    parameters.push(...values);
  };
  if (topic !== undefined) add('topic = ?', topic);
  if (parties !== undefined) {
    const marks = parties.map(() => '?').join(', ');
    add(`party IN (${marks}) OR group_slug IN (${marks})`, ...parties, ...parties);
  }
  if (politicians !== undefined) {
    const marks = politicians.map(() => '?').join(', ');
    add(
      `politician IN (${marks}) OR (kind = 'politician' AND key IN (${marks}))`,
      ...politicians,
      ...politicians,
    );
  }
  if (since !== undefined) add('kind = ? AND date >= ?', kind.name, since);
  return { sql: conditions.join(''), parameters };
}

/** Tells of a record's number whether it is within a scope. */
export function withinScope(mirror: Mirror, scope: Scope): (id: number) => boolean {
  const ranges = scope.kinds.map(recordRange);
  const isOfKinds = (id: number) => ranges.some(({ first, last }) => id >= first && id <= last);
  const { topic, parties, politicians, since } = scope;
  if ([topic, parties, politicians, since].every((each) => each === undefined)) return isOfKinds;
  const numbers = new Set(
    scope.kinds.flatMap((kind) => {
      const { first, last } = recordRange(kind);
      const { sql, parameters } = scopeSql(scope, kind, 'id');
      return mirror
        .column<number>(`SELECT id FROM record WHERE id BETWEEN ? AND ?${sql.replaceAll('+id', 'id')}`)
        .all(first, last, ...parameters);
    }),
  );
  return (id) => numbers.has(id);
}
