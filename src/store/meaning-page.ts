import { copyToken } from './index-entry.ts';
import type { Mirror } from './mirror.ts';
import { kindOfRecord } from './record.ts';
import { sameText } from './search-copies.ts';
import { type Hit, readHit } from './search-page.ts';

/**
 * The first of some records by meaning as hits; of those with one text the first stands for all, with the number of the
 * others, unless all copies are wanted.
 */
export function meaningHits(
  mirror: Mirror,
  ranked: readonly { id: number; score: number }[],
  { limit, allCopies }: { limit: number; allCopies: boolean },
): { hits: Hit[]; isWhole: boolean } {
  const hits: Hit[] = [];
  const seen = new Set<string>();
  for (const { id, score } of ranked) {
    const kind = kindOfRecord(id);
    const hit = readHit(mirror, { id, relevance: -score, kind }, { matched: 'meaning' });
    const token = allCopies ? null : copyToken(kind, hit.document);
    if (token !== null && seen.has(token)) continue;
    if (hits.length === limit) return { hits, isWhole: false };
    if (token !== null) seen.add(token);
    const copies = token === null ? 0 : Math.max(0, sameText(mirror, kind, token).length - 1);
    hits.push({ ...hit, copies });
  }
  return { hits, isWhole: true };
}
