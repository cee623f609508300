import { statSync } from 'node:fs';
import { anonymousKey } from '../../model/identity-guard.ts';
import { type Kind, type KindName, kindOf, kinds } from '../../model/kinds.ts';
import { kindState } from '../kind-state.ts';
import { type Mirror, readMeta } from '../mirror.ts';
import { countRows } from '../rows.ts';
import { countMissing } from '../saving/missing-records.ts';
import { subjectsPath } from '../subjects.ts';
import { completenessOf } from '../syncs/completeness.ts';
import { countComposed } from '../syncs/composition.ts';

/** Counts and times of one kind in the mirror; times ISO 8601. */
export type KindContents = ReturnType<typeof contentsOf>;

/** Counts and times per kind, in the order of the contract; counted once per commit. */
export function readContents(mirror: Mirror): KindContents[] {
  return mirror.readOnce('contents', () => [...kinds].reverse().map((kind) => contentsOf(mirror, kind)));
}

function contentsOf(mirror: Mirror, kind: Kind) {
  const { name } = kind;
  // The unary plus avoids the index over all records: withdrawn and detailed ones are fewer.
  const sql = `SELECT (SELECT count(*) FROM record WHERE withdrawn IS NOT NULL AND +kind = ?) AS withdrawn,
    (SELECT count(*) FROM record WHERE detail_since IS NOT NULL AND withdrawn IS NULL AND +kind = ?) AS details`;
  const counts = mirror.sql<{ withdrawn: number; details: number }>(sql).get(name, name)!;
  const state = kindState(mirror, kind);
  return {
    kind: name as string,
    records: countRows(mirror, kind),
    /** Withdrawn records, and those with a fetched full document (politicians and parties). */
    ...counts,
    /** Records missing from the last enumeration but not withdrawn, and since when. */
    ...countMissing(mirror, kind),
    /** Records whose full document is composed from the datasets, since a sample equalled the service's. */
    composed: countComposed(mirror, name),
    origin: state.origin,
    retrieved_at: state.retrievedAt,
    enumerated_at: state.enumeratedAt,
    /** Null if the mirror has no record. */
    completeness: completenessOf(mirror, kind),
  };
}

/** When the mirror was last filled from anywhere, ISO 8601, or null. */
export const lastFilledAt = (mirror: Mirror): string | null => readMeta(mirror, 'synced_at');

/** True if nothing was ever stored: no record, no complete sync, and no withheld record. */
export function isUnfilled(mirror: Mirror): boolean {
  const anyRecord = mirror.column('SELECT 1 FROM record UNION ALL SELECT 1 FROM withheld_record LIMIT 1').get();
  return anyRecord === undefined && lastFilledAt(mirror) === null;
}

/** Kinds of which the mirror has never stored a record. */
export function findMissingKinds(mirror: Mirror, requestedKinds: readonly KindName[]): Kind[] {
  return requestedKinds.map(kindOf).filter((kind) => completenessOf(mirror, kind) === null);
}

/** A period of a log that no poll covered: entries between two keys may be missing. */
export type LogGap = {
  kind: string;
  after_key: string | null;
  before_key: string | null;
  noticed_at: string;
};

/** Gaps of the moderation log, oldest first. */
export function listGaps(mirror: Mirror): LogGap[] {
  return mirror.sql<LogGap>('SELECT kind, after_key, before_key, noticed_at FROM gap ORDER BY noticed_at, rowid').all();
}

/** Saves that entries of a log may be missing. */
export function saveGap(mirror: Mirror, { after_key, before_key, ...gap }: LogGap): void {
  const sql =
    'INSERT INTO gap (kind, after_key, before_key, noticed_at) VALUES ($kind, $after_key, $before_key, $noticed_at)';
  mirror.sql(sql).run({ ...gap, after_key: anonymousKey(after_key), before_key: anonymousKey(before_key) });
}

/** Identifies the mirror's present state, also when the past is read. */
export type Edition = {
  file: string;
  /** Grows with every change of a record. */
  version: number;
  /** Unique id, with the time of the user's subjects; null from an older program, which `firstSeen` identifies. */
  state: string | null;
  firstSeen: string | null;
  /** When its records last changed. */
  changedAt: string | null;
  /** When it was last filled, or a sync last ended. */
  syncedAt: string | null;
};

const editionSql = `SELECT (SELECT value FROM main.meta WHERE key = 'version') AS version,
  (SELECT group_concat(value, ' ') FROM
    (SELECT value FROM main.meta WHERE key IN ('state', 'embedded_as') ORDER BY key DESC)) AS state,
  (SELECT first_seen FROM main.record ORDER BY id LIMIT 1) AS firstSeen,
  coalesce((SELECT value FROM main.meta WHERE key = 'changed_at'),
    (SELECT started_at FROM main.run ORDER BY id DESC LIMIT 1)) AS changedAt,
  (SELECT max(moment) FROM (SELECT value AS moment FROM main.meta WHERE key = 'synced_at'
    UNION ALL SELECT * FROM (SELECT ended_at FROM main.run WHERE ended_at IS NOT NULL ORDER BY id DESC LIMIT 1))) AS syncedAt`;

/** The mirror's edition. */
export function readEdition(mirror: Mirror): Edition {
  const edition = mirror.readOnce('edition', () => {
    const edition = mirror.sql<Omit<Edition, 'file'>>(editionSql).get()!;
    return { ...edition, file: mirror.file, version: Number(edition.version ?? 0) };
  });
  const subjectsFile = statSync(subjectsPath(mirror.path), { throwIfNoEntry: false });
  if (!subjectsFile) return edition;
  const changedAt = [edition.changedAt ?? '', subjectsFile.mtime.toISOString()].sort().at(-1)!;
  return { ...edition, changedAt, state: `${edition.state ?? edition.firstSeen} ${subjectsFile.mtimeMs}` };
}
