import type { Query } from '../../language/query.ts';
import { type KindName, kindOf } from '../../model/kinds.ts';
import { readCached } from '../cached.ts';
import type { Mirror } from '../mirror.ts';
import { anyOf, type Sql } from '../page.ts';
import { findAuthors } from './authors.ts';
import { addLongForms, matchExpression, neighbourExpressions, otherNameInterpretations } from './expression.ts';
import { type Step, stepOf, totalOf } from './ranking.ts';
import { conditionSql, readQuery } from './reading.ts';
import { type Scope, scopeConditionSql } from './scope.ts';
import type { Correction } from './spelling.ts';
import { matchingSteps, type QueryForms, type ReadingStep, type StepDescription } from './steps.ts';

/** A step that was run, its number of matches (null if not counted), and the words that name its authors, if any. */
export type StepTrace = { step: StepDescription; total: number | null; author?: string };

/** Result of a search: the steps with matches in order, the query of its hits, its corrections, and every step run. */
export type SearchResult = { steps: Step[]; query: Query; corrections: Correction[]; trace: StepTrace[] };

/** The query as a step reads it, its corrections and its expression; null if the step does not apply. */
function readStep(mirror: Mirror, step: ReadingStep, forms: QueryForms) {
  const reading = step.read(mirror, forms);
  if (reading === null) return null;
  // Only steps that correct words return corrections.
  const { query, corrections } = 'query' in reading ? reading : { query: reading, corrections: [] };
  const match = matchExpression(query);
  return match === null ? null : { query, corrections, match };
}

/** Result of `readStep`, and the step with the records that match it but not `exclusions`; null as in `readStep`. */
export function searchReading(
  mirror: Mirror,
  step: ReadingStep,
  { forms, scope, exclusions = [] }: { forms: QueryForms; scope: Scope; exclusions?: readonly string[] },
) {
  const reading = readStep(mirror, step, forms);
  if (reading === null) return null;
  const match = [`(${reading.match})`, ...exclusions.map((each) => `(${each})`)].join(' NOT ');
  // Records with words beside each other, as in the query, rank higher; not in steps for other words than those.
  const bonusExpressions = step.matchKind === 'family' ? [] : neighbourExpressions(reading.query);
  return { ...reading, steps: stepOf(mirror, step.matchKind, { match, scope, bonusExpressions }) };
}

/** Finds the records with all words of a query by each of `matchingSteps`, each without those of earlier steps. */
export function searchAllWords(mirror: Mirror, typedQuery: Query, scope: Scope): SearchResult {
  const result: SearchResult = { steps: [], query: typedQuery, corrections: [], trace: [] };
  const forms: QueryForms = { typedQuery, expandedQuery: addLongForms(mirror, typedQuery) };
  const exclusions: string[] = [];
  for (const step of matchingSteps) {
    const reading = searchReading(mirror, step, { forms, scope, exclusions });
    if (reading === null) continue;
    const { steps, query, match } = reading;
    exclusions.push(match);
    result.trace.push({ step, total: totalOf(steps) });
    result.steps.push(...steps);
    // Excerpts then mark the related words of this step too.
    if (step.matchKind === 'family' && steps.length > 0) result.query = query;
  }
  return result;
}

/** A filter by words for lists: what the words mean, and their conditions on records. */
export type WordsFilter = ReturnType<typeof createWordsFilter>;

/** Reads the words of a filter for lists of `kindNames` as a search does: keys, dates, authors, words. */
export function readWordsFilter(mirror: Mirror, q: string, kindNames: readonly KindName[]): WordsFilter {
  // A list reads the same filter twice: for its condition and for its interpretations.
  const cachedFilters = mirror.readOnce('filters by words', () => new Map<string, WordsFilter>());
  const compute = () => createWordsFilter(mirror, q, kindNames);
  return readCached(cachedFilters, `${kindNames.join(' ')}: ${q}`, { compute, maxEntries: 100 });
}

function createWordsFilter(mirror: Mirror, q: string, kindNames: readonly KindName[]) {
  const kinds = kindNames.map(kindOf);
  const reading = readQuery(mirror, q, kinds);
  const { filters, ...query } = reading.query;
  // Lists have parameters instead of search filters, so a filter in the query counts as words.
  const terms = [...query.terms, ...filters.flatMap(({ isExcluded, asWords }) => (isExcluded ? [] : asWords))];
  const typedQuery = { ...query, filters, terms };
  const haveAuthors = kinds.some(({ search }) => search.about.length > 0);
  const authors = haveAuthors ? findAuthors(mirror, typedQuery, { kinds }) : null;
  const match = allStepsExpression(mirror, typedQuery);
  // A filter without any word to search matches no record; an empty one matches all.
  const lacksTerms = match === null && reading.condition === undefined;
  const condition = reading.condition ?? { sql: lacksTerms && q.trim() !== '' ? '0' : '1', parameters: [] };
  const alternatives = [{ match, condition }];
  if (authors !== null) {
    const { sql, parameters } = scopeConditionSql(mirror, { kinds, ...authors.authorScope }, 'id');
    const authorCondition = { sql: condition.sql + sql, parameters: [...condition.parameters, ...parameters] };
    alternatives.push({ match: allStepsExpression(mirror, authors.subject), condition: authorCondition });
  }
  return {
    interpretations: [
      ...reading.interpretations,
      ...otherNameInterpretations(mirror, typedQuery),
      ...(authors ? [authors.interpretation] : []),
    ],
    /** A record matches by any alternative: its expression (null: needs none) and its condition on `id`. */
    alternatives,
    /** Returns the condition on `id` for the matching records of some kinds. */
    sql(scannedKinds = kindNames): Sql {
      const conditionKinds = scannedKinds.map(kindOf);
      return anyOf(
        alternatives.map(({ match, condition }) => conditionSql(mirror, match, { condition, kinds: conditionKinds })),
      );
    },
  };
}

/** One expression for what any of `matchingSteps` matches; null without words. */
function allStepsExpression(mirror: Mirror, typedQuery: Query): string | null {
  const forms: QueryForms = { typedQuery, expandedQuery: addLongForms(mirror, typedQuery) };
  const expressions = matchingSteps.flatMap((step) => readStep(mirror, step, forms)?.match ?? []);
  return expressions.length === 0 ? null : expressions.map((each) => `(${each})`).join(' OR ');
}
