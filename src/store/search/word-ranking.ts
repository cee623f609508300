import { fold } from '../../language/fold.ts';
import { firstToken } from '../../language/prose.ts';
import type { Query, QueryTerm } from '../../language/query.ts';
import { isAskingWord } from '../../language/stop-words.ts';
import { subjectsOf } from '../../language/subjects.ts';
import type { Mirror } from '../mirror.ts';
import { countIndexedRecords } from '../word-index/search-index.ts';
import { termsOf } from '../word-index/terms.ts';
import { findMatches } from './counting.ts';
import { neighbourExpressions, proseExpression } from './expression.ts';
import { idfOf, rankMatches } from './ranking.ts';
import type { Scope } from './scope.ts';

type RankingOptions = {
  scope: Scope;
  limit: number;
  /** True if a record must contain a word of the query itself. */
  requiresWord: boolean;
};

/** Maximum numbers of query words and of subjects that are searched. */
const maxima = { words: 12, subjects: 3 };

/** Records by any word and, with less weight, terms of the query's subjects, best first; `isTruncated` by `limit`. */
export function rankByAnyWord(mirror: Mirror, query: Query, options: RankingOptions) {
  const { scope, limit, requiresWord } = options;
  const contentTerms = query.terms.filter(
    ({ text, phrase }) => phrase || (text.length > 1 && !isAskingWord(fold(text).replace(/[^a-z0-9-]/g, ''))),
  );
  const terms = (contentTerms.length > 0 || !requiresWord ? contentTerms : query.terms).slice(0, maxima.words);
  const expressions = terms.map(proseExpression).filter((each) => each !== null);
  const rank = (alternatives: string[], bonusExpressions: string[] = []) => {
    const matches = alternatives.length === 0 ? [] : findMatches(mirror, alternatives.join(' OR '), scope);
    return rankMatches(mirror, matches, { after: null, bonusExpressions }).take(2 * limit); // later scores reorder them
  };
  const ranked = rank(
    expressions,
    neighbourExpressions(query, (term) => contentTerms.includes(term)),
  );
  const scores = new Map(ranked.map(({ id, relevance }) => [id, -relevance])); // relevance: bm25, lower is better
  for (const { tokens, weight } of weightedSubjects(mirror, terms))
    for (const { id, relevance } of rank(tokens.map((token) => `{title body} : "${token}"`)))
      if (!requiresWord || scores.has(id)) scores.set(id, (scores.get(id) ?? 0) - weight * relevance);
  const bestHits = [...scores].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score || b.id - a.id);
  return { hits: bestHits.slice(0, limit), isTruncated: bestHits.length > limit };
}

/** Subjects with a lower score are not searched; a score above `maxScore` does not raise the weight. */
const minScore = 0.99;
const maxScore = 2;

/** Yields terms of the subjects (`subjects.json`) that the words indicate, and a weight for their bm25 scores. */
function* weightedSubjects(mirror: Mirror, terms: readonly QueryTerm[]) {
  const subjects = subjectsOf(weightsOf(mirror, terms)).slice(0, maxima.subjects);
  for (const { terms: tokens, score } of subjects.filter((each) => each.score >= minScore)) {
    const shareOfBestScore = score / subjects[0]!.score;
    // Two words of a subject count more than twice as much as one.
    yield { tokens, weight: (shareOfBestScore * Math.min(score, maxScore) ** 1.5) / Math.sqrt(tokens.length) };
  }
}

/** Weight of each word, also inside a phrase, as evidence for subjects: 1 for a rare word, less for a common one. */
function weightsOf(mirror: Mirror, terms: readonly QueryTerm[]): Map<string, number> {
  const corpus = { records: countIndexedRecords(mirror) };
  // From about a third of the highest idf on, a word is rare.
  const rareIdf = Math.log(1 + corpus.records) / 3;
  const writtenWords = terms.flatMap(({ text, prefix }) => (prefix ? [] : text.split(/\s+/)));
  const weightOf = (word: string) => idfOf(corpus, termsOf(mirror).countRecords(firstToken(word))) / rareIdf;
  return new Map(writtenWords.map((word) => [word, Math.min(1, weightOf(word))]));
}
