import type { Kind } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { holds } from '../record.ts';

/** Columns that name a record of another table by its key columns. */
export type Reference = {
  columns: string[];
  table: string;
  keys: string[];
  /** Tells whether every row names a record that is there; true of all where nothing is given. */
  holds?: () => boolean;
};

/** Columns of `record` with the key of another record, by field. */
const facets = { politician: 'politician', party: 'party', group: 'group_slug' } as const;

/** True if every reference in a field of a kind is a current record of the target kind. */
export function referencesStoredRecords(
  mirror: Mirror,
  kind: Kind,
  { field, target }: { field: keyof typeof facets; target: Kind },
): boolean {
  return mirror.sql(orphanSql(facets[field])).get(target.name, kind.name) === undefined;
}

/** The query for a key that records of a kind name and the target lacks: each key once, along its index, of all kinds. */
export const orphanSql = (facet: string) =>
  `SELECT 1 FROM (SELECT DISTINCT ${facet} AS slug FROM record WHERE ${facet} IS NOT NULL)
   WHERE NOT EXISTS (SELECT 1 FROM record WHERE kind = ? AND key = slug AND withdrawn IS NULL)
   AND EXISTS (SELECT 1 FROM record WHERE ${facet} = slug AND kind = ? AND withdrawn IS NULL) LIMIT 1`;

/** True if every key is null or that of a current record. */
export function areStoredKeys(mirror: Mirror, { name }: Kind, keys: Set<string | null>): boolean {
  return keys.values().every((key) => key === null || holds(mirror, name as Parameters<typeof holds>[1], key));
}
