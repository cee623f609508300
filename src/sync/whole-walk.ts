import { keyOf } from '../model/facets.ts';
import type { Kind } from '../model/kinds.ts';
import type { ServicePage } from '../service/pages.ts';

/** Statistics of the pages of a walk, from which `whyIncomplete` judges whether records may be missing. */
export type WalkStatistics = ReturnType<typeof createWalkStatistics>;

/** Maximum number of sampled pages; a longer walk keeps between half and all of it. */
const maxSampledPages = 12;

/** Returns the statistics of a walk that begins with that page. */
export function createWalkStatistics(firstPage: ServicePage) {
  return {
    first: firstPage,
    pages: 0,
    /** Lengths of the longest page, of the shortest page but the last, and of the last. */
    longest: 0,
    shortest: Number.POSITIVE_INFINITY,
    lastLength: 0,
    /** True if a page was empty or had no new items. */
    hasBlank: false,
    /** Evenly spaced pages, to read again after a first walk without totals. */
    sampledPages: [] as { nth: number; cursor: string; items: ServicePage['items'] }[],
    /** Distance between sampled pages, in pages. */
    stride: 1,
  };
}

/** Adds a page to the statistics; `cursor` is that of the page, `hasNews` is true if it had items not seen before. */
export function addPage(
  statistics: WalkStatistics,
  { items, followsEmptyPage }: ServicePage,
  { cursor, hasNews }: { cursor: string | null; hasNews: boolean },
): void {
  if (statistics.pages > 0) statistics.shortest = Math.min(statistics.shortest, statistics.lastLength);
  statistics.pages += 1;
  statistics.longest = Math.max(statistics.longest, items.length);
  statistics.lastLength = items.length;
  statistics.hasBlank ||= followsEmptyPage || (items.length > 0 && !hasNews);
  if (cursor === null || statistics.pages % statistics.stride > 0) return;
  statistics.sampledPages.push({ nth: statistics.pages, cursor, items });
  if (statistics.sampledPages.length <= maxSampledPages) return;
  statistics.stride *= 2;
  statistics.sampledPages = statistics.sampledPages.filter(({ nth }) => nth % statistics.stride === 0);
}

const keysOf = (kind: Kind, items: ServicePage['items']) => items.map((item) => keyOf(kind, item));

/** Returns the order of 3/4 of the pairs of sampled dates (Kendall's tau 1/2) or `none`; `descending` without pairs. */
export function detectOrder({ first, sampledPages }: WalkStatistics): 'descending' | 'ascending' | 'none' {
  const items = [first, ...sampledPages].flatMap((page) => page.items);
  const dates = items.flatMap(({ date }) => (typeof date === 'string' ? date : []));
  const pairs = dates.flatMap((one, at) => dates.slice(at + 1).flatMap((other) => (one === other ? [] : one < other)));
  const risingCount = pairs.filter((isRising) => isRising).length;
  if (risingCount <= pairs.length / 4) return 'descending';
  return risingCount >= (pairs.length * 3) / 4 ? 'ascending' : 'none';
}

/** True if a page was empty or shorter than others, or the last is full, so that records may be missing. */
export function hasIrregularPages(statistics: WalkStatistics): boolean {
  return hasGap(statistics) || (statistics.pages > 1 && statistics.lastLength === statistics.longest);
}

const hasGap = ({ longest, shortest, hasBlank }: WalkStatistics) => hasBlank || shortest < longest;

/** A finished walk: its statistics, page 1 as it is now (`head`), and the result of the previous walk. */
export type FinishedWalk = {
  statistics: WalkStatistics;
  /** True if the next sync requests the end once more: then a full last page is not irregular. */
  isEndRechecked?: boolean | undefined;
  head: ServicePage;
  /** The service's total minus the records seen; null without a total. */
  missing: number | null;
  previousWalk: { missing: number | null; hadIrregularPages: boolean };
  /** The sampled pages as they are now; empty if they were not read again. */
  rereadPages: ServicePage[];
};

/** Returns why a finished walk may have missed records, or null. */
export function whyIncomplete(kind: Kind, walk: FinishedWalk): string | null {
  const { statistics, isEndRechecked = false, head, missing, previousWalk, rereadPages } = walk;
  const insertedCount = countInsertedAbove(keysOf(kind, statistics.first.items), keysOf(kind, head.items));
  if (insertedCount === null) return 'its head moved while it was walked';
  const sampledKeys = statistics.sampledPages.map(({ items }) => keysOf(kind, items));
  if (rereadPages.some(({ items }, at) => countInsertedAbove(sampledKeys[at]!, keysOf(kind, items)) === null))
    return 'its pages moved while it was walked';
  const { first } = statistics;
  // New records of an ascending list are at its end, so its head does not show how many were inserted.
  const isCounted = detectOrder(statistics) !== 'ascending' && first.total !== null && head.total !== null;
  if (isCounted && head.total !== first.total! + insertedCount)
    return `the service counted ${first.total} records at first, and ${head.total} at the end`;
  // A total may count hidden records: then the difference is constant.
  if (missing !== null && missing !== 0 && missing !== previousWalk.missing)
    return `the service counts ${head.total} records, ${missing} more than were seen`;
  // Irregular pages do not matter if the total matches, or if the previous walk had them too, as with some services.
  const isIrregular = isEndRechecked ? hasGap(statistics) : hasIrregularPages(statistics);
  if (isIrregular && missing !== 0 && !previousWalk.hadIrregularPages)
    return 'one of its pages was shorter than the others, or the last was full';
  return null;
}

/** Returns how many keys were inserted above those of an earlier page; null after removals, which shift records. */
function countInsertedAbove(earlierKeys: string[], keys: string[]): number | null {
  const at = earlierKeys.length === 0 ? keys.length : keys.indexOf(earlierKeys[0]!);
  const isContinuation = at >= 0 && keys.slice(at).every((key, index) => key === earlierKeys[index]);
  return isContinuation && keys.length >= earlierKeys.length ? at : null;
}
