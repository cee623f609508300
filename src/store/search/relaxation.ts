import type { Query } from '../../language/query.ts';
import type { Mirror } from '../mirror.ts';
import { type SearchResult, type StepTrace, searchReading } from './all-words.ts';
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
  const trace: StepTrace[] = [];
  let nearest: Omit<SearchResult, 'trace'> = { steps: [], query, corrected: [] };
  for (const step of nearSteps) {
    const reading = searchReading(mirror, step, { forms: { typed, expanded: query }, scope: limits.scope });
    if (reading === null) continue;
    const hasMatches = reading.steps.length > 0;
    trace.push({ step, total: totalOf(reading.steps) });
    // If no reading matches, the likeliest correction counts.
    if (hasMatches || (nearest.corrected.length === 0 && reading.corrected.length > 0)) nearest = reading;
    if (hasMatches) break;
  }
  const { corrected } = nearest;
  const steps = [...nearest.steps];
  for (const step of addingSteps) {
    // A misspelt word is not searched as typed.
    const searchedQuery = corrected.length > 0 ? nearest.query : query;
    const addedSteps = step.find(mirror, { ...limits, query: searchedQuery, before: steps });
    if (addedSteps === null) continue;
    trace.push({ step, total: totalOf(addedSteps) });
    steps.push(...addedSteps);
  }
  if (steps.length === 0) return { steps, query: typed, corrected: [], trace };
  return { steps, query: nearest.query, corrected, trace };
}
