import { fold } from '../../language/fold.ts';
import { parseQuery, type Query, type QueryTerm } from '../../language/query.ts';
import { stem } from '../../language/stem.ts';
import { isAskingWord, isStopWord } from '../../language/stop-words.ts';
import { textOf } from '../../model/document.ts';
import { kindOf } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { documentAt, kindOfRecord } from '../record.ts';
import { type Searched, stepOf, totalOf } from './all-words.ts';
import { excludedAmong, findMatches, sumOf } from './counting.ts';
import { inTokensOf, matchExpression, neighbourExpressions, withLongForms } from './expression.ts';
import { withFamilies } from './families.ts';
import { type Match, type ResultCursor, rankedMatches, type Step } from './ranking.ts';
import type { Scope } from './scope.ts';
import { haveSameLetters, type Spelled, spellings } from './spelling.ts';
import { rankByAnyWord } from './word-ranking.ts';

/** How the hits of a relaxed search resemble the query, strictest first. */
const relaxations = ['family', 'corrected', 'file', 'any-word'] as const;

export type Relaxed = (typeof relaxations)[number];

export type RelaxationLimits = {
  scope: Scope;
  /** True if the query names records, so that other spellings are not searched. */
  namesRecords: boolean;
  /** True if the words name a text; by default only if one of them is `loi`. */
  isLaw?: boolean | undefined;
  /** True for the records of an author whom the query names: they may match by meaning alone. */
  isOwn?: boolean;
  /** Words that name records already listed; none of them suffices alone. */
  nameWords?: readonly string[] | undefined;
};

/**
 * Searches what resembles a query that nothing matches: words of the same families or another spelling, texts on the
 * same legislative file, and with fewer than `enough` of these any significant word.
 */
export function searchRelaxed(mirror: Mirror, originalQuery: Query, limits: RelaxationLimits): Searched {
  const { scope, namesRecords, isLaw, isOwn = false, nameWords = [] } = limits;
  const query = withLongForms(mirror, inTokensOf(mirror, originalQuery));
  const plain = { steps: [], query: originalQuery, corrected: [] };
  const searched = namesRecords ? plain : relaxWords(mirror, query, scope);
  // A misspelt word is not searched as typed.
  const wanted = searched.corrected.length > 0 ? searched.query : query;
  const files = scope.politicians === undefined ? filesExpression(mirror, wanted, isLaw) : null;
  const before = searched.steps.map(({ match }) => ` NOT (${match})`).join('');
  const all = [...searched.steps, ...stepOf(mirror, 'file', { match: files && `(${files})${before}`, scope })];
  const isByMeaning = isOwn && all.length === 0;
  const { terms } = withoutWords(wanted, nameWords);
  const remainingQuery = { ...wanted, terms: terms.flatMap(wordsOf) };
  const hasOtherWords = nameWords.length === 0 || remainingQuery.terms.some(({ text }) => !isAskingWord(text));
  const isAny = hasOtherWords && wanted.terms.flatMap(wordsOf).length > 1 && isFewer(all, enough);
  const options = { scope, steps: all, requiresWord: !isByMeaning };
  const steps = [...all, ...(isAny || isByMeaning ? findAnyWord(mirror, remainingQuery, options) : [])];
  return { ...(steps.length === 0 ? plain : searched), steps };
}

/** The words of a quantity, each by itself; other terms as they are. */
const wordsOf = (term: QueryTerm): QueryTerm[] =>
  term.phrase || !/\s/.test(term.text) ? [term] : term.text.split(/\s+/).flatMap((word) => parseQuery(word).terms);

/** The loosest resemblance among the steps of a relaxed search; of names alone, their spelling. */
export const relaxedIn = (steps: readonly Step[]): Relaxed =>
  relaxations.findLast((each) => steps.some(({ matchKind }) => matchKind === each)) ?? 'corrected';

const enough = 20;
/** Most records ranked by any word. */
const mostRanked = 500;

/** True if the counted matches are fewer than `least`. */
export function isFewer(steps: readonly Step[], least: number): boolean {
  const total = totalOf(steps);
  return total !== null && total < least;
}

/** The query without some of its words, as typed. */
export function withoutWords(query: Query, words: readonly string[]): Query {
  return { ...query, terms: query.terms.filter(({ text }) => !words.includes(text)) };
}

/** Matches of words of the same families or of the likeliest spelling; if there are none, that spelling alone. */
function relaxWords(mirror: Mirror, query: Query, scope: Scope): Searched {
  const families = withFamilies(mirror, query, 'family');
  const related = families === null ? [] : stepOf(mirror, 'family', { match: matchExpression(families), scope });
  const spelled = spellings(mirror, query);
  const other = inSpelling(mirror, spelled, scope);
  const isSlip = other && isLikelier(other, related);
  if (families !== null && related.length > 0 && !isSlip) return { steps: related, query: families, corrected: [] };
  const [likeliest] = spelled;
  return other ?? { steps: [], query: likeliest?.query ?? query, corrected: likeliest?.corrections ?? [] };
}

function inSpelling(mirror: Mirror, spelled: readonly Spelled[], scope: Scope): Searched | null {
  for (const { query, corrections } of spelled) {
    const beside = neighbourExpressions(query);
    const steps = stepOf(mirror, 'corrected', { match: matchExpression(query), scope, beside });
    if (steps.length > 0) return { steps, query, corrected: corrections };
  }
  return null;
}

/** True if a correction is likelier than the family: a quarter as many records, or only doubled or swapped letters. */
function isLikelier({ steps, corrected }: Searched, related: readonly Step[]): boolean {
  const [spelled, family] = [steps, related].map(totalOf);
  const isMany = family !== null && (spelled === null || 4 * spelled! > family!);
  return isMany || corrected.every(({ from, to }) => haveSameLetters(stem(fold(from)), to));
}

/** Records of a scope, not yet matched, that contain any word of a query, or without `requiresWord` its meaning. */
function findAnyWord(
  mirror: Mirror,
  query: Query,
  { scope, steps, requiresWord }: { scope: Scope; steps: readonly Step[]; requiresWord: boolean },
): Step[] {
  const knownIds = new Set(steps.flatMap(({ matchesByKind }) => matchesByKind.flatMap(({ ids }) => [...ids])));
  const { hits, isCut } = rankByAnyWord(mirror, query, {
    scope,
    limit: mostRanked + knownIds.size,
    requiresWord,
  });
  const newHits = hits.filter(({ id }) => !knownIds.has(id));
  const excluded = excludedAmong(mirror, query, newHits);
  const matches = newHits
    .filter(({ id }) => !excluded.has(id))
    .map(({ id, score }): Match => ({ id, relevance: -score, kind: kindOfRecord(id) }));
  if (matches.length === 0) return [];
  const matchesByKind = scope.kinds.map((kind) => {
    const ids = new Set(matches.flatMap((each) => (each.kind === kind ? each.id : [])));
    return { kind, ids, total: isCut ? null : ids.size };
  });
  const ranked = (after: ResultCursor | null) =>
    after === null ? matches : matches.slice(matches.findIndex(({ id }) => id === after.id) + 1);
  return [{ matchKind: 'any-word', match: '', matchesByKind, ranked }];
}

/** Texts read for their files, and the fewest texts that make a file relevant. */
const mostRead = 60;
const leastTexts = 2;

/** Least share of a file's texts that match; for a law, least share of the matching texts that are on its file. */
const leastOfFile = 0.04;
const leastOfTexts = 0.3;

const texts: Scope = { kinds: [kindOf('content')] };

/** The expression for records on the legislative files that texts with all words are about; null if there are none. */
function filesExpression(mirror: Mirror, query: Query, isOfLaw?: boolean): string | null {
  const from = query.terms.findIndex(({ text }) => /^lois?$/i.test(text));
  const isLaw = isOfLaw ?? from !== -1;
  // A question that names a law is searched by that name alone.
  const hasLawName = from !== -1 && /^\p{Lu}/u.test(query.terms[from + 1]?.text ?? '');
  const match = matchExpression(hasLawName ? { ...query, terms: query.terms.slice(from, from + 2) } : query);
  if (match === null) return null;
  const matchesByKind = findMatches(mirror, match, texts);
  const titles = [...rankedMatches(mirror, matchesByKind, { after: null }).take(mostRead)].flatMap(
    ({ id }) => textOf(documentAt(mirror, id), 'dossier') ?? [],
  );
  const files = [...Map.groupBy(titles, (title) => title)].flatMap(([title, { length }]) => {
    const ofFile = length < leastTexts ? null : matchExpression(inTokensOf(mirror, contentQuery(title)));
    if (ofFile === null) return [];
    const total = sumOf(findMatches(mirror, ofFile, texts).map((each) => each.total));
    const isOfFile = total !== null && length >= leastOfFile * total;
    // Skip finance bills: they mention every other law.
    const isOfTexts = length >= leastOfTexts * titles.length && !/\b20\d\d$/.test(title);
    return [{ ofFile: `(${ofFile})`, isOfFile, isOfTexts }];
  });
  const own = files.filter(({ isOfFile }) => isOfFile);
  const selectedFiles = own.length === 0 && isLaw ? files.filter(({ isOfTexts }) => isOfTexts) : own;
  return selectedFiles.length === 0 ? null : selectedFiles.map(({ ofFile }) => ofFile).join(' OR ');
}

function contentQuery(title: string): Query {
  const query = parseQuery(title);
  return { ...query, terms: query.terms.filter(({ text }) => !isStopWord(fold(text))) };
}
