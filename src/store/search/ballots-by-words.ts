import type { Query } from '../../language/query.ts';
import { kindOf } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { significant } from './any-word.ts';
import { findMatches } from './counting.ts';
import { inTokensOf, matchExpression } from './expression.ts';
import { searchRelaxing } from './relaxation.ts';
import type { Scope } from './scope.ts';
import { createSpellingMemory } from './spelling.ts';

/** Ballots below which those with most of the words are found too. */
const enough = 10;

/** Relevance of a ballot with some of the words, as a share of the best one's. */
const leastNear = 0.75;

/** Most words of which any one may be missing. */
const mostLeftOut = 8;

const ballots: Scope = { kinds: [kindOf('ballot')] };

/**
 * Ids of the ballots that a query means, as search finds them: those with all words, else all of three or more but one
 * (motion de censure Barnier), else on the file that such texts are about (loi Duplomb); and with fewer than ten those
 * with most of the words.
 */
export function ballotsByWords(mirror: Mirror, query: Query): Set<number> {
  const spelling = createSpellingMemory();
  const limits = { scope: ballots, isFound: false, anyWord: false, least: enough, spelling };
  const { steps } = searchRelaxing(mirror, query, limits);
  const isWhole = steps.some(({ matched }) => matched !== 'file' && matched !== 'any-word');
  const most = isWhole ? null : allButOne(inTokensOf(mirror, query));
  const named = most === null ? [] : findMatches(mirror, most, ballots).flatMap(({ ids }) => [...ids]);
  if (named.length > 0) return new Set(named);
  const any = steps.find(({ matched }) => matched === 'any-word');
  const whole = steps.filter((step) => step !== any).flatMap(({ found }) => found);
  const found = new Set(whole.flatMap(({ ids }) => [...ids]));
  const near = any?.best({ after: null, limit: 1000 }) ?? [];
  const best = near[0]?.relevance ?? 0;
  for (const { id, relevance } of near) if (relevance <= leastNear * best) found.add(id);
  return found;
}

/** The expression for all words of a query but any one of them; null if fewer than three tell anything. */
function allButOne(query: Query): string | null {
  const { terms, excluded } = significant(query);
  if (terms.length < 3 || terms.length > mostLeftOut) return null;
  const parts = terms.map((term) =>
    matchExpression({ terms: terms.filter((each) => each !== term), excluded }, 'AND'),
  );
  return parts.map((part) => `(${part})`).join(' OR ');
}
