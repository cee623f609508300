import type { Kind } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { hasRecord } from '../record.ts';

/** A foreign key: columns that reference the key columns of another table. */
export type TableReference = {
  columns: string[];
  table: string;
  keys: string[];
  /** True if every row references an existing record; if absent, always true. */
  isSatisfied?: () => boolean;
};

const facetColumns = { politician: 'politician', party: 'party', group: 'group_slug' } as const;

/** True if every slug in a field of a kind is the key of a current record of the target kind. */
export function referencesStoredRecords(
  mirror: Mirror,
  kind: Kind,
  { field, target }: { field: keyof typeof facetColumns; target: Kind },
): boolean {
  return mirror.sql(orphanSql(facetColumns[field])).get(target.name, kind.name) === undefined;
}

/** Selects 1 if records of a kind reference a missing key of the target; walks the index once over distinct keys. */
export const orphanSql = (facet: string) =>
  `SELECT 1 FROM (SELECT DISTINCT ${facet} AS slug FROM record WHERE ${facet} IS NOT NULL)
   WHERE NOT EXISTS (SELECT 1 FROM record WHERE kind = ? AND key = slug AND withdrawn IS NULL)
   AND EXISTS (SELECT 1 FROM record WHERE ${facet} = slug AND kind = ? AND withdrawn IS NULL) LIMIT 1`;

/** True if every key is null or that of a current record; false for a content hash, which is a key in no column. */
export function areStoredKeys(mirror: Mirror, { name }: Kind, keys: Set<string | null>): boolean {
  return keys.values().every((key) => key === null || (!key.startsWith('sha256:') && hasRecord(mirror, name, key)));
}
