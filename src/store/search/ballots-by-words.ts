import { parseQuery } from '../../language/query.ts';
import { kindOf } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { searchAllWords } from './all-words.ts';
import { searchRelaxed } from './relaxation.ts';

const scope = { kinds: [kindOf('ballot')] };

/** The result of `searchRelaxed` for ballots, if none has all words; `matches`: the best, at most `limit`. */
export function searchNearBallots(mirror: Mirror, { q = '', limit }: { q?: string | undefined; limit: number }) {
  const relaxedSearch = searchRelaxed(mirror, parseQuery(q), { scope });
  const matches = relaxedSearch.steps.values().flatMap(({ rankAfter }) => rankAfter(null));
  return { ...relaxedSearch, matches: [...matches.take(limit)] };
}

/** Ids of ballots with all words; else, if `isRelaxed`, of near matches, by legislative file only if `withFiles`. */
export function ballotsOfText(mirror: Mirror, q: string, isRelaxed = true, withFiles = true): number[] {
  const query = parseQuery(q);
  const { steps } = searchAllWords(mirror, query, scope);
  const isExact = steps.length > 0 || !isRelaxed;
  const usedSteps = isExact ? steps : searchRelaxed(mirror, query, { scope, namesLaw: true }).steps;
  // A ballot with only some of the words may be on another text.
  return usedSteps
    .filter(({ matchKind }) => matchKind !== 'any-word' && (withFiles || matchKind !== 'file'))
    .flatMap(({ matchesByKind }) => matchesByKind.flatMap(({ ids }) => [...ids()]));
}
