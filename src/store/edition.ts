import type { Mirror } from './open.ts';

/**
 * Which state of which mirror is being read: `version` grows with every change of a record, `filledAt` is when the
 * mirror was last filled, `firstSeen` when its first record came, which tells two mirrors of one version apart.
 */
export type Edition = { version: number; filledAt: string | null; firstSeen: string | null };

const editionSql = `SELECT (SELECT value FROM meta WHERE key = 'version') AS version,
  (SELECT value FROM meta WHERE key = 'synced_at') AS filledAt,
  (SELECT first_seen FROM record ORDER BY id LIMIT 1) AS firstSeen`;

/** The mirror's edition at this moment. */
export function readEdition(mirror: Mirror): Edition {
  const stored = mirror.sql(editionSql).get() as Record<keyof Edition, string | null>;
  return { ...stored, version: Number(stored.version ?? 0) };
}
