import type { Query } from '../../language/query.ts';
import { type Phrase, say } from '../../words/speech.ts';
import type { Mirror } from '../mirror.ts';
import { findExcluded } from './counting.ts';
import { asPassage, withAcronyms } from './expression.ts';
import { withFamilies } from './families.ts';
import { filesExpression } from './legislative-files.ts';
import { hasFewerMatches, rankedStep, type SearchMatchKind, type Step, stepOf } from './ranking.ts';
import type { Scope } from './scope.ts';
import { findCompletion, findSpelling, findSplit, type SpelledQuery } from './spelling.ts';
import { rankByAnyWord } from './word-ranking.ts';

/** A way in which the words of a query match records. */
export type StepDescription = {
  /** Its name in `search --explain` and `npm run eval -- --without=NAME`. */
  name: string;
  /** What it matches, and a query that needs it. */
  purpose: Phrase;
  example: string;
};

/** A query as typed, and with the long forms of its short words and acronyms. */
export type QueryForms = { typed: Query; expanded: Query };

/** A step that reads the query in another way; `read` returns null if the step does not apply. */
export type ReadingStep = StepDescription & {
  matchKind: SearchMatchKind;
  read: (mirror: Mirror, forms: QueryForms) => SpelledQuery | Query | null;
};

/** What to search for near matches: the query as corrected, and the steps that matched before. */
export type NearRequest = RelaxationLimits & { query: Query; before: readonly Step[] };

/** A step that adds to the matches of the steps before it; `find` returns null if the step does not apply. */
export type AddingStep = StepDescription & { find: (mirror: Mirror, request: NearRequest) => Step[] | null };

export type RelaxationLimits = {
  scope: Scope;
  /** True if the words name a text; by default only if one of them is `loi`. */
  isLaw?: boolean | undefined;
  /** True for the records of an author whom the query names: they may match by meaning alone. */
  isOwn?: boolean;
};

/** Steps for all words of a query: every one is run, and adds what those before it do not match. */
export const matchingSteps: readonly ReadingStep[] = [
  {
    name: 'passage',
    matchKind: 'words',
    purpose: say`five words or more in this order`,
    example: 'les gardiens de phare partent en retraite',
    read: (_mirror, { typed }) => asPassage(typed),
  },
  {
    name: 'acronym',
    matchKind: 'words',
    purpose: say`acronyms of long forms that texts define, and full names with a year (budget 2025)`,
    example: "aide médicale d'État",
    read: (mirror, { expanded }) => withAcronyms(mirror, expanded),
  },
  {
    name: 'words',
    matchKind: 'words',
    purpose: say`all words, in singular and plural, and long forms of acronyms`,
    example: 'trains de nuit',
    read: (_mirror, { expanded }) => expanded,
  },
  {
    name: 'verb',
    matchKind: 'family',
    purpose: say`other forms of the same verbs`,
    example: 'voter',
    read: (mirror, { expanded }) => withFamilies(mirror, expanded, 'verb'),
  },
];

/** Steps for a query that nothing matches: run until one has matches. */
export const nearSteps: readonly ReadingStep[] = [
  {
    name: 'completion',
    matchKind: 'corrected',
    purpose: say`unknown words as the beginning of frequent ones`,
    example: 'agricult',
    read: (mirror, { expanded }) => findCompletion(mirror, expanded),
  },
  {
    name: 'split',
    matchKind: 'corrected',
    purpose: say`unknown words as several words written as one`,
    example: 'pouvoirdachat',
    read: (mirror, { expanded }) => findSplit(mirror, expanded),
  },
  {
    name: 'family',
    matchKind: 'family',
    purpose: say`words of the same families`,
    example: 'immigrant',
    read: (mirror, { expanded }) => withFamilies(mirror, expanded, 'family'),
  },
  {
    name: 'spelling',
    matchKind: 'corrected',
    purpose: say`unknown words as similar ones`,
    example: 'retriates',
    read: (mirror, { expanded }) => findSpelling(mirror, expanded),
  },
];

/** The step for records with any word; also run by itself, beside the few matches of a sentence. */
export const anyWordStep: AddingStep = {
  name: 'any-word',
  purpose: say`any of the words, most and rarest first`,
  example: 'pourquoi les phares ferment-ils en hiver',
  find: findFewByAnyWord,
};

/** Steps that follow `nearSteps` and add to them: every one is run. */
export const addingSteps: readonly AddingStep[] = [
  {
    name: 'file',
    purpose: say`records on the legislative files that texts with these words are about`,
    example: 'qui vote la loi Plein Air',
    find: findByFile,
  },
  anyWordStep,
];

function findByFile(mirror: Mirror, { query, scope, before, isLaw }: NearRequest): Step[] | null {
  const files = scope.politicians === undefined ? filesExpression(mirror, query, isLaw) : null;
  const exclusions = before.map(({ match }) => ` NOT (${match})`).join('');
  return files === null ? null : stepOf(mirror, 'file', { match: `(${files})${exclusions}`, scope });
}

/** Most records ranked by any word, and fewer matches than which any word is searched. */
const mostRanked = 500;
const enoughMatches = 20;

function findFewByAnyWord(mirror: Mirror, { query, scope, before, isOwn = false }: NearRequest): Step[] | null {
  const searchesMeaning = isOwn && before.length === 0;
  const needsMore = query.terms.length > 1 && hasFewerMatches(before, enoughMatches);
  if (!searchesMeaning && !needsMore) return null;
  return findAnyWord(mirror, query, { scope, before, requiresWord: !searchesMeaning });
}

/** Records of a scope, not yet matched, that contain any word of a query, or without `requiresWord` its meaning. */
export function findAnyWord(
  mirror: Mirror,
  query: Query,
  { scope, before, requiresWord }: { scope: Scope; before: readonly Step[]; requiresWord: boolean },
): Step[] {
  const knownIds = new Set(before.flatMap(({ matchesByKind }) => matchesByKind.flatMap(({ ids }) => [...ids()])));
  const { hits, isCut } = rankByAnyWord(mirror, query, { scope, limit: mostRanked + knownIds.size, requiresWord });
  const newHits = hits.filter(({ id }) => !knownIds.has(id));
  const excluded = findExcluded(mirror, query, newHits);
  const matches = newHits.filter(({ id }) => !excluded.has(id));
  return rankedStep('any-word', matches, { kinds: scope.kinds, isCut });
}
