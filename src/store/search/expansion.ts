import { nameWords } from '../../language/name.ts';
import { lexemes, proseTokens } from '../../language/prose.ts';
import { relativesOf } from '../../language/relatives.ts';
import { isActionWord, isAskingWord } from '../../language/stop-words.ts';
import { isSubjectWord, subjectsOf } from '../../language/subjects.ts';
import type { Mirror } from '../mirror.ts';
import { openPostings, type Postings } from '../word-index/postings.ts';
import { type Accumulators, type Concept, createAccumulators, idfOf, type Saying } from './accumulators.ts';
import { familyTokens } from './families.ts';
import { validMatches } from './ranking.ts';
import type { Scope } from './scope.ts';

/** Options of query expansion. */
type ExpansionOptions = {
  scope: Scope;
  /** Most records to return. */
  limit: number;
  /** Index entries that may be read; beyond it, rarer wordings and the oldest records are left out. */
  budget?: number;
};

/** Records by relevance, best first, and the number of index entries read. */
type Expanded = { hits: { id: number; score: number }[]; read: number };

/** Weights, tuned on judged queries (`npm run eval`). */
const weights = { family: 0.7, name: 0.5, action: 0.3, subject: 0.7 };
const most = {
  words: 12,
  subjects: 3,
  ranked: 300,
  votes: 500,
};
const defaultBudget = 60_000;

/**
 * Ranks records by a query expanded with word families (forêt, forestier), relatives and terms of its subject.
 * All wordings of one concept are scored by bm25 as one word: otherwise the rarest would weigh most.
 */
export function expandedHits(mirror: Mirror, query: string, options: ExpansionOptions): Expanded {
  const postings = openPostings(mirror, options.budget ?? defaultBudget);
  const accumulators = createAccumulators(mirror, options.scope);
  const words = wordsOf(query);
  const reading = { postings, accumulators, options, share: words.length };
  for (const word of words) accumulators.add(conceptOf(word, reading));
  for (const concept of subjectConcepts(words, reading)) accumulators.add(concept);
  const hits = accumulators.best(most.ranked, postings);
  return { hits: validMatches(mirror, hits).slice(0, options.limit), read: postings.spent() };
}

type Word = { written: string; token: string; names: string[] };

/** The words of a question about its subject. */
function wordsOf(query: string): Word[] {
  const words = new Map<string, Word>();
  for (const written of lexemes(query.slice(0, 10_240))) {
    if (isAskingWord(written)) continue;
    for (const token of proseTokens(written)) {
      if (token.length < 2 || isAskingWord(token) || words.has(token)) continue;
      // Only capitalised words are searched in names: not la marine.
      const names = /^\p{Lu}/u.test(written) ? nameWords(written) : [];
      words.set(token, { written, token, names });
    }
  }
  return [...words.values()].slice(0, most.words);
}

/** True for a word that expands to others by a table or its family. */
export function isWidened(mirror: Mirror, written: string): boolean {
  const postings = openPostings(mirror, defaultBudget);
  const leads = (token: string) =>
    relativesOf(token).length > 0 || isSubjectWord(token) || familyTokens(postings, token).length > 0;
  return proseTokens(written).some(leads);
}

type ExpansionContext = {
  postings: Postings;
  accumulators: Accumulators;
  options: ExpansionOptions;
  share: number;
};

function conceptOf({ written, token, names }: Word, reading: ExpansionContext): Concept {
  const { postings, accumulators, options, share } = reading;
  const { ranges } = accumulators;
  const sayings: Saying[] = [];
  const own = postings.read(token, { ranges, most: Math.floor((0.3 * budgetOf(options)) / share) });
  sayings.push({ ...own, weight: 1 });
  let { records } = own;
  for (const name of names)
    sayings.push({ ...postings.read(name, { ranges, most: 2000, field: 'name' }), weight: weights.name });
  const ofFamily = [...new Set([...relativesOf(token), ...familyTokens(postings, token)])];
  for (const each of ofFamily) {
    const found = postings.read(each, { ranges, most: Math.floor(budgetOf(options) / 3 / share) });
    if (found.isCut) continue;
    records += found.records;
    sayings.push({ ...found, weight: weights.family });
  }
  const weight = share > 1 && isActionWord(written) ? weights.action : 1;
  const counts = accumulators.together(sayings);
  return { counts, weight, idf: idfOf(postings, Math.max(records, Math.min(counts.size, 20))) };
}

/**
 * Votes that identify a subject, votes beyond which more add nothing, and words of a question from which two have to
 * agree: one word of many drifts (piquer les malades: hornets).
 */
const [leastVotes, mostVotes, leastAgreed] = [0.99, 2, 3];

/**
 * The terms of the subjects that a question describes in other words. Each term is a concept, so that texts with several
 * rank first. Two words of a subject count more than twice as much as one.
 */
function* subjectConcepts(words: readonly Word[], { postings, accumulators, options }: ExpansionContext) {
  const subjects = subjectsOf(votesOf(words, { postings, accumulators })).slice(0, most.subjects);
  const told = subjects.filter(
    (each) => each.votes >= leastVotes && (each.words > 1 || words.length < leastAgreed),
  );
  const share = told.reduce((sum, { terms }) => sum + terms.length, 0);
  const reading = {
    ranges: accumulators.ranges,
    most: Math.floor((0.2 * budgetOf(options)) / share),
  };
  for (const { terms, votes } of told) {
    const found = terms.map((token) => postings.read(token, reading)).filter(({ ids }) => ids.length > 0);
    const besideBest = votes / told[0]!.votes;
    const weight =
      (weights.subject * besideBest * Math.min(votes, mostVotes) ** 1.5) / Math.sqrt(found.length);
    for (const each of found) {
      const idf = idfOf(postings, Math.max(each.records, 20));
      yield { counts: accumulators.together([{ ...each, weight: 1 }]), weight, idf };
    }
  }
}

/** The vote of each word for its subjects: lower for common words and for actions. */
function votesOf(
  words: readonly Word[],
  { postings, accumulators: { ranges } }: Pick<ExpansionContext, 'postings' | 'accumulators'>,
): Map<string, number> {
  const rare = Math.log(1 + postings.records) / 3;
  return new Map(
    words.map(({ written, token }) => {
      const weight = isActionWord(written) ? weights.action : 1;
      const { records } = postings.read(token, { ranges, most: most.votes });
      return [token, weight * Math.min(1, idfOf(postings, records) / rare)];
    }),
  );
}

const budgetOf = ({ budget = defaultBudget }: ExpansionOptions) => budget;
