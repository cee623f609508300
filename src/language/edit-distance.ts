/**
 * Returns how many letters to add, drop, change or swap with their neighbour make one word of the other (optimal
 * string alignment), in UTF-16 units; `max + 1` as soon as it must be more than `max`.
 */
export function editDistance(a: string, b: string, max: number): number {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  let leastOfLast = 0;
  for (let row = 1; row <= a.length; row += 1) {
    const current = nextRow({ a, b, row, max, last, beforeLast });
    const least = Math.min(...current);
    // A swap steps over one row, so both must be beyond help.
    if (least > max && leastOfLast > max) return max + 1;
    [beforeLast, last, leastOfLast] = [last, current, least];
  }
  return Math.min(last[b.length] ?? 0, max + 1);
}

type Step = { a: string; b: string; row: number; max: number; last: number[]; beforeLast: number[] };

/** One row of the table, filled only where the lengths differ by `max` at most. */
function nextRow({ a, b, row, max, last, beforeLast }: Step): number[] {
  const current = new Array<number>(b.length + 1).fill(max + 1);
  if (row <= max) current[0] = row;
  const end = Math.min(b.length, row + max);
  for (let at = Math.max(1, row - max); at <= end; at += 1) {
    const replaced = value(last, at - 1) + Number(a[row - 1] !== b[at - 1]);
    const swapped = isSwap(a, b, row, at) ? value(beforeLast, at - 2) + 1 : Infinity;
    current[at] = Math.min(replaced, swapped, value(last, at) + 1, value(current, at - 1) + 1);
  }
  return current;
}

function isSwap(a: string, b: string, row: number, at: number): boolean {
  return row > 1 && at > 1 && a[row - 1] === b[at - 2] && a[row - 2] === b[at - 1];
}

function value(row: number[], at: number): number {
  return row[at] ?? Infinity;
}
