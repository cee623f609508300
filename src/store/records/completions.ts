import type { KindName } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';

/** A word that may be typed, and whom or what it means. */
export type Completion = { word: string; meaning: string };

const most = 1000;

/** Keys of a kind that begin with a prefix, with their names; at most 1000, in the order of keys. */
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

/** Short names of parties and groups that begin with a prefix in any case, each once. */
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
