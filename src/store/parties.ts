import type { Mirror } from './mirror.ts';
import type { Page } from './page.ts';

/** All parties and groups, by name. */
export function listParties(mirror: Mirror): Page {
  const items = mirror
    .column<string>(
      `SELECT coalesce(row, detail) FROM record WHERE kind = 'party' AND withdrawn IS NULL
       ORDER BY sort_name, id`,
    )
    .all();
  return { items, total: items.length, nextCursor: null };
}
