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

/** A step that was run, and its number of matches (null if not counted); `by` names the authors that it searched. */
export type StepTrace = { step: StepDescription; total: number | null; by?: string };

/** Result of a search: the steps with matches in order, the query as searched, its corrections, and every step run. */
export type SearchResult = { steps: Step[]; query: Query; corrected: Correction[]; trace: StepTrace[] };

/** The query as a step reads it, with its expression and corrections; null if the step does not apply. */
function readStep(mirror: Mirror, step: ReadingStep, forms: QueryForms) {
  const reading = step.read(mirror, forms);
  if (reading === null) return null;
  const { query, corrections: corrected } = 'query' in reading ? reading : { query: reading, corrections: [] };
  const match = matchExpression(query);
  return match === null ? null : { query, corrected, match };
}

/** Searches the query as a step reads it, without what `exclusions` match; null if the step does not apply. */
export function searchReading(
  mirror: Mirror,
  step: ReadingStep,
  { forms, scope, exclusions = [] }: { forms: QueryForms; scope: Scope; exclusions?: readonly string[] },
) {
  const reading = readStep(mirror, step, forms);
  if (reading === null) return null;
  const match = [`(${reading.match})`, ...exclusions.map((each) => `(${each})`)].join(' NOT ');
  const beside = step.matchKind === 'family' ? [] : neighbourExpressions(reading.query);
  return { ...reading, steps: stepOf(mirror, step.matchKind, { match, scope, beside }) };
}

/** Finds the records with all words of a query: first as typed, then also with other forms of its verbs. */
export function searchAllWords(mirror: Mirror, typed: Query, scope: Scope): SearchResult {
  const result: SearchResult = { steps: [], query: typed, corrected: [], trace: [] };
  const forms = { typed, expanded: withLongForms(mirror, typed) };
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

/** A list's filter by words, as in a search: what they mean, and a condition on `id` for records of some kinds. */
export type WordsFilter = ReturnType<typeof wordsFilter>;

/** Reads the words of a filter for lists of `kindNames`. */
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
    /** Expressions (null: any record) with conditions on `id`; a record matches if it meets both of any. */
    alternatives,
    sql: (scannedKinds = kindNames): Sql =>
      eitherOf(
        alternatives.map((each) =>
          conditionSql(mirror, each.match, { condition: each.condition, kinds: scannedKinds.map(kindOf) }),
        ),
      ),
  };
}

/** The expression of all steps for all words, null without words. */
function expressionOf(mirror: Mirror, typed: Query): string | null {
  const forms = { typed, expanded: withLongForms(mirror, typed) };
  const expressions = matchingSteps.flatMap((step) => readStep(mirror, step, forms)?.match ?? []);
  return expressions.length === 0 ? null : expressions.map((each) => `(${each})`).join(' OR ');
}
