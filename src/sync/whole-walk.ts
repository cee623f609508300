import { keyOf } from '../model/facets.ts';
import type { Kind } from '../model/kinds.ts';
import type { ServicePage } from '../service/pages.ts';

/** What a walk down a list looked like so far, for telling at its end whether it can have missed something. */
export type WalkShape = {
  first: ServicePage;
  pages: number;
  /** Items of its longest page, of the shortest that another one followed, and of the one that came last. */
  longest: number;
  shortest: number;
  lastLength: number;
  /** True where a page was empty, or brought nothing but what the walk had met. */
  hasBlank: boolean;
  /** Some of its pages, spread over it, which are looked at once more where nothing else tells what moved. */
  marks: { nth: number; cursor: string; keys: string[] }[];
  /** How far apart they are. */
  stride: number;
};

/** So many pages are looked at once more at most, and half as many at least where there are. */
const mostMarks = 12;

/** The shape of a walk that begins with that page; no page has been walked yet. */
export function shapeOf(first: ServicePage): WalkShape {
  const none = { longest: 0, shortest: Number.POSITIVE_INFINITY, lastLength: 0 };
  return { first, pages: 0, ...none, hasBlank: false, marks: [], stride: 1 };
}

/** Adds a page to the shape of its walk; `cursor` is what it was asked for with, `hasNews` whether the walk met anything in it. */
export function addPage(
  shape: WalkShape,
  { items, followsEmptyPage: isBehindBlank }: ServicePage,
  { kind, cursor, hasNews }: { kind: Kind; cursor: string | null; hasNews: boolean },
): void {
  if (shape.pages > 0) shape.shortest = Math.min(shape.shortest, shape.lastLength);
  shape.pages += 1;
  shape.longest = Math.max(shape.longest, items.length);
  shape.lastLength = items.length;
  shape.hasBlank ||= isBehindBlank || (items.length > 0 && !hasNews);
  if (cursor === null || shape.pages % shape.stride > 0) return;
  shape.marks.push({ nth: shape.pages, cursor, keys: keysOf(kind, items) });
  if (shape.marks.length <= mostMarks) return;
  shape.stride *= 2;
  shape.marks = shape.marks.filter(({ nth }) => nth % shape.stride === 0);
}

const keysOf = (kind: Kind, items: ServicePage['items']) => items.map((item) => keyOf(kind, item));

/**
 * True if the pages of a walk that reached the end look as if something were missing between them: one of them was empty
 * or shorter than others, or the last is full. Some services always answer so; who asks twice will know.
 */
export function isOdd({ pages, longest, shortest, lastLength, hasBlank }: WalkShape): boolean {
  return hasBlank || shortest < longest || (pages > 1 && lastLength === longest);
}

/** A walk at its end: its shape, what the head of the list says now, and what the walk before it was like. */
export type EndedWalk = {
  shape: WalkShape;
  /** The first page asked for again; the same page where it was not, or has not changed. */
  head: ServicePage;
  /** How many records the service counts, less those that were met; null where it counts nothing. */
  missing: number | null;
  before: { missing: number | null; isOdd: boolean };
  /** The marked pages as they are now; none where they were not asked for. */
  again: ServicePage[];
};

/** Why a walk that reached its end may have missed records, or null where nothing says so. */
export function doubtOf(kind: Kind, { shape, head, missing, before, again }: EndedWalk): string | null {
  const grown = grownBy(keysOf(kind, shape.first.items), keysOf(kind, head.items));
  if (grown === null) return 'its head moved while it was walked';
  if (again.some(({ items }, index) => grownBy(shape.marks[index]!.keys, keysOf(kind, items)) === null))
    return 'its pages moved while it was walked';
  const { first } = shape;
  if (first.total !== null && head.total !== null && head.total !== first.total + grown)
    return `the service counted ${first.total} records at first, and ${head.total} at the end`;
  // A count may be of more than the list shows: then it is by as much every time.
  if (missing !== null && missing !== 0 && missing !== before.missing)
    return `the service counts ${head.total} records, by ${missing} more than were met`;
  // Where the service counts just what was met, nothing is missing, whatever the pages look like.
  if (isOdd(shape) && missing !== 0 && !before.isOdd)
    return 'one of its pages was shorter than the others, or the last was full';
  return null;
}

/**
 * By how many new records the head of a list grew, or by how many a page was moved down by them: what is put on top moves
 * all others down, where the walk comes by. Null if anything else happened to it: what leaves moves others up, past the
 * walk.
 */
function grownBy(before: string[], now: string[]): number | null {
  const at = before.length === 0 ? now.length : now.indexOf(before[0]!);
  const rest = now.slice(at);
  const isSame = at >= 0 && rest.every((key, index) => key === before[index]);
  return isSame && (rest.length === before.length || now.length >= before.length) ? at : null;
}
