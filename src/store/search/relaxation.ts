import { fold } from '../../language/fold.ts';
import { parseQuery, type Query, withoutYears, withWordsApart } from '../../language/query.ts';
import { stem } from '../../language/stem.ts';
import { isAskingWord, isStopWord } from '../../language/stop-words.ts';
import { textOf } from '../../model/document.ts';
import { kindOf } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { documentAt, kindOfRecord } from '../record.ts';
import { excludedAmong, findMatches, type KindResult, sumOf } from './counting.ts';
import { inTokensOf, matchExpression, neighbourExpressions, withLongForms } from './expression.ts';
import { withFamilies } from './families.ts';
import { type Match, type Matched, type ResultCursor, rankedMatches, type Step } from './ranking.ts';
import type { Scope } from './scope.ts';
import { type Correction, haveSameLetters, type Spelled, spellings } from './spelling.ts';
import { rankByAnyWord } from './word-ranking.ts';

/** Result of a relaxing search: the steps with matches in order, the query as searched, and its corrections. */
export type RelaxedSearch = {
  steps: Step[];
  query: Query;
  relaxed: 'any-word' | 'file' | null;
  corrected: Correction[];
};

/** The number of matches; null if not all were counted. */
export const totalOf = (matchesByKind: KindResult[]): number | null => sumOf(matchesByKind.map(({ total }) => total));

/** How far a query may be relaxed: with fewer than `least` matches of all words, any word suffices. */
type RelaxationLimits = {
  scope: Scope;
  /** True if the query names records, so that other spellings are not searched. */
  namesRecords: boolean;
  /** True if the words name a text; by default only if one of them is `loi`. */
  isLaw?: boolean | undefined;
  least: number;
  /** True for the records of an author whom the query names: they may match by meaning alone. */
  isOwn?: boolean;
  /** Words that name records already listed; none of them suffices alone. */
  nameWords?: readonly string[] | undefined;
};

/** Searches all words; without matches their families, then corrections; below `least` matches any significant word. */
export function searchRelaxing(mirror: Mirror, originalQuery: Query, limits: RelaxationLimits): RelaxedSearch {
  const { scope, namesRecords, least, nameWords = [] } = limits;
  const query = withLongForms(mirror, inTokensOf(mirror, originalQuery));
  const looked: string[] = [];
  const look: Look = (matchKind, match, beside = []) => {
    if (match === null) return [];
    const matchesByKind = findMatches(mirror, match, scope);
    const ranked = (after: ResultCursor | null) => rankedMatches(mirror, matchesByKind, { after, beside });
    looked.push(`(${match})`);
    return matchesByKind.some(({ total }) => total !== 0) ? [{ matchKind, matchesByKind, ranked }] : [];
  };
  const plain = { query: originalQuery, relaxed: null, corrected: [] };
  const withRelaxedSteps = (searched: Omit<RelaxedSearch, 'relaxed'>): RelaxedSearch => {
    const { steps } = searched;
    // A misspelt word is not searched as typed.
    const wanted = searched.corrected.length > 0 ? searched.query : query;
    const isOfFile = isFewer(steps, least) && scope.politicians === undefined;
    const files = isOfFile ? filesExpression(mirror, wanted, limits.isLaw) : null;
    const before = looked.join(' OR ');
    const all = [...steps, ...look('file', files && `(${files}) NOT (${before})`)];
    const isByMeaning = limits.isOwn === true && all.length === 0;
    const remainingQuery = withoutWords(wanted, nameWords);
    const hasOtherWords = nameWords.length === 0 || remainingQuery.terms.some(({ text }) => !isAskingWord(text));
    const isAny = hasOtherWords && wanted.terms.length > 1 && isFewer(all, least);
    const more =
      isAny || isByMeaning
        ? findAnyWord(mirror, remainingQuery, { scope, steps: all, requiresWord: !isByMeaning })
        : [];
    if (all.length + more.length === 0) return { ...plain, steps };
    const relaxed = more.length > 0 ? 'any-word' : all.length > steps.length ? 'file' : null;
    return { ...searched, steps: [...all, ...more], relaxed };
  };
  const typed = matchExpression(query);
  const steps = look('words', typed, neighbourExpressions(query));
  if (namesRecords) return withRelaxedSteps({ ...plain, steps });
  if (steps.length > 0) {
    // A word with matches is extended only by forms of its verb: not franc by français.
    const families = isFewer(steps, tooFew) ? withFamilies(mirror, query, 'verb') : null;
    if (families === null) return withRelaxedSteps({ ...plain, steps });
    const all = matchExpression(families);
    const related = look('family', `(${all}) NOT (${typed})`);
    return withRelaxedSteps({ ...plain, query: families, steps: [...steps, ...related] });
  }
  const days = withoutYears(originalQuery);
  if (days !== null) {
    const result = searchRelaxing(mirror, days.query, limits);
    return { ...result, corrected: [...days.days, ...result.corrected] };
  }
  const apart = withWordsApart(originalQuery);
  // No record contains the joined words.
  if (apart !== null) return searchRelaxing(mirror, apart, limits);
  return withRelaxedSteps(relaxFurther(mirror, query, look));
}

/** With fewer matches, other forms of the verb are searched too; `mostRanked` limits the records ranked by any word. */
const tooFew = 10;
const mostRanked = 500;

/** True if the counted matches are fewer than `least`. */
export function isFewer(steps: readonly Step[], least: number): boolean {
  const total = totalOf(steps.flatMap(({ matchesByKind }) => matchesByKind));
  return total !== null && total < least;
}

type Look = (matchKind: Matched, match: string | null, beside?: readonly string[]) => Step[];

/** The query without some of its words, as typed. */
export function withoutWords(query: Query, words: readonly string[]): Query {
  return { ...query, terms: query.terms.filter(({ text }) => !words.includes(text)) };
}

/** Matches of words of the same families or of the likeliest spelling; if there are none, that spelling alone. */
function relaxFurther(mirror: Mirror, query: Query, look: Look): Omit<RelaxedSearch, 'relaxed'> {
  const families = withFamilies(mirror, query, 'family');
  const related = families === null ? [] : look('family', matchExpression(families));
  const spelled = spellings(mirror, query);
  const other = inSpelling(spelled, look);
  const isSlip = other && isLikelier(other, related);
  if (families !== null && related.length > 0 && !isSlip) return { steps: related, query: families, corrected: [] };
  const [likeliest] = spelled;
  return other ?? { steps: [], query: likeliest?.query ?? query, corrected: likeliest?.corrections ?? [] };
}

function inSpelling(spelled: readonly Spelled[], look: Look): Omit<RelaxedSearch, 'relaxed'> | null {
  for (const { query, corrections } of spelled) {
    const steps = look('corrected', matchExpression(query), neighbourExpressions(query));
    if (steps.length > 0) return { steps, query, corrected: corrections };
  }
  return null;
}

/** True if a correction is likelier than the family: a quarter as many records, or only doubled or swapped letters. */
function isLikelier({ steps, corrected }: Omit<RelaxedSearch, 'relaxed'>, related: readonly Step[]): boolean {
  const [spelled, family] = [steps, related].map((each) => totalOf(each.flatMap(({ matchesByKind }) => matchesByKind)));
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
  return [{ matchKind: 'any-word', matchesByKind, ranked }];
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
