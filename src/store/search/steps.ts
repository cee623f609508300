import type { Query } from '../../language/query.ts';
import { type Phrase, say } from '../../words/speech.ts';
import type { Mirror } from '../mirror.ts';
import { findExcluded } from './counting.ts';
import { joinLongForms, toPassage } from './expression.ts';
import { addFamilies } from './families.ts';
import { filesExpression } from './legislative-files.ts';
import { hasFewerMatches, rankedStep, type SearchMatchKind, type Step, stepOf } from './ranking.ts';
import type { Scope } from './scope.ts';
import { findCompletion, findSpelling, findSplit, type SpelledQuery } from './spelling.ts';
import { rankByAnyWord } from './word-ranking.ts';

/** Description of a step of a search: one way in which the words of a query match records. */
export type StepDescription = {
  /** Its name in `search --explain` and `npm run eval -- --without=NAME`. */
  name: string;
  /** What it matches; the comment after a name is a query that needs the step. */
  purpose: Phrase;
};

/** A query as typed, and with the long forms of its short words and acronyms as alternatives (`readings`). */
export type QueryForms = { typedQuery: Query; expandedQuery: Query };

/** A step that searches another reading of a query; `read` returns it with any corrections, null if inapplicable. */
export type ReadingStep = StepDescription & {
  matchKind: SearchMatchKind;
  read: (mirror: Mirror, forms: QueryForms) => SpelledQuery | Query | null;
};

/** Request of near matches: the query as corrected, and the earlier steps with their matches. */
export type NearRequest = RelaxationOptions & { query: Query; earlierSteps: readonly Step[] };

/** A step that adds to the matches of the steps before it; `find` returns null if the step does not apply. */
export type AddingStep = StepDescription & { find: (mirror: Mirror, request: NearRequest) => Step[] | null };

/** Options of a relaxed search. */
export type RelaxationOptions = {
  scope: Scope;
  /** True if the words name a law; undefined if the word `loi` among them decides. */
  namesLaw?: boolean | undefined;
  /** True if `scope` has only records of authors in the query: these may match by its subjects instead of its words. */
  isOwn?: boolean;
};

/** Steps for all words of a query: every one is run, and adds what those before it do not match. */
export const matchingSteps: readonly ReadingStep[] = [
  {
    name: 'passage', // les gardiens de phare partent en retraite
    matchKind: 'words',
    purpose: say`five words or more in this order`,
    read: (_mirror, { typedQuery }) => toPassage(typedQuery),
  },
  {
    name: 'acronym', // aide médicale d'État
    matchKind: 'words',
    purpose: say`acronyms of long forms that texts define, and full names with a year (budget 2025)`,
    read: (mirror, { expandedQuery }) => joinLongForms(mirror, expandedQuery),
  },
  {
    name: 'words', // trains de nuit
    matchKind: 'words',
    purpose: say`all words, in singular and plural, and long forms of acronyms`,
    read: (_mirror, { expandedQuery }) => expandedQuery,
  },
  {
    name: 'verb', // voter
    matchKind: 'family',
    purpose: say`other forms of the same verbs`,
    read: (mirror, { expandedQuery }) => addFamilies(mirror, expandedQuery, 'verb'),
  },
];

/** Steps for a query that nothing matches: run until one has matches. */
export const nearSteps: readonly ReadingStep[] = [
  {
    name: 'completion', // agricult
    matchKind: 'corrected',
    purpose: say`unknown words as the beginning of frequent ones`,
    read: (mirror, { expandedQuery }) => findCompletion(mirror, expandedQuery),
  },
  {
    name: 'split', // pouvoirdachat
    matchKind: 'corrected',
    purpose: say`unknown words as several words written as one`,
    read: (mirror, { expandedQuery }) => findSplit(mirror, expandedQuery),
  },
  {
    name: 'family', // immigrant
    matchKind: 'family',
    purpose: say`words of the same families`,
    read: (mirror, { expandedQuery }) => addFamilies(mirror, expandedQuery, 'family'),
  },
  {
    name: 'spelling', // retriates
    matchKind: 'corrected',
    purpose: say`unknown words as similar ones`,
    read: (mirror, { expandedQuery }) => findSpelling(mirror, expandedQuery),
  },
];

/** The step for records with any word; `findNearMatches` runs only this one for a sentence with few matches. */
export const anyWordStep: AddingStep = {
  name: 'any-word', // pourquoi les phares ferment-ils en hiver
  purpose: say`any of the words, most and rarest first`,
  find: findMoreByAnyWord,
};

/** Steps that follow `nearSteps` and add to them: every one is run. */
export const addingSteps: readonly AddingStep[] = [
  {
    name: 'file', // qui vote la loi Plein Air
    purpose: say`records on the legislative files that texts with these words are about`,
    find: findByFile,
  },
  anyWordStep,
];

/** Records on the legislative files of texts with the words of a query; null if a politician or no file is named. */
export function findByFile(mirror: Mirror, { query, scope, earlierSteps, namesLaw }: NearRequest): Step[] | null {
  const files = scope.politicians === undefined ? filesExpression(mirror, query, namesLaw) : null;
  const exclusions = earlierSteps.map(({ match }) => ` NOT (${match})`).join('');
  return files === null ? null : stepOf(mirror, 'file', { match: `(${files})${exclusions}`, scope });
}

const maxRanked = 500; // new records that `any-word` ranks
const sufficientMatches = 20; // earlier matches from which `any-word` does not run

/** Runs `any-word` if earlier steps have few matches; without any, `isOwn` records may match by subjects only. */
function findMoreByAnyWord(mirror: Mirror, { query, scope, earlierSteps, isOwn = false }: NearRequest): Step[] | null {
  const allowsSubjects = isOwn && earlierSteps.length === 0;
  if (!allowsSubjects && !(query.terms.length > 1 && hasFewerMatches(earlierSteps, sufficientMatches))) return null;
  return findByAnyWord(mirror, query, { scope, earlierSteps, requiresWord: !allowsSubjects });
}

/** Records without an earlier match that contain any word or, unless `requiresWord`, a term of the query's subjects. */
export function findByAnyWord(
  mirror: Mirror,
  query: Query,
  { scope, earlierSteps, requiresWord }: { scope: Scope; earlierSteps: readonly Step[]; requiresWord: boolean },
): Step[] {
  const earlierMatches = earlierSteps.flatMap(({ matchesByKind }) => matchesByKind);
  const matchedIds = new Set(earlierMatches.flatMap(({ ids }) => [...ids()]));
  const limit = maxRanked + matchedIds.size;
  const { hits, isTruncated } = rankByAnyWord(mirror, query, { scope, limit, requiresWord });
  const newHits = hits.filter(({ id }) => !matchedIds.has(id));
  const excluded = findExcluded(mirror, query, newHits);
  const matches = newHits.filter(({ id }) => !excluded.has(id));
  return rankedStep('any-word', matches, { kinds: scope.kinds, isTruncated });
}
