import type { KindName } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';

/** A completion with its meaning. */
export type Completion = { word: string; meaning: string };

const most = 1000;

/** Keys of a kind with a prefix and their names, sorted, at most 1000. */
export function keysBeginning(mirror: Mirror, kind: KindName, prefix: string): Completion[] {
  return mirror
    .sql<Completion>(
      `SELECT key AS word, coalesce(json_extract(document, '$.full_name'), json_extract(document, '$.name'),
         json_extract(document, '$.title'), '') AS meaning
       FROM (SELECT key, coalesce(row, detail) AS document FROM record
         WHERE kind = ? AND key >= ? AND key < ? AND withdrawn IS NULL ORDER BY key LIMIT ${most})`,
    )
    .all(kind, prefix, `${prefix}\u{10ffff}`);
}

/** Distinct short names of parties and groups with a prefix in any case. */
export function shortNamesBeginning(mirror: Mirror, prefix: string): Completion[] {
  return mirror
    .sql<Completion>(
      `SELECT short AS word, min(name) AS meaning
       FROM (SELECT json_extract(document, '$.short_name') AS short, json_extract(document, '$.name') AS name
         FROM (SELECT coalesce(row, detail) AS document FROM record WHERE kind = 'party' AND withdrawn IS NULL))
       WHERE short LIKE ? ESCAPE '\\' GROUP BY short ORDER BY short`,
    )
    .all(`${prefix.replace(/[\\%_]/g, '\\$&')}%`);
}
