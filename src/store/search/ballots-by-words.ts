import { parseQuery } from '../../language/query.ts';
import { kindOf } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import type { Matched } from './ranking.ts';
import { type RelaxedSearch, searchRelaxing } from './relaxation.ts';

/** With fewer ballots that contain all words, relaxed matches follow. */
const enough = 10;

/** Most ballots that contain only some of the words. */
const mostNear = 100;

/** Ballots by id with their rank (0 for all words), and how the words were relaxed and corrected. */
export type BallotsByWords = Pick<RelaxedSearch, 'relaxed' | 'corrected'> & { places: Map<number, number> };

const relaxations: readonly Matched[] = ['corrected', 'file', 'any-word'];

/** Words of a filter, whether they name a text, and relaxation steps if few ballots match (default: none). */
export type WantedWords = { q?: string | undefined; isLaw?: boolean; relaxes?: readonly Matched[] };

/** The ballots that match the words of a filter, as search ranks them; null without words. */
export function ballotsWanted(mirror: Mirror, { q, isLaw, relaxes = [] }: WantedWords): BallotsByWords | null {
  if (q === undefined || q.trim() === '') return null;
  const limits = { scope: { kinds: [kindOf('ballot')] }, namesRecords: false, isLaw };
  const least = relaxes.length > 0 ? enough : 0;
  const { steps, corrected } = searchRelaxing(mirror, parseQuery(q), { ...limits, least });
  const places = new Map<number, number>();
  let relaxed: RelaxedSearch['relaxed'] = null;
  for (const { matchKind, matchesByKind, ranked } of steps) {
    if (relaxations.includes(matchKind) && !relaxes.includes(matchKind)) continue;
    const isWhole = matchKind !== 'file' && matchKind !== 'any-word';
    if (!isWhole) relaxed = matchKind;
    const ids =
      matchKind === 'any-word'
        ? [...ranked(null)].slice(0, mostNear).map(({ id }) => id)
        : matchesByKind.flatMap((each) => [...each.ids]);
    for (const [at, id] of ids.entries())
      if (!places.has(id)) places.set(id, isWhole ? 0 : matchKind === 'file' ? 1 : 2 + at);
  }
  return { places, relaxed, corrected: places.size > 0 ? corrected : [] };
}
