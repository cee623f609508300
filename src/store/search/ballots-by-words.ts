import { parseQuery, type Query } from '../../language/query.ts';
import { kindOf } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { significant } from './any-word.ts';
import { findMatches } from './counting.ts';
import { inTokensOf, matchExpression } from './expression.ts';
import { searchRelaxing } from './relaxation.ts';
import type { Scope } from './scope.ts';
import { createSpellingMemory } from './spelling.ts';

/** Most words of which any one may be missing. */
const mostLeftOut = 8;

const ballots: Scope = { kinds: [kindOf('ballot')] };

/** Ballots by number of their record, and how the query was relaxed: null where they hold all of its words. */
export type BallotsByWords = { ids: Set<number>; relaxed: 'most-words' | 'file' | null };

/**
 * The ballots that a query means, as search finds them: those with all words; only where there is none, those with all of
 * three or more but one (motion de censure Barnier), else those on the file that such texts are about (loi Duplomb).
 */
function ballotsByWords(mirror: Mirror, query: Query): BallotsByWords {
  const limits = {
    scope: ballots,
    isFound: false,
    anyWord: false,
    least: 0,
    spelling: createSpellingMemory(),
  };
  const { steps } = searchRelaxing(mirror, query, limits);
  const idsIn = (of: typeof steps) =>
    new Set(of.flatMap(({ found }) => found.flatMap(({ ids }) => [...ids])));
  const whole = steps.filter(({ matched }) => matched !== 'file');
  if (whole.length > 0) return { ids: idsIn(whole), relaxed: null };
  const most = allButOne(inTokensOf(mirror, query));
  const named = most === null ? [] : findMatches(mirror, most, ballots).flatMap(({ ids }) => [...ids]);
  if (named.length > 0) return { ids: new Set(named), relaxed: 'most-words' };
  return { ids: idsIn(steps), relaxed: steps.length > 0 ? 'file' : null };
}

/** The words of a filter, and how far they may be relaxed where no ballot holds all: not at all by default, as for figures. */
export type WantedWords = { q?: string | undefined; relaxes?: readonly BallotsByWords['relaxed'][] };

/** The ballots that the words of a filter mean, as far as it relaxes them; null without words. */
export function ballotsWanted(mirror: Mirror, { q, relaxes = [] }: WantedWords): BallotsByWords | null {
  if (q === undefined || q.trim() === '') return null;
  const found = ballotsByWords(mirror, parseQuery(q));
  return found.relaxed === null || relaxes.includes(found.relaxed)
    ? found
    : { ids: new Set(), relaxed: null };
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
