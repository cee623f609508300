import { fold } from '../../language/fold.ts';
import { parseQuery, type Query } from '../../language/query.ts';
import { isStopWord } from '../../language/stop-words.ts';
import { documentOf, textOf } from '../../model/document.ts';
import { kindOf } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { findMatches, matchedIds } from './counting.ts';
import { inTokensOf, matchExpression } from './expression.ts';
import { bestMatches } from './ranking.ts';
import { type RelaxedSearch, searchRelaxing } from './relaxation.ts';
import type { Scope } from './scope.ts';
import { createSpellingMemory } from './spelling.ts';

/** Ballots below which those with most of the words are found too. */
const enough = 10;

/** Texts read for their files; the fewest, and the least share of them, that are of one file. */
const [mostRead, leastTexts, leastShare] = [60, 2, 0.3];

/** Relevance of a ballot with some of the words, as a share of the best one's. */
const leastNear = 0.75;

const ballots: Scope = { kinds: [kindOf('ballot')] };

/**
 * Ids of the ballots that a query means, as search finds them: those with all words, and with fewer than ten those with
 * most of the words. Without any, those on the legislative files of texts that say all words (loi Duplomb).
 */
export function ballotsByWords(mirror: Mirror, query: Query): Set<number> {
  const { steps } = relaxed(mirror, query, ballots);
  const whole = steps.filter(({ matched }) => matched !== 'any-word').flatMap(({ found }) => found);
  const files =
    whole.length > 0 ? [] : filesSaid(mirror, query).flatMap((match) => findMatches(mirror, match, ballots));
  const found = new Set([...whole, ...files].flatMap((each) => [...matchedIds(mirror, each)]));
  const any = steps.find(({ matched }) => matched === 'any-word');
  if (found.size >= enough || any === undefined || files.some(({ total }) => total !== 0)) return found;
  const near = bestMatches(mirror, any.found, { after: null, limit: 1000 });
  const best = near[0]?.relevance ?? 0;
  for (const { id, relevance } of near) if (relevance <= leastNear * best) found.add(id);
  return found;
}

function relaxed(mirror: Mirror, query: Query, scope: Scope): RelaxedSearch {
  const spelling = createSpellingMemory();
  return searchRelaxing(mirror, query, { scope, isFound: false, anyWord: false, least: enough, spelling });
}

/** Expressions for the titles of the files of which most texts with all words are. */
function filesSaid(mirror: Mirror, query: Query): string[] {
  const scope: Scope = { kinds: [kindOf('content')] };
  const { steps } = relaxed(mirror, query, scope);
  const found = steps.filter(({ matched }) => matched !== 'any-word').flatMap((step) => step.found);
  const stored = mirror.sql<{ row: string | null; detail: string | null }>(
    'SELECT row, detail FROM record WHERE id = ?',
  );
  const titles = bestMatches(mirror, found, { after: null, limit: mostRead }).flatMap(
    ({ id }) => textOf(documentOf(stored.get(id)!), 'dossier') ?? [],
  );
  return [...Map.groupBy(titles, (title) => title)].flatMap(([title, { length }]) => {
    if (length < Math.max(leastTexts, leastShare * titles.length)) return [];
    return matchExpression(inTokensOf(mirror, telling(parseQuery(title))), 'AND') ?? [];
  });
}

function telling(query: Query): Query {
  return { ...query, terms: query.terms.filter(({ text }) => !isStopWord(fold(text))) };
}
