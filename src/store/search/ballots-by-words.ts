import { parseQuery } from '../../language/query.ts';
import { kindOf } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { searchAllWords } from './all-words.ts';
import { searchRelaxed } from './relaxation.ts';

const scope = { kinds: [kindOf('ballot')] };

/** What resembles words that no ballot contains: the best matches, at most `limit`, and how they were searched. */
export function searchNearBallots(mirror: Mirror, { q = '', limit }: { q?: string | undefined; limit: number }) {
  const searched = searchRelaxed(mirror, parseQuery(q), { scope });
  const matches = searched.steps.values().flatMap(({ rankAfter }) => rankAfter(null));
  return { ...searched, matches: [...matches.take(limit)] };
}

/** Ids of the ballots that words of a text refer to: with all words or, if relaxed, of one family, spelling or file. */
export function ballotsOfText(mirror: Mirror, q: string, isRelaxed = true, withFiles = true): number[] {
  const query = parseQuery(q);
  const { steps } = searchAllWords(mirror, query, scope);
  const { steps: near } =
    steps.length > 0 || !isRelaxed ? { steps } : searchRelaxed(mirror, query, { scope, isLaw: true });
  // Ballots with any word may be on another text.
  const sure = near.filter(({ matchKind }) => matchKind !== 'any-word' && (withFiles || matchKind !== 'file'));
  return sure.flatMap(({ matchesByKind }) => matchesByKind.flatMap(({ ids }) => [...ids()]));
}
