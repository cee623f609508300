import type { Citation } from '../model/attribution.ts';
import { type Kind, kinds } from '../model/kinds.ts';
import { kindState } from './kind-state.ts';
import { readMeta } from './meta.ts';
import type { Mirror } from './mirror.ts';
import { countRows } from './rows.ts';

/** What the mirror holds of one kind; times ISO 8601. */
export type KindContents = {
  kind: string;
  records: number;
  withdrawn: number;
  /** Records whose full document was fetched (politicians and parties). */
  details: number;
  origin: string | null;
  retrieved_at: string | null;
  enumerated_at: string | null;
};

/** Counts and times per kind, in the order of the contract. */
export function contents(mirror: Mirror): KindContents[] {
  return [...kinds].reverse().map((kind) => contentsOf(mirror, kind));
}

function contentsOf(mirror: Mirror, kind: Kind): KindContents {
  const { name } = kind;
  const counts = mirror
    .sql<{ withdrawn: number; details: number }>(
      // The plus keeps the index of all records out: those that are withdrawn, or have a detail, are fewer.
      `SELECT (SELECT count(*) FROM record WHERE withdrawn IS NOT NULL AND +kind = ?) AS withdrawn,
       (SELECT count(*) FROM record
         WHERE detail_since IS NOT NULL AND withdrawn IS NULL AND +kind = ?) AS details`,
    )
    .get(name, name)!;
  const state = kindState(mirror, kind);
  return {
    kind: name,
    records: countRows(mirror, kind),
    ...counts,
    origin: state.origin,
    retrieved_at: state.retrievedAt,
    enumerated_at: state.enumeratedAt,
  };
}

/** When the mirror was last filled from anywhere, ISO 8601, or null. */
export function lastFilled(mirror: Mirror): string | null {
  return readMeta(mirror, 'synced_at');
}

/** Stretches of the moderation log that no poll saw. */
export function gaps(mirror: Mirror): { kind: string; noticed_at: string }[] {
  return mirror
    .sql<{ kind: string; noticed_at: string }>(
      'SELECT kind, after_key, before_key, noticed_at FROM gap ORDER BY noticed_at',
    )
    .all();
}

/**
 * Which state of which mirror is being read: `version` grows with every change of a record, `filledAt` is when the
 * mirror was last filled, `firstSeen` when its first record came, which tells two mirrors of one version apart. Of a
 * mirror that is read as of the past it is that of now.
 */
export type Edition = { version: number; filledAt: string | null; firstSeen: string | null };

const editionSql = `SELECT (SELECT value FROM main.meta WHERE key = 'version') AS version,
  (SELECT value FROM main.meta WHERE key = 'synced_at') AS filledAt,
  (SELECT first_seen FROM main.record ORDER BY id LIMIT 1) AS firstSeen`;

/** The mirror's edition at this moment. */
export function readEdition(mirror: Mirror): Edition {
  const stored = mirror.sql<Record<keyof Edition, string | null>>(editionSql).get()!;
  return { ...stored, version: Number(stored.version ?? 0) };
}

/** Who is to be cited for what a mirror holds: what the user stated, else what the last sync stated. */
export function citationOf(
  { citation, isCitationStated }: { citation: Citation; isCitationStated: boolean },
  mirror: Mirror | null,
): Citation {
  if (isCitationStated || !mirror) return citation;
  const name = readMeta(mirror, 'service_name');
  return name === null ? citation : { name, siteUrl: readMeta(mirror, 'site_url') };
}
