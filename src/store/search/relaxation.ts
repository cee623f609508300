import { fold } from '../../language/fold.ts';
import { parseQuery, type Query } from '../../language/query.ts';
import { isStopWord } from '../../language/stop-words.ts';
import { kindOf } from '../../model/kinds.ts';
import { readCached } from '../cached.ts';
import type { Mirror } from '../mirror.ts';
import { type SearchResult, stepOf, totalOf } from './all-words.ts';
import { countUpTo, findExcluded, findMatches } from './counting.ts';
import { matchExpression, neighbourExpressions, withLongForms } from './expression.ts';
import { withFamilies } from './families.ts';
import { rankedStep, rankMatches, type Step } from './ranking.ts';
import type { Scope } from './scope.ts';
import { findCompletions, findSpellings, findSplits, type SpelledQuery } from './spelling.ts';
import { rankByAnyWord } from './word-ranking.ts';

/** How the hits of a relaxed search resemble the query, strictest first. */
export const relaxations = ['family', 'corrected', 'file', 'any-word'] as const;

export type Relaxed = (typeof relaxations)[number];

export type RelaxationLimits = {
  scope: Scope;
  /** True if the words name a text; by default only if one of them is `loi`. */
  isLaw?: boolean | undefined;
  /** True for the records of an author whom the query names: they may match by meaning alone. */
  isOwn?: boolean;
};

/** Searches what resembles a query that nothing matches: related words, spellings, legislative files, any word. */
export function searchRelaxed(mirror: Mirror, originalQuery: Query, limits: RelaxationLimits): SearchResult {
  const { scope, isLaw, isOwn = false } = limits;
  const query = withLongForms(mirror, originalQuery);
  const searched = relaxWords(mirror, query, scope);
  // A misspelt word is not searched as typed.
  const searchedQuery = searched.corrected.length > 0 ? searched.query : query;
  const files = scope.politicians === undefined ? findFilesExpression(mirror, searchedQuery, isLaw) : null;
  const before = searched.steps.map(({ match }) => ` NOT (${match})`).join('');
  const allSteps = [...searched.steps, ...stepOf(mirror, 'file', { match: files && `(${files})${before}`, scope })];
  const searchesMeaning = isOwn && allSteps.length === 0;
  const isAny = searchedQuery.terms.length > 1 && hasFewerMatches(allSteps, enough);
  const options = { scope, steps: allSteps, requiresWord: !searchesMeaning };
  const steps = [...allSteps, ...(isAny || searchesMeaning ? findAnyWord(mirror, searchedQuery, options) : [])];
  return steps.length === 0 ? { steps, query: originalQuery, corrected: [] } : { ...searched, steps };
}

/** The loosest resemblance among the steps of a relaxed search; of names alone, their spelling. */
export const relaxedIn = (steps: readonly Step[]): Relaxed =>
  relaxations.findLast((each) => steps.some(({ matchKind }) => matchKind === each)) ?? 'corrected';

const enough = 20;
/** Most records ranked by any word. */
const mostRanked = 500;

/** True if the counted matches are fewer than `minMatches`. */
export function hasFewerMatches(steps: readonly Step[], minMatches: number): boolean {
  const total = totalOf(steps);
  return total !== null && total < minMatches;
}

/** The other readings of a query, closest first: begun words, words of the same families, likely spellings. */
function* otherReadings(mirror: Mirror, query: Query): Iterable<SpelledQuery & { matchKind: 'corrected' | 'family' }> {
  for (const completion of findCompletions(mirror, query)) yield { ...completion, matchKind: 'corrected' };
  for (const split of findSplits(mirror, query)) yield { ...split, matchKind: 'corrected' };
  const families = withFamilies(mirror, query, 'family');
  if (families !== null) yield { query: families, corrections: [], matchKind: 'family' };
  for (const spelling of findSpellings(mirror, query)) yield { ...spelling, matchKind: 'corrected' };
}

/** Matches of the closest other reading that has any; if none has, its likeliest spelling alone. */
function relaxWords(mirror: Mirror, originalQuery: Query, scope: Scope): SearchResult {
  let likeliest: SearchResult = { steps: [], query: originalQuery, corrected: [] };
  for (const { query, corrections: corrected, matchKind } of otherReadings(mirror, originalQuery)) {
    const beside = matchKind === 'corrected' ? neighbourExpressions(query) : [];
    const steps = stepOf(mirror, matchKind, { match: matchExpression(query), scope, beside });
    if (steps.length > 0) return { steps, query, corrected };
    if (likeliest.corrected.length === 0 && corrected.length > 0) likeliest = { steps, query, corrected };
  }
  return likeliest;
}

/** Records of a scope, not yet matched, that contain any word of a query, or without `requiresWord` its meaning. */
export function findAnyWord(
  mirror: Mirror,
  query: Query,
  { scope, steps, requiresWord }: { scope: Scope; steps: readonly Step[]; requiresWord: boolean },
): Step[] {
  const knownIds = new Set(steps.flatMap(({ matchesByKind }) => matchesByKind.flatMap(({ ids }) => [...ids()])));
  const { hits, isCut } = rankByAnyWord(mirror, query, {
    scope,
    limit: mostRanked + knownIds.size,
    requiresWord,
  });
  const newHits = hits.filter(({ id }) => !knownIds.has(id));
  const excluded = findExcluded(mirror, query, newHits);
  const matches = newHits.filter(({ id }) => !excluded.has(id));
  return rankedStep('any-word', matches, { kinds: scope.kinds, isCut });
}

/** Texts read for their files, and the fewest texts that make a file relevant. */
const mostRead = 60;
const leastTexts = 2;

/** Most texts of a file per matching one; for a law, least share of the matching texts that are on its file. */
const mostTextsPerMatch = 25;
const minShareOfTexts = 0.3;

const textScope: Scope = { kinds: [kindOf('content')] };

/** The expression for records on the legislative files that texts with all words are about; null if there are none. */
function findFilesExpression(mirror: Mirror, query: Query, isOfLaw?: boolean): string | null {
  const lawIndex = query.terms.findIndex(({ text }) => /^lois?$/i.test(text));
  const isLaw = isOfLaw ?? lawIndex !== -1;
  // A question that names a law is searched by that name alone.
  const hasLawName = lawIndex !== -1 && /^\p{Lu}/u.test(query.terms[lawIndex + 1]?.text ?? '');
  const match = matchExpression(hasLawName ? { ...query, terms: query.terms.slice(lawIndex, lawIndex + 2) } : query);
  if (match === null) return null;
  const matchesByKind = findMatches(mirror, match, textScope);
  const ids = [...rankMatches(mirror, matchesByKind, { after: null }).take(mostRead)].map(({ id }) => id);
  const titlesSql = `SELECT coalesce(detail ->> '$.dossier', row ->> '$.dossier')
    FROM json_each(?) AS ranked CROSS JOIN record ON record.id = ranked.value`;
  const titles = mirror
    .column<string | number | null>(titlesSql)
    .all(JSON.stringify(ids))
    .filter((title) => typeof title === 'string');
  const files = [...Map.groupBy(titles, (title) => title)].flatMap(([title, { length }]) => {
    if (length < leastTexts) return [];
    const { match: expression, texts } = readFile(mirror, title);
    if (expression === null) return [];
    const searchesFiles = texts <= mostTextsPerMatch * length;
    // Skip finance bills: they mention every other law.
    const isOfTexts = length >= minShareOfTexts * titles.length && !/\b20\d\d$/.test(title);
    return [{ expression: `(${expression})`, isOfFile: searchesFiles, isOfTexts }];
  });
  const filesByShare = files.filter(({ isOfFile }) => isOfFile);
  const selectedFiles = filesByShare.length === 0 && isLaw ? files.filter(({ isOfTexts }) => isOfTexts) : filesByShare;
  return selectedFiles.length === 0 ? null : selectedFiles.map(({ expression }) => expression).join(' OR ');
}

/** The expression for texts with all words of a file's title, and their number up to what is compared; cached. */
function readFile(mirror: Mirror, title: string) {
  type LegislativeFile = { match: string | null; texts: number };
  const cache = mirror.readOnce('legislative files by title', () => new Map<string, LegislativeFile>());
  const compute = () => {
    const query = parseQuery(title);
    const terms = query.terms.filter(({ text }) => !isStopWord(fold(text)));
    const match = matchExpression({ ...query, terms });
    const most = mostTextsPerMatch * mostRead + 1;
    return { match, texts: match === null ? 0 : countUpTo(mirror, most, { match, scope: textScope }) };
  };
  return readCached(cache, title, { compute });
}
