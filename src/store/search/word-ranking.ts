import { fold } from '../../language/fold.ts';
import { firstToken } from '../../language/prose.ts';
import type { Query, QueryTerm } from '../../language/query.ts';
import { isAskingWord } from '../../language/stop-words.ts';
import { subjectsOf } from '../../language/subjects.ts';
import type { Mirror } from '../mirror.ts';
import { openPostings, type Postings } from '../word-index/postings.ts';
import { termsOf } from '../word-index/terms.ts';
import { type Accumulators, type Concept, createAccumulators, idfOf } from './accumulators.ts';
import { dropLaterRecords } from './ranking.ts';
import type { Scope } from './scope.ts';

type RankingOptions = {
  scope: Scope;
  limit: number;
  /** True if a record must contain a word of the query itself. */
  requiresWord: boolean;
  /** Most index entries read; beyond it, rarer wordings and the oldest records are left out. */
  budget?: number;
};

/** Records by relevance, best first; `isCut` if there may be more; `read` counts the index entries read. */
type RankedRecords = { hits: { id: number; score: number }[]; isCut: boolean; entriesRead: number };

/** Weights, tuned on judged queries (`npm run eval`). */
const weights = { number: 2, subject: 0.7 };
const limits = { words: 12, completions: 20, subjects: 3, votes: 500 };
const defaultBudget = 60_000;

/** Ranks records by any word and its subjects; a concept's wordings score as one, else the rarest lead. */
export function rankByAnyWord(mirror: Mirror, query: Query, options: RankingOptions): RankedRecords {
  const { scope, limit, requiresWord, budget = defaultBudget } = options;
  const postings = openPostings(mirror, budget);
  const accumulators = createAccumulators(mirror, scope);
  const contentTerms = query.terms.filter(isContentTerm);
  const terms = (contentTerms.length > 0 || !requiresWord ? contentTerms : query.terms).slice(0, limits.words);
  const { ranges } = accumulators;
  const share = budget / terms.length;
  const bounds = { ranges, most: Math.floor(0.3 * share) };
  const eligibleIds = new Set<number>();
  for (const term of terms) {
    const wordingPostings = wordingsOf(mirror, term).map((tokens) => postings.read(tokens.join(' '), bounds));
    const counts = accumulators.sumWordings(wordingPostings);
    for (const id of counts.keys()) eligibleIds.add(id);
    const records = wordingPostings.reduce((sum, each) => sum + each.records, 0);
    const weight = /\d/.test(term.text) ? weights.number : 1;
    accumulators.add({ counts, weight, idf: idfOf(postings, records) });
  }
  for (const concept of subjectConcepts(terms, { postings, accumulators, budget })) accumulators.add(concept);
  const best = accumulators.topRecords(limit, postings, requiresWord ? eligibleIds : null);
  return { hits: dropLaterRecords(mirror, best), isCut: best.length === limit, entriesRead: postings.spent() };
}

function isContentTerm({ text, phrase }: QueryTerm): boolean {
  return phrase || !(text.length < 2 || isAskingWord(fold(text).replace(/[^a-z0-9-]/g, '')));
}

function wordingsOf(mirror: Mirror, { prose, readings, prefix }: QueryTerm): string[][] {
  const completions = prefix && prose.length === 1 ? termsOf(mirror).withPrefix(prose[0]!, limits.completions) : [];
  return [prose, ...readings, ...completions.map((token) => [token])].filter(({ length }) => length > 0);
}

/** Fewest votes of a subject, and most votes that count. */
const leastVotes = 0.99;
const mostVotes = 2;

type ConceptReading = { postings: Postings; accumulators: Accumulators; budget: number };

/** Yields a concept per term of the subjects that a query paraphrases, so that texts with several terms rank first. */
function* subjectConcepts(words: readonly QueryTerm[], reader: ConceptReading): Iterable<Concept> {
  const { postings, accumulators, budget } = reader;
  const subjects = subjectsOf(votesOf(words, reader)).slice(0, limits.subjects);
  const selectedSubjects = subjects.filter(({ votes }) => votes >= leastVotes);
  const share = selectedSubjects.reduce((sum, { terms }) => sum + terms.length, 0);
  const bounds = { ranges: accumulators.ranges, most: Math.floor((0.2 * budget) / share) };
  for (const { terms, votes } of selectedSubjects) {
    const termPostings = terms.map((token) => postings.read(token, bounds)).filter(({ ids }) => ids.length > 0);
    const besideBest = votes / selectedSubjects[0]!.votes;
    // Two words of a subject count more than twice as much as one.
    const weight = (weights.subject * besideBest * Math.min(votes, mostVotes) ** 1.5) / Math.sqrt(termPostings.length);
    for (const each of termPostings) {
      const idf = idfOf(postings, Math.max(each.records, 20));
      yield { counts: accumulators.sumWordings([each]), weight, idf };
    }
  }
}

/** The vote of each word for its subjects: lower for common words. */
function votesOf(words: readonly QueryTerm[], { postings, accumulators }: ConceptReading): Map<string, number> {
  const rareIdf = Math.log(1 + postings.records) / 3;
  // Each word of an expression has a vote of its own.
  const written = words.flatMap(({ text, prefix }) => (prefix ? [] : text.split(/\s+/)));
  return new Map(
    written.map((word) => {
      const { records } = postings.read(firstToken(word), { ranges: accumulators.ranges, most: limits.votes });
      return [word, Math.min(1, idfOf(postings, records) / rareIdf)];
    }),
  );
}
