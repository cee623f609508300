import type { Query, QueryFilter, QueryTerm } from '../../language/query.ts';
import { findKindByWord, type Kind, type KindName, kindOf } from '../../model/kinds.ts';
import { isRelative, parseDayRange } from '../../model/moment.ts';
import { findFilterSlugs, ifResolved, resolveSlug, slugsIn } from '../../names/lookup.ts';
import { partyFacts } from '../../names/party-groups.ts';
import { type Phrase, say } from '../../words/speech.ts';
import type { Mirror } from '../mirror.ts';
import { indexedKinds, isIndexed, searchedKinds } from '../word-index/search-index.ts';
import type { Scope } from './scope.ts';

/** The parameters of a search that determine its kinds, and conditions on records. */
export type KindFilter = Pick<Scope, 'topic' | 'chosen' | 'condition'> & { types?: readonly KindName[] | undefined };

/** The parameters of a search that restrict its scope: kinds, conditions, authors and days. */
export type ScopeFilter = KindFilter & Pick<Scope, 'parties' | 'politicians' | 'since' | 'before'>;

/** The kinds to search: those requested; else, with a topic, all with topics; else those that the service searches. */
export function requestedKinds({ types, topic }: KindFilter): readonly Kind[] {
  if (types) return [...new Set(types)].map(kindOf);
  if (topic === undefined) return searchedKinds;
  return [...indexedKinds].filter(({ columns }) => columns.some(({ name }) => name === 'topic'));
}

/** The scope of parameters and query filters, and the query with unresolved filters as words, with remarks. */
export function resolveScope(mirror: Mirror, query: Query, filter: ScopeFilter) {
  const { topic, chosen, condition, parties, politicians, since, before } = filter;
  const scope: Scope = { kinds: requestedKinds(filter), topic, chosen, condition, parties, politicians, since, before };
  const terms: QueryTerm[] = [...query.terms];
  const remarks = [...query.remarks];
  // Exclusions apply after all other filters.
  const filters = query.filters.toSorted((one, other) => Number(one.isExcluded) - Number(other.isExcluded));
  let hasTypeFilter = false;
  for (const { name, value, isExcluded, asWords } of filters) {
    const addsToKinds = name === 'type' && hasTypeFilter;
    const slugs = applyFilter(mirror, scope, { name, value, isExcluded, addsToKinds });
    if (slugs === null) {
      if (!isExcluded) terms.push(...asWords);
      remarks.push(remarkOf(mirror, { name, value, isExcluded }));
      continue;
    }
    hasTypeFilter ||= name === 'type';
    // A list of slugs, as typed, needs no remark on what it means.
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

const missingPhrases = {
  type: say`no searchable kind`,
  party: say`no single party`,
  politician: say`no single politician`,
  since: say`no valid date`,
  until: say`no valid date`,
};

/** A filter of a query; `addsToKinds` is true if an earlier filter named kinds, to which these are added. */
type AppliedFilter = Omit<QueryFilter, 'asWords'> & { addsToKinds: boolean };

/** Applies a filter to `scope`; returns its slugs, [] for kinds and days, null if its value is unresolved. */
function applyFilter(mirror: Mirror, scope: Scope, { name, value, isExcluded, addsToKinds }: AppliedFilter) {
  if (name === 'type') {
    const words = value.split(',');
    const resolvedKinds = words.flatMap((word) => findKindByWord(word) ?? []).filter(isIndexed);
    if (resolvedKinds.length < words.length) return null;
    if (isExcluded) scope.kinds = scope.kinds.filter((kind) => !resolvedKinds.includes(kind));
    else scope.kinds = [...new Set([...(addsToKinds ? scope.kinds : []), ...resolvedKinds])];
    return [];
  }
  if (name === 'party' || name === 'politician') {
    const field = name === 'party' ? 'parties' : 'politicians';
    const slugs = resolveSlugs(mirror, name, value);
    if (slugs === undefined) return null;
    if (isExcluded) scope.excludedAuthors = [...(scope.excludedAuthors ?? []), { [field]: slugs }];
    else scope[field] = [...new Set([...(scope[field] ?? []), ...slugs])];
    return slugs;
  }
  // A relative day is refused: cached answers to a query outlive the day.
  const days = isRelative(value) ? null : parseDayRange(value, 0);
  if (days === null) return null;
  const isStart = (name === 'since') !== isExcluded; // an excluded filter sets the other bound of the period
  // `~` sorts after every moment of that day.
  scope[isStart ? 'since' : 'before'] = name === 'since' ? days[0] : `${days[1]}~`;
  return [];
}

/** The slugs of a comma-separated list of names; undefined if a name is unknown or ambiguous, or if it is empty. */
export function resolveSlugs(mirror: Mirror, kind: 'party' | 'politician', value: string): string[] | undefined {
  const slugs = ifResolved(() => slugsIn(value).flatMap((each) => findFilterSlugs(mirror, kind, each)));
  return slugs?.length === 0 ? undefined : slugs;
}

const maxListed = 6;

/** The remark on an unresolved filter: its candidates if it is ambiguous, else that nothing matches. */
function remarkOf(mirror: Mirror, { name, value, isExcluded }: Omit<QueryFilter, 'asWords'>): Phrase {
  const filterText = `${isExcluded ? '-' : ''}${name}:${value}`;
  const effect = isExcluded ? say`excludes nothing` : say`was searched as words`;
  const resolution = name === 'party' || name === 'politician' ? resolveSlug(mirror, name, value) : null;
  if (resolution?.match === 'several') {
    const candidateKeys = resolution.candidates.slice(0, maxListed).map(({ key }) => key);
    const candidateList = [...candidateKeys, ...(resolution.candidates.length > maxListed ? ['…'] : [])].join(', ');
    return say`${filterText} could mean ${candidateList}, and ${effect}`;
  }
  return say`${filterText} matches ${missingPhrases[name]}, and ${effect}`;
}
