import { UsageError } from '../errors.ts';
import type { Page } from '../store/page.ts';
import { badParameters } from './problem.ts';

/** The body of a list. Items are text already; the only thing that a store refuses in a list is its cursor. */
export function pageText(read: () => Page): string {
  try {
    const { items, total, nextCursor } = read();
    return `{"items":[${items.join(',')}],"total":${total},"next_cursor":${JSON.stringify(nextCursor)}}`;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw badParameters([{ parameter: 'cursor', message: 'is not a cursor of this list' }]);
  }
}
