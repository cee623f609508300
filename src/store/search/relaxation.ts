import type { Query } from '../../language/query.ts';
import type { Mirror } from '../mirror.ts';
import { type SearchResult, searchReading } from './all-words.ts';
import { withLongForms } from './expression.ts';
import { type Step, totalOf } from './ranking.ts';
import { addingSteps, nearSteps, type RelaxationLimits } from './steps.ts';

/** How the hits of a relaxed search resemble the query, strictest first. */
export const relaxations = ['family', 'corrected', 'file', 'any-word'] as const;

export type Relaxed = (typeof relaxations)[number];

/** The loosest resemblance among the steps of a relaxed search; of names alone, their spelling. */
export const relaxedIn = (steps: readonly Step[]): Relaxed =>
  relaxations.findLast((each) => steps.some(({ matchKind }) => matchKind === each)) ?? 'corrected';

/** Searches what resembles a query that nothing matches: related words, spellings, legislative files, any word. */
export function searchRelaxed(mirror: Mirror, typed: Query, limits: RelaxationLimits): SearchResult {
  const query = withLongForms(mirror, typed);
  const result: SearchResult = { steps: [], query, corrected: [], trace: [] };
  for (const step of nearSteps) {
    const reading = searchReading(mirror, step, { forms: { typed, expanded: query }, scope: limits.scope });
    if (reading === null) continue;
    const { steps, corrected } = reading;
    result.trace.push({ step, total: totalOf(steps) });
    // If no reading matches, the likeliest correction counts.
    if (steps.length > 0 || (result.corrected.length === 0 && corrected.length > 0))
      Object.assign(result, { steps, query: reading.query, corrected });
    if (steps.length > 0) break;
  }
  // A misspelt word is not searched as typed.
  const searchedQuery = result.corrected.length > 0 ? result.query : query;
  for (const step of addingSteps) {
    const steps = step.find(mirror, { ...limits, query: searchedQuery, before: result.steps });
    if (steps === null) continue;
    result.trace.push({ step, total: totalOf(steps) });
    result.steps.push(...steps);
  }
  return result.steps.length === 0 ? { ...result, query: typed, corrected: [] } : result;
}
