import type { Query } from '../../language/query.ts';
import type { Mirror } from '../mirror.ts';
import { type SearchResult, type StepTrace, searchReading } from './all-words.ts';
import { addLongForms } from './expression.ts';
import { type Step, totalOf } from './ranking.ts';
import { addingSteps, nearSteps, type RelaxationOptions } from './steps.ts';

/** Match kinds of a relaxed search, strictest first: word family, spelling, legislative file, any word. */
export const relaxations = ['family', 'corrected', 'file', 'any-word'] as const;

/** A match kind of a relaxed search. */
export type Relaxation = (typeof relaxations)[number];

/** The loosest match kind among the steps; `corrected` if none is relaxed: then only similar names match. */
export const loosestRelaxation = (steps: readonly Step[]): Relaxation =>
  relaxations.findLast((each) => steps.some(({ matchKind }) => matchKind === each)) ?? 'corrected';

/** Searches near matches of a query without hits: `nearSteps` until one has matches, then all `addingSteps`. */
export function searchRelaxed(mirror: Mirror, typedQuery: Query, options: RelaxationOptions): SearchResult {
  const query = addLongForms(mirror, typedQuery);
  const trace: StepTrace[] = [];
  let bestReading: Omit<SearchResult, 'trace'> = { steps: [], query, corrections: [] };
  for (const step of nearSteps) {
    const reading = searchReading(mirror, step, { forms: { typedQuery, expandedQuery: query }, scope: options.scope });
    if (reading === null) continue;
    const hasMatches = reading.steps.length > 0;
    trace.push({ step, total: totalOf(reading.steps) });
    // Without matches, keep the first reading that corrects a word.
    if (hasMatches || (bestReading.corrections.length === 0 && reading.corrections.length > 0)) bestReading = reading;
    if (hasMatches) break;
  }
  const { corrections } = bestReading;
  const steps = [...bestReading.steps];
  for (const step of addingSteps) {
    // After a correction, search the corrected query.
    const searchedQuery = corrections.length > 0 ? bestReading.query : query;
    const addedSteps = step.find(mirror, { ...options, query: searchedQuery, earlierSteps: steps });
    if (addedSteps === null) continue;
    trace.push({ step, total: totalOf(addedSteps) });
    steps.push(...addedSteps);
  }
  if (steps.length === 0) return { steps, query: typedQuery, corrections: [], trace };
  return { steps, query: bestReading.query, corrections, trace };
}
