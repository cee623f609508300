import type { DeclaredCitation } from '../../model/attribution.ts';
import { type Kind, type KindName, kinds } from '../../model/kinds.ts';
import { countRecordsSince, currentPosition, journalName, lastRetrievalAt, recordIdsSince } from '../journal.ts';
import { type Completeness, type KindState, kindState, type Retrieval, retrievalsAfter } from '../kind-state.ts';
import { type Mirror, readMeta } from '../mirror.ts';
import type { FormerVersion } from '../record.ts';
import { type CitedSource, type LogGap, listGaps, readCitedSource } from '../records/contents.ts';
import { type Rename, readRenames } from '../renames.ts';
import { listMissing, type MissingRecord } from '../saving/missing-records.ts';
import { completenessOf } from '../syncs/completeness.ts';
import { type EndedSync, endedSyncs, newestTime } from '../syncs/runs.ts';
import { type Tombstone, tombstones } from '../tombstones.ts';

/** State of a mirror, which it sends to a follower before its records. */
export type ReplicaHead = {
  journal: string;
  /** Time of the last fill, ISO 8601. */
  synced_at: string | null;
  /** Time of the newest change or sync in the mirror, ISO 8601. */
  newest: string | null;
  source: CitedSource;
  records: number; // how many follow
  kinds: {
    kind: KindName;
    position: string; // `currentPosition` of the sender, for the follower's next request
    state: KindState;
    completeness: Completeness | null;
    /** Retrievals since the follower's position, oldest first. */
    retrievals: Retrieval[];
  }[];
  gaps: LogGap[];
  /** Records missing from the last enumeration; older programs do not send it. */
  unseen?: MissingRecord[];
  /** Tombstones and decided renames of the mirror; older programs do not send them. */
  tombstones?: Tombstone[];
  renames?: Rename[];
  /** Ended syncs, at least those since the follower's position; older programs do not send them. */
  syncs?: EndedSync[];
};

/** A row of `record` with its versions. Documents are JSON texts, so that their bytes stay unchanged. */
export type ReplicaRecord = Record<'key' | 'first_seen' | 'last_seen' | 'last_changed', string> &
  Record<'row' | 'hash' | 'detail' | 'detail_hash' | 'withdrawn' | 'detail_at' | 'detail_since', string | null> & {
    kind: KindName;
    detail_stale: 0 | 1;
    versions: FormerVersion[];
  };

/** One line of a replica: the head, then its records, then the end, which proves that it is complete. */
export type ReplicaLine = { head: ReplicaHead } | { record: ReplicaRecord } | { end: { records: number } };

/** A follower's request: kinds, and its position in each; all records if `isWhole` or without a position. */
export type ReplicaRequest = { kinds: readonly Kind[]; positions: ReadonlyMap<KindName, string>; isWhole: boolean };

const recordSql = `SELECT json_object('kind', kind, 'key', key, 'row', row, 'hash', hash, 'detail', detail,
  'detail_hash', detail_hash, 'first_seen', first_seen, 'last_seen', last_seen, 'last_changed', last_changed,
  'withdrawn', withdrawn, 'detail_at', detail_at, 'detail_since', detail_since, 'detail_stale', detail_stale,
  'versions', json(coalesce((SELECT json_group_array(json_object('part', part, 'json', json, 'hash', hash,
    'seen_from', seen_from, 'seen_to', seen_to, 'ended_by', ended_by) ORDER BY rowid)
    FROM version WHERE version.record = record.id), '[]'))) FROM record WHERE id = ?`;

/** JSON text of the ReplicaRecord of a stored record. */
export const replicaText = (mirror: Mirror, id: number): string => mirror.column<string>(recordSql).get(id)!;

/** Yields the lines of a replica (NDJSON) with the records that a follower lacks; call it on a snapshot. */
export function* replicaLines(mirror: Mirror, request: ReplicaRequest, servedCitation: DeclaredCitation | null = null) {
  const positionOfKind = (kind: Kind) => (request.isWhole ? null : (request.positions.get(kind.name) ?? null));
  const kindCounts = request.kinds.map((kind) => countRecordsSince(mirror, kind, positionOfKind(kind)));
  const records = kindCounts.reduce((sum, count) => sum + count, 0);
  const lastRetrievals = request.kinds.map((kind) => lastRetrievalAt(positionOfKind(kind)));
  const head: ReplicaHead = {
    journal: journalName(mirror)!,
    synced_at: readMeta(mirror, 'synced_at'),
    newest: newestTime(mirror),
    source: readCitedSource(mirror, servedCitation),
    records,
    kinds: request.kinds.map((kind) => ({
      kind: kind.name,
      position: currentPosition(mirror, kind),
      state: publicState(kindState(mirror, kind)),
      completeness: completenessOf(mirror, kind),
      retrievals: retrievalsAfter(mirror, kind, lastRetrievalAt(positionOfKind(kind))),
    })),
    gaps: listGaps(mirror).filter(({ kind }) => request.kinds.some(({ name }) => name === kind)),
    unseen: listMissing(mirror, request.kinds),
    tombstones: tombstones(mirror),
    renames: [...readRenames(mirror, null).byFormerId.values()],
    syncs: endedSyncs(mirror, lastRetrievals.sort().at(-1) ?? ''), // with the newest, it received all earlier ones
  };
  yield ndjsonLine({ head });
  for (const kind of request.kinds)
    for (const id of recordIdsSince(mirror, kind, positionOfKind(kind)))
      yield `{"record":${replicaText(mirror, id)}}\n`;
  yield ndjsonLine({ end: { records } });
}

const ndjsonLine = (line: ReplicaLine): string => `${JSON.stringify(line)}\n`;

/** The state of a kind without a local path. */
function publicState(state: KindState): KindState {
  return /^https?:/.test(state.origin ?? '') ? state : { ...state, origin: null };
}

/** The kinds in the order of transfer: referenced records come before those that reference them. */
export const replicaKinds: readonly Kind[] = [...kinds].reverse();
