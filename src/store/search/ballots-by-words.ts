import { parseQuery } from '../../language/query.ts';
import { kindOf } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { searchAllWords } from './all-words.ts';
import { searchRelaxed } from './relaxation.ts';

const scope = { kinds: [kindOf('ballot')] };

/** Near matches of words that no ballot contains: the result of `searchRelaxed`, and its best `matches` to `limit`. */
export function searchNearBallots(mirror: Mirror, { q = '', limit }: { q?: string | undefined; limit: number }) {
  const relaxedSearch = searchRelaxed(mirror, parseQuery(q), { scope });
  const matches = relaxedSearch.steps.values().flatMap(({ rankAfter }) => rankAfter(null));
  return { ...relaxedSearch, matches: [...matches.take(limit)] };
}

/** Ids of the ballots with all words; if there are none, of near matches by family, spelling or legislative file. */
export function ballotsOfText(mirror: Mirror, q: string, isRelaxed = true, withFiles = true): number[] {
  const query = parseQuery(q);
  const { steps } = searchAllWords(mirror, query, scope);
  const near = steps.length > 0 || !isRelaxed ? steps : searchRelaxed(mirror, query, { scope, namesLaw: true }).steps;
  // A ballot with only some of the words may be on another text.
  const sure = near.filter(({ matchKind }) => matchKind !== 'any-word' && (withFiles || matchKind !== 'file'));
  return sure.flatMap(({ matchesByKind }) => matchesByKind.flatMap(({ ids }) => [...ids()]));
}
