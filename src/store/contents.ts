import { type Kind, kinds } from '../model/kinds.ts';
import { kindState } from './kind-state.ts';
import { readMeta } from './meta.ts';
import type { Mirror } from './open.ts';
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
    .sql(
      // The plus keeps the index of all records out: those that are withdrawn, or have a detail, are fewer.
      `SELECT (SELECT count(*) FROM record WHERE withdrawn IS NOT NULL AND +kind = ?) AS withdrawn,
       (SELECT count(*) FROM record
         WHERE detail_since IS NOT NULL AND withdrawn IS NULL AND +kind = ?) AS details`,
    )
    .get(name, name) as { withdrawn: number; details: number };
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
  return mirror.sql('SELECT kind, after_key, before_key, noticed_at FROM gap ORDER BY noticed_at').all() as {
    kind: string;
    noticed_at: string;
  }[];
}
