import { type Kind, kinds } from '../../model/kinds.ts';
import { type Completeness, kindState } from '../kind-state.ts';
import { readMeta } from '../meta.ts';
import type { Mirror } from '../mirror.ts';
import { countRows } from '../rows.ts';
import { countUnseen } from '../saving/unseen.ts';
import { completenessOf } from '../syncs/completeness.ts';
import { countComposed } from '../syncs/composition.ts';

/** What the mirror holds of one kind; times ISO 8601. */
export type KindContents = {
  kind: string;
  records: number;
  withdrawn: number;
  /** Records that the last enumeration did not list, which one alone does not withdraw, and since when. */
  unseen: number;
  unseen_since: string | null;
  /** Records whose full document was fetched (politicians and parties). */
  details: number;
  /** Records whose full document is composed of the datasets, since a sample of those of the service said the same. */
  composed: number;
  origin: string | null;
  retrieved_at: string | null;
  enumerated_at: string | null;
  /** How much of what there is; null where nothing is held. */
  completeness: Completeness | null;
};

/** Counts and times per kind, in the order of the contract. */
export function contents(mirror: Mirror): KindContents[] {
  return [...kinds].reverse().map((kind) => contentsOf(mirror, kind));
}

function contentsOf(mirror: Mirror, kind: Kind): KindContents {
  const { name } = kind;
  const counts = mirror
    .sql<{ withdrawn: number; details: number }>(
      // The unary plus avoids the index over all records: withdrawn and detailed ones are fewer.
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
    ...countUnseen(mirror, kind),
    composed: countComposed(mirror, name),
    origin: state.origin,
    retrieved_at: state.retrievedAt,
    enumerated_at: state.enumeratedAt,
    completeness: completenessOf(mirror, kind),
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
 * Which state of which mirror is being read: `version` grows with every change of a record, and `state` is a word that
 * no other state of any mirror has (null where an older program wrote it; then `firstSeen`, when the first record came,
 * tells two mirrors of one version apart). `file` is the file that was read, `filledAt` when it was last filled. Where
 * `isSettled` is false records have changed since. Of a mirror that is read as of the past it is that of now.
 */
export type Edition = {
  file: string;
  version: number;
  state: string | null;
  filledAt: string | null;
  firstSeen: string | null;
  isSettled: boolean;
};

const editionSql = `SELECT (SELECT value FROM main.meta WHERE key = 'version') AS version,
  (SELECT group_concat(value, ' ') FROM
    (SELECT value FROM main.meta WHERE key IN ('state', 'embedded_as') ORDER BY key DESC)) AS state,
  (SELECT value FROM main.meta WHERE key = 'synced_at') AS filledAt,
  (SELECT first_seen FROM main.record ORDER BY id LIMIT 1) AS firstSeen,
  (SELECT value FROM main.meta WHERE key = 'settled_version') AS settledVersion`;

type StoredEdition = Pick<Edition, 'state' | 'filledAt' | 'firstSeen'> &
  Record<'version' | 'settledVersion', string | null>;

/** The mirror's edition at this moment; of one that is only read the same object as long as nobody saves anything. */
export function readEdition(mirror: Mirror): Edition {
  return mirror.readOnce('edition', () => storedEdition(mirror));
}

function storedEdition(mirror: Mirror): Edition {
  const { version, settledVersion, ...stored } = mirror.sql<StoredEdition>(editionSql).get()!;
  const isSettled = settledVersion === null ? !hasRunSince(mirror, stored) : settledVersion === version;
  return { ...stored, file: mirror.file, version: Number(version ?? 0), isSettled };
}

/** True if a sync began after the mirror was filled: all that a mirror of an older program tells of what is unsettled. */
function hasRunSince(mirror: Mirror, { filledAt }: Pick<Edition, 'filledAt'>): boolean {
  return (
    mirror.column('SELECT 1 FROM main.run WHERE started_at > ? LIMIT 1').get(filledAt ?? '') !== undefined
  );
}
