import { AmbiguousNameError, NotFoundError } from '../errors.ts';
import { nearMisses } from '../language/near-miss.ts';
import { resolveName } from '../language/resolve-name.ts';
import type { Mirror } from './mirror.ts';

export type Named = { key: string; name: string };

/** The slug that a slug or a human name means; throws NotFoundError with near misses, or AmbiguousNameError. */
export function findSlug(mirror: Mirror, kind: 'politician' | 'party', input: string): string {
  const exact = mirror
    .sql('SELECT key FROM record WHERE kind = ? AND key = ? AND withdrawn IS NULL')
    .pluck()
    .get(kind, input);
  if (typeof exact === 'string') return exact;
  const found = resolveName(input, namesOf(mirror, kind));
  if (found.match === 'one') return found.key;
  if (found.match === 'several') throw new AmbiguousNameError(input, found.candidates);
  throw new NotFoundError(
    `no ${kind} is called "${input}" in the mirror`,
    found.suggestions,
    `look for one with \`hemicycle search\` or list them with \`hemicycle ${kind === 'party' ? 'parties' : 'politicians -q WORD'}\``,
  );
}

/** True for text in the form of a slug: lower case words with hyphens between. */
export function isSlug(text: string): boolean {
  return /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text);
}

/** The slug that a filter means: a slug that any record names, or a human name as in findSlug. */
export function findFilterSlug(mirror: Mirror, kind: 'politician' | 'party', input: string): string {
  const named = mirror.sql(`SELECT 1 FROM record WHERE ${kind} = ? LIMIT 1`).get(input);
  const asGroup =
    kind === 'party' && mirror.sql('SELECT 1 FROM record WHERE group_slug = ? LIMIT 1').get(input);
  return named || asGroup ? input : findSlug(mirror, kind, input);
}

/** Politicians whose names are one or two slips away from the query, best first. */
export function similarNames(mirror: Mirror, query: string, limit: number): Named[] {
  return nearMisses(query, namesOf(mirror, 'politician'), limit);
}

/** Ballots of the chamber whose ids begin or end like the one that was not found. */
export function similarBallots(mirror: Mirror, chamber: string, scrutinId: string): Named[] {
  const stem = scrutinId.replace(/\d+$/, '');
  const prefix = `${chamber}:${stem === '' ? scrutinId : stem}`;
  return mirror
    .sql(
      `SELECT key, coalesce(date, '') AS name FROM record
       WHERE kind = 'ballot' AND key >= ? AND key < ? AND withdrawn IS NULL ORDER BY abs(length(key) - length(?)), key LIMIT 3`,
    )
    .all(prefix, `${prefix}\u{10ffff}`, `${chamber}:${scrutinId}`) as Named[];
}

function namesOf(mirror: Mirror, kind: 'politician' | 'party'): Named[] {
  return mirror
    .sql(
      'SELECT key, name FROM record WHERE kind = ? AND withdrawn IS NULL AND name IS NOT NULL ORDER BY sort_name, id',
    )
    .all(kind) as Named[];
}
