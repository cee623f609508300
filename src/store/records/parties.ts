import type { GroupFacts } from '../../model/seats.ts';
import type { Mirror } from '../mirror.ts';
import type { JsonPage } from '../page.ts';

/** All parties and groups, by name. */
export function listParties(mirror: Mirror): JsonPage {
  const items = mirror
    .column<string>(
      `SELECT coalesce(row, detail) FROM record WHERE kind = 'party' AND withdrawn IS NULL
       ORDER BY sort_name, id`,
    )
    .all();
  return { items, total: items.length, nextCursor: null };
}

/** What every party and group that the mirror holds is called, by slug. */
export function partyNames(mirror: Mirror): Map<string, string | null> {
  const named = mirror.sql<{ key: string; name: string | null }>(
    "SELECT key, name FROM record WHERE kind = 'party' AND withdrawn IS NULL",
  );
  return new Map(named.all().map(({ key, name }) => [key, name]));
}

const document = 'coalesce(row, detail)';
const factsSql = `SELECT json_extract(${document}, '$.name') AS name,
  json_extract(${document}, '$.short_name') AS shortName, json_extract(${document}, '$.color') AS colour FROM record`;

/** Every party and group that the mirror has a record of, withdrawn ones included, by slug. */
export function allGroupFacts(mirror: Mirror): Map<string, GroupFacts> {
  const keys = mirror.column<string>("SELECT key FROM record WHERE kind = 'party'").all();
  return groupFacts(mirror, keys);
}

/** The groups of those slugs that the mirror has a record of, withdrawn ones included. */
export function groupFacts(mirror: Mirror, slugs: readonly (string | null)[]): Map<string, GroupFacts> {
  const facts = mirror.sql<GroupFacts>(`${factsSql} WHERE kind = 'party' AND key = ?`);
  const found = new Map<string, GroupFacts>();
  for (const slug of slugs) {
    const known = slug === null ? undefined : facts.get(slug);
    if (slug !== null && known) found.set(slug, known);
  }
  return found;
}
