import { kindOf, recordRange } from '../../model/kinds.ts';
import { badCursorError, decodeCursor, encodeCursor, type Sql } from '../page.ts';

export const ballotSorts = ['date', 'oldest', 'margin'] as const;
export type BallotSort = (typeof ballotSorts)[number];

/** Keyset position of a ballot in a list: its record id, day (`YYYY-MM-DD` or empty), and margin. */
export type BallotPosition = { id: number; day: string; margin: number | null };

const afterNewestFirst = ({ day, id }: BallotPosition): Sql => ({ sql: '(day, id) < (?, ?)', parameters: [day, id] });

/** Sort orders: ORDER BY terms, and the condition for ballots after the last one of a page. */
export const ballotOrders: Record<BallotSort, { terms: string; after(last: BallotPosition): Sql }> = {
  date: { terms: 'day DESC, id DESC', after: afterNewestFirst },
  oldest: { terms: 'day, id', after: ({ day, id }) => ({ sql: '(day, id) > (?, ?)', parameters: [day, id] }) },
  margin: {
    terms: 'margin, day DESC, id DESC',
    after(last) {
      const { sql, parameters } = afterNewestFirst(last);
      const cursorMargin = last.margin!;
      return { sql: `margin > ? OR (margin = ? AND ${sql})`, parameters: [cursorMargin, cursorMargin, ...parameters] };
    },
  },
};

const { first: firstId } = recordRange(kindOf('ballot'));

/** Cursor after a ballot: its sort value, and its id relative to the kind's first, which is stable across syncs. */
export function cursorAfter(sort: BallotSort, { id, day, margin }: BallotPosition): string {
  const value = sort === 'margin' ? String(margin) : day.replaceAll('-', '') || '0';
  return encodeCursor(`ballots ${sort}`, [value, id - firstId]);
}

/** The last ballot of a page as its cursor states it: by record id, and by day or, for the sort `margin`, by margin. */
type CursorPosition = { id: number; day: string; margin: null } | { id: number; day: null; margin: number };

/** Reads a cursor; throws a UsageError for a cursor of another list. */
export function readCursor(sort: BallotSort, cursor: string): CursorPosition {
  const [value, number] = decodeCursor(`ballots ${sort}`, cursor);
  if (!/^\d+$/.test(value)) throw badCursorError();
  const id = number + firstId;
  if (sort === 'margin') return { id, day: null, margin: Number(value) };
  const day = value.length === 8 ? value.replace(/^(\d{4})(\d\d)/, '$1-$2-') : ''; // `0` is no day
  return { id, day, margin: null };
}
