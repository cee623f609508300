import { parseQuery } from '../../language/query.ts';
import { kindOf } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { searchAllWords } from './all-words.ts';
import { searchRelaxed } from './relaxation.ts';
import { findByFile } from './steps.ts';

const scope = { kinds: [kindOf('ballot')] };

/** The `SearchResult` of near matches, for a `q` that no ballot matches; `matches`: the best of all steps. */
export function searchNearBallots(mirror: Mirror, { q = '', limit }: { q?: string | undefined; limit: number }) {
  const relaxedSearch = searchRelaxed(mirror, parseQuery(q), { scope });
  const matches = relaxedSearch.steps.values().flatMap(({ rankAfter }) => rankAfter(null)); // null: from the best on
  return { ...relaxedSearch, matches: [...matches.take(limit)] };
}

/** Near matches to search: none, by records on the legislative file of a text, or also by other forms of the words. */
export type NearMatchKinds = 'none' | 'files' | 'forms-and-files';

/** Ids of ballots with all words of `q`, the name of a text; if there are none, of the near matches. */
export function ballotsOfText(mirror: Mirror, q: string, nearMatchKinds: NearMatchKinds): number[] {
  const query = parseQuery(q);
  const exactSteps = searchAllWords(mirror, query, scope).steps;
  const isExact = exactSteps.length > 0 || nearMatchKinds === 'none';
  // The text may be a law, even if `q` lacks the word `loi`.
  const nearRequest = { query, scope, namesLaw: true };
  const searchNear = () =>
    nearMatchKinds === 'files'
      ? findByFile(mirror, { ...nearRequest, earlierSteps: [] })
      : searchRelaxed(mirror, query, nearRequest).steps;
  const steps = isExact ? exactSteps : (searchNear() ?? []);
  // Exclude ballots with only some of the words: they may be on another text.
  return steps
    .filter(({ matchKind }) => matchKind !== 'any-word')
    .flatMap(({ matchesByKind }) => matchesByKind.flatMap(({ ids }) => [...ids()]));
}
