import { keyOf } from '../model/facets.ts';
import type { Kind } from '../model/kinds.ts';
import type { ServicePage } from '../service/pages.ts';

/** Page statistics of a walk, to judge at its end whether it may have missed records. */
export type WalkShape = ReturnType<typeof createWalkShape>;

/** Limit of marks; at least half as many are kept. */
const maxMarks = 12;

/** Returns the statistics of a walk that begins with that page. */
export function createWalkShape(first: ServicePage) {
  return {
    first,
    pages: 0,
    /** Lengths of the longest page, of the shortest page but the last, and of the last. */
    ...{ longest: 0, shortest: Number.POSITIVE_INFINITY, lastLength: 0 },
    /** True if a page was empty or had no new items. */
    hasBlank: false,
    /** Sampled pages, which are read again if nothing else reveals changes. */
    marks: [] as { nth: number; cursor: string; items: ServicePage['items'] }[],
    /** Distance between marks, in pages. */
    stride: 1,
  };
}

/** Adds a page to the statistics; `cursor` is its own, `hasNews` is true if it had new items. */
export function addPage(
  shape: WalkShape,
  { items, followsEmptyPage }: ServicePage,
  { cursor, hasNews }: { cursor: string | null; hasNews: boolean },
): void {
  if (shape.pages > 0) shape.shortest = Math.min(shape.shortest, shape.lastLength);
  shape.pages += 1;
  shape.longest = Math.max(shape.longest, items.length);
  shape.lastLength = items.length;
  shape.hasBlank ||= followsEmptyPage || (items.length > 0 && !hasNews);
  if (cursor === null || shape.pages % shape.stride > 0) return;
  shape.marks.push({ nth: shape.pages, cursor, items });
  if (shape.marks.length <= maxMarks) return;
  shape.stride *= 2;
  shape.marks = shape.marks.filter(({ nth }) => nth % shape.stride === 0);
}

const keysOf = (kind: Kind, items: ServicePage['items']) => items.map((item) => keyOf(kind, item));

/** Returns the order in which three quarters of the pairs of sampled dates stand (Kendall's tau of one half). */
export function orderOf({ first, marks }: WalkShape): 'descending' | 'ascending' | 'none' {
  const items = [first, ...marks].flatMap((page) => page.items);
  const dates = items.flatMap(({ date }) => (typeof date === 'string' ? date : []));
  const pairs = dates.flatMap((one, at) => dates.slice(at + 1).flatMap((other) => (one === other ? [] : one < other)));
  const rising = pairs.filter((isRising) => isRising).length;
  if (rising <= pairs.length / 4) return 'descending';
  return rising >= (pairs.length * 3) / 4 ? 'ascending' : 'none';
}

/** True if records may be missing: a page was empty or shorter than others, or the last is full. */
export function hasIrregularPages(shape: WalkShape): boolean {
  return hasGap(shape) || (shape.pages > 1 && shape.lastLength === shape.longest);
}

const hasGap = ({ longest, shortest, hasBlank }: WalkShape) => hasBlank || shortest < longest;

/** A finished walk: its statistics, the current head of the list, and the result of the walk before. */
export type EndedWalk = {
  shape: WalkShape;
  /** True if the next sync requests the end once more: then a full last page is no doubt. */
  isEndRechecked?: boolean | undefined;
  head: ServicePage;
  /** The service's total minus the records seen; null without a total. */
  missing: number | null;
  previousWalk: { missing: number | null; isOdd: boolean };
  /** The marked pages as they are now; empty if they were not read again. */
  rereadPages: ServicePage[];
};

/** Returns why a finished walk may have missed records, or null. */
export function whyIncomplete(kind: Kind, ended: EndedWalk): string | null {
  const { shape, isEndRechecked = false, head, missing, previousWalk, rereadPages: again } = ended;
  const insertedCount = grownBy(keysOf(kind, shape.first.items), keysOf(kind, head.items));
  if (insertedCount === null) return 'its head moved while it was walked';
  if (again.some(({ items }, index) => grownBy(keysOf(kind, shape.marks[index]!.items), keysOf(kind, items)) === null))
    return 'its pages moved while it was walked';
  const { first } = shape;
  const isCounted = orderOf(shape) !== 'ascending' && first.total !== null && head.total !== null;
  if (isCounted && head.total !== first.total! + insertedCount)
    return `the service counted ${first.total} records at first, and ${head.total} at the end`;
  // A total may count hidden records: then the difference is constant.
  if (missing !== null && missing !== 0 && missing !== previousWalk.missing)
    return `the service counts ${head.total} records, ${missing} more than were seen`;
  // If the total matches, irregular pages do not matter.
  const isIrregular = isEndRechecked ? hasGap(shape) : hasIrregularPages(shape);
  if (isIrregular && missing !== 0 && !previousWalk.isOdd)
    return 'one of its pages was shorter than the others, or the last was full';
  return null;
}

/** Returns the number of records inserted above a page; null after removals, which move records past the walk. */
function grownBy(before: string[], now: string[]): number | null {
  const at = before.length === 0 ? now.length : now.indexOf(before[0]!);
  const remainingKeys = now.slice(at);
  const isSame = at >= 0 && remainingKeys.every((key, index) => key === before[index]);
  return isSame && now.length >= before.length ? at : null;
}
