import type { Query, QueryFilter, QueryTerm } from '../../language/query.ts';
import { type Kind, type KindName, kindOf, kindTyped } from '../../model/kinds.ts';
import { daysOf, isRelative } from '../../model/moment.ts';
import { findFilterSlugs, ifResolved, resolveSlug, slugsIn } from '../../names/lookup.ts';
import { partyFacts } from '../../names/party-groups.ts';
import { type Phrase, say } from '../../words/speech.ts';
import type { Mirror } from '../mirror.ts';
import { indexedKinds, isIndexed, searchedKinds } from '../word-index/search-index.ts';
import type { Scope } from './scope.ts';

/** Requested kinds, by name or by having a topic. */
export type KindFilter = { types?: readonly KindName[] | undefined; topic?: string | undefined };

/** The kinds to search: those requested; else, with a topic, all kinds that have one; else those of the service. */
export function requestedKinds({ types, topic }: KindFilter): readonly Kind[] {
  if (types) return [...new Set(types)].map(kindOf);
  if (topic === undefined) return searchedKinds;
  return [...indexedKinds].filter(({ columns }) => columns.some(({ name }) => name === 'topic'));
}

/** Builds the scope from parameters and query filters; an unresolved filter becomes words, with a remark. */
export function searchScope(mirror: Mirror, query: Query, { types, topic }: KindFilter) {
  const scope: Scope = { kinds: requestedKinds({ types, topic }), topic };
  const terms: QueryTerm[] = [...query.terms];
  const remarks = [...query.remarks];
  // Exclusions apply after all other filters.
  const filters = query.filters.toSorted((one, other) => Number(one.isExcluded) - Number(other.isExcluded));
  let areTyped = false;
  for (const { name, value, isExcluded, asWords } of filters) {
    const isAgain = name === 'type' && areTyped;
    const slugs = applied[name](mirror, scope, { value, isExcluded, isAgain });
    if (slugs === null) {
      if (!isExcluded) terms.push(...asWords);
      remarks.push(remarkOf(mirror, { name, value, isExcluded }));
      continue;
    }
    areTyped ||= name === 'type';
    // A list of slugs is already explicit.
    if (name === 'party' && slugs.length > 1 && value !== slugs.join(',')) {
      const facts = partyFacts(mirror);
      const names = new Set(slugs.map((slug) => facts.get(slug)?.name ?? slug));
      remarks.push(say`${value} is ${[...names].join(', ')}`);
    }
  }
  if (scope.since && scope.before && scope.since >= scope.before)
    remarks.push(say`the end is before the start: the period is empty`);
  return { query: { ...query, terms, remarks }, scope };
}

const missing = {
  type: say`no searchable kind`,
  party: say`no single party`,
  politician: say`no single politician`,
  since: say`no valid date`,
  until: say`no valid date`,
};

/** `isAgain` is true if an earlier filter named kinds, to which these are added. */
type Value = { value: string; isExcluded: boolean; isAgain: boolean };

/** How each filter changes a scope; returns the resolved slugs, null if it resolves to nothing. */
const applied = {
  type(_mirror: Mirror, scope: Scope, { value, isExcluded, isAgain }: Value): string[] | null {
    const kindLookups = value.split(',').map(searchedKind);
    if (kindLookups.some((kind) => kind === undefined)) return null;
    const resolvedKinds = kindLookups.filter((kind) => kind !== undefined);
    if (isExcluded) scope.kinds = scope.kinds.filter((kind) => !resolvedKinds.includes(kind));
    else scope.kinds = [...new Set([...(isAgain ? scope.kinds : []), ...resolvedKinds])];
    return [];
  },
  party: among('party', 'parties'),
  politician: among('politician', 'politicians'),
  since: onSide('since', 'before', ([first]) => first),
  // `~` sorts after every moment of that day.
  until: onSide('before', 'since', ([, last]) => `${last}~`),
};

/** Creates a filter that keeps, or excludes, one side of a moment. */
function onSide(
  includedSide: 'since' | 'before',
  excluded: 'since' | 'before',
  momentIn: (days: [first: string, last: string]) => string,
) {
  return (_mirror: Mirror, scope: Scope, { value, isExcluded }: Value): string[] | null => {
    // A relative day is refused: cached answers to a query outlive the day.
    const days = isRelative(value) ? null : daysOf(value, 0);
    if (days === null) return null;
    scope[isExcluded ? excluded : includedSide] = momentIn(days);
    return [];
  };
}

type Sort = 'parties' | 'politicians';

function among(kind: 'party' | 'politician', sort: Sort) {
  return (mirror: Mirror, scope: Scope, { value, isExcluded }: Value): string[] | null => {
    const slugs = resolveSlugs(mirror, kind, value);
    if (slugs === undefined) return null;
    if (isExcluded) leaveOut(scope, sort, slugs);
    else scope[sort] = [...new Set([...(scope[sort] ?? []), ...slugs])];
    return slugs;
  };
}

/** Merges exclusions of one sort, so that they are read once. */
function leaveOut(scope: Scope, sort: Sort, slugs: string[]): void {
  const [same, otherExceptions] = [true, false].map((is) =>
    (scope.except ?? []).filter((each) => (each[sort] !== undefined) === is),
  );
  const all = [...same!.flatMap((each) => each[sort]!), ...slugs];
  scope.except = [...otherExceptions!, { [sort]: [...new Set(all)] }];
}

/** The slugs that a filter resolves to; undefined if there are none or it is ambiguous. */
export function resolveSlugs(mirror: Mirror, kind: 'party' | 'politician', value: string): string[] | undefined {
  const slugs = ifResolved(() => slugsIn(value).flatMap((each) => findFilterSlugs(mirror, kind, each)));
  return slugs?.length === 0 ? undefined : slugs;
}

const mostBearers = 6;

/** The remark on a filter that resolves to nothing or is ambiguous. */
function remarkOf(mirror: Mirror, { name, value, isExcluded }: Omit<QueryFilter, 'asWords'>): Phrase {
  const written = `${isExcluded ? '-' : ''}${name}:${value}`;
  const resolution = name === 'party' || name === 'politician' ? resolveSlug(mirror, name, value) : null;
  if (resolution?.match === 'several') {
    const bearers = resolution.candidates.slice(0, mostBearers).map(({ key }) => key);
    const listed = [...bearers, ...(resolution.candidates.length > mostBearers ? ['…'] : [])].join(', ');
    return isExcluded
      ? say`${written} could mean ${listed}, and excludes nothing`
      : say`${written} could mean ${listed}, and was searched as words`;
  }
  return isExcluded
    ? say`${written} matches ${missing[name]}, and excludes nothing`
    : say`${written} matches ${missing[name]}, and was searched as words`;
}

function searchedKind(word: string): Kind | undefined {
  const kind = kindTyped(word);
  return kind && isIndexed(kind) ? kind : undefined;
}
