import type { Query } from '../../language/query.ts';
import { type KindName, kindOf } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { eitherOf, type Sql } from '../page.ts';
import { authorsOf } from './authors.ts';
import { matchExpression, neighbourExpressions, otherNamesIn, withLongForms } from './expression.ts';
import { type Step, stepOf, totalOf } from './ranking.ts';
import { conditionSql, readQuery } from './reading.ts';
import { memberSql, type Scope } from './scope.ts';
import type { Correction } from './spelling.ts';
import { matchingSteps, type QueryForms, type ReadingStep, type StepDescription } from './steps.ts';

/** A step that was run, its number of matches (null if not counted), and the query's words for the authors searched. */
export type StepTrace = { step: StepDescription; total: number | null; by?: string };

/** Result of a search: the steps with matches in order, the query as searched, its corrections, and every step run. */
export type SearchResult = { steps: Step[]; query: Query; corrected: Correction[]; trace: StepTrace[] };

/** The query as a step reads it, its corrections and its expression; null if the step does not apply. */
function readStep(mirror: Mirror, step: ReadingStep, forms: QueryForms) {
  const reading = step.read(mirror, forms);
  if (reading === null) return null;
  const { query, corrections: corrected } = 'query' in reading ? reading : { query: reading, corrections: [] };
  const match = matchExpression(query);
  return match === null ? null : { query, corrected, match };
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
  const bonusExpressions = step.matchKind === 'family' ? [] : neighbourExpressions(reading.query);
  return { ...reading, steps: stepOf(mirror, step.matchKind, { match, scope, bonusExpressions }) };
}

/** Finds the records with all words of a query: first as typed, then also with other forms of its verbs. */
export function searchAllWords(mirror: Mirror, typed: Query, scope: Scope): SearchResult {
  const result: SearchResult = { steps: [], query: typed, corrected: [], trace: [] };
  const forms: QueryForms = { typed, expanded: withLongForms(mirror, typed) };
  const exclusions: string[] = [];
  for (const step of matchingSteps) {
    const reading = searchReading(mirror, step, { forms, scope, exclusions });
    if (reading === null) continue;
    const { steps, query, match } = reading;
    exclusions.push(match);
    result.trace.push({ step, total: totalOf(steps) });
    result.steps.push(...steps);
    if (step.matchKind === 'family' && steps.length > 0) result.query = query;
  }
  return result;
}

/** A filter by words for lists: what the words mean, and their conditions on records. */
export type WordsFilter = ReturnType<typeof wordsFilter>;

/** Reads the words of a filter for lists of `kindNames` as a search does: keys, dates, authors, words. */
export function wordsFilter(mirror: Mirror, q: string, kindNames: readonly KindName[]) {
  const kinds = kindNames.map(kindOf);
  const reading = readQuery(mirror, q, kinds);
  const { filters, ...query } = reading.query;
  // A list has parameters in place of the filters of a search.
  const terms = [...query.terms, ...filters.flatMap(({ isExcluded, asWords }) => (isExcluded ? [] : asWords))];
  const typed = { ...query, filters, terms };
  const haveAuthors = kinds.some(({ search }) => search.about.length > 0);
  const authors = haveAuthors ? authorsOf(mirror, typed, { kinds }) : null;
  const match = expressionOf(mirror, typed);
  // A filter without any word to search matches no record; an empty one matches all.
  const isNothing = match === null && reading.condition === undefined;
  const condition = reading.condition ?? { sql: isNothing && q.trim() !== '' ? '0' : '1', parameters: [] };
  const alternatives = [{ match, condition }];
  if (authors !== null) {
    const { sql, parameters } = memberSql(mirror, { kinds, ...authors.authorScope }, 'id');
    const ownCondition = { sql: condition.sql + sql, parameters: [...condition.parameters, ...parameters] };
    alternatives.push({ match: expressionOf(mirror, authors.subject), condition: ownCondition });
  }
  return {
    interpretations: [
      ...reading.interpretations,
      ...otherNamesIn(mirror, typed),
      ...(authors ? [authors.interpretation] : []),
    ],
    /** A record matches if it matches the expression (null: always) and the condition on `id` of an alternative. */
    alternatives,
    /** Returns the condition on `id` for the matching records of some kinds. */
    sql: (scannedKinds = kindNames): Sql =>
      eitherOf(
        alternatives.map((each) =>
          conditionSql(mirror, each.match, { condition: each.condition, kinds: scannedKinds.map(kindOf) }),
        ),
      ),
  };
}

/** One expression for what any of `matchingSteps` matches; null without words. */
function expressionOf(mirror: Mirror, typed: Query): string | null {
  const forms: QueryForms = { typed, expanded: withLongForms(mirror, typed) };
  const expressions = matchingSteps.flatMap((step) => readStep(mirror, step, forms)?.match ?? []);
  return expressions.length === 0 ? null : expressions.map((each) => `(${each})`).join(' OR ');
}
