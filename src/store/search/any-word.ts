import type { Query } from '../../language/query.ts';
import type { Mirror } from '../mirror.ts';
import { kindOfRecord } from '../record.ts';
import { idsAmong } from './counting.ts';
import { matchExpression } from './expression.ts';
import type { Match, Step } from './ranking.ts';
import type { Scope } from './scope.ts';
import { rankByAnyWord } from './word-ranking.ts';

const mostRanked = 500;

/** The records of a scope that hold any word of a query (or only mean it), those in `except` left out. */
export function findAnyWord(
  mirror: Mirror,
  query: Query,
  { scope, except, isHeld = true }: { scope: Scope; except: ReadonlySet<number>; isHeld?: boolean },
): Step[] {
  const { hits, isCut } = rankByAnyWord(mirror, query, { scope, limit: mostRanked + except.size, isHeld });
  const best = hits
    .filter(({ id }) => !except.has(id))
    .map(({ id, score }) => ({ id, relevance: -score, kind: kindOfRecord(id) }));
  const ranked = withoutExcluded(mirror, query, best);
  if (ranked.length === 0) return [];
  const found = scope.kinds.map((kind) => {
    const ids = new Set(ranked.flatMap((each) => (each.kind === kind ? each.id : [])));
    return { kind, ids, total: isCut ? null : ids.size };
  });
  return [
    {
      matched: 'any-word',
      found,
      best: ({ after, limit }) =>
        ranked.slice(after === null ? 0 : ranked.findIndex(({ id }) => id === after.id) + 1).slice(0, limit),
    },
  ];
}

function withoutExcluded(mirror: Mirror, { excluded }: Query, matches: Match[]): Match[] {
  const match = matchExpression({ terms: excluded, excluded: [] }, 'OR');
  if (match === null || matches.length === 0) return matches;
  const unwanted = idsAmong(mirror, match, matches);
  return matches.filter(({ id }) => !unwanted.has(id));
}
