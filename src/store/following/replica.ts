import type { KindName } from '../../model/kinds.ts';
import { type Kind, kinds } from '../../model/kinds.ts';
import { type KeptDownload, keptDownload } from '../download.ts';
import { hasDownload, journalName, lastRetrieved, positionNow, recordsBehind } from '../journal.ts';
import { type Completeness, type KindState, kindState } from '../kind-state.ts';
import { readMeta } from '../meta.ts';
import type { Mirror } from '../mirror.ts';
import { type CitedSource, citedSource } from '../records/citation.ts';
import { readEdition } from '../records/contents.ts';
import { type Retrieval, retrievalsAfter } from '../retrievals.ts';
import { type StoredUnseen, unseenRows } from '../saving/unseen.ts';
import { completenessOf } from '../syncs/completeness.ts';
import { newestMoment } from '../syncs/runs.ts';

/** One stretch of a log that no poll saw. */
export type StoredGap = {
  kind: string;
  after_key: string | null;
  before_key: string | null;
  noticed_at: string;
};

/** What a mirror says of itself to one that follows it, before its records. */
export type ReplicaHead = {
  journal: string;
  /** When it was last filled, ISO 8601. */
  synced_at: string | null;
  /** False where records changed since. */
  is_settled: boolean;
  /** The newest moment that it knows of: what is newer comes with the next. */
  newest: string | null;
  /** Who is to be cited, and the address of the service that the records came from. */
  source: CitedSource;
  /** How many records follow. */
  records: number;
  /** The kinds that are told of: where each stands, and what is known of it as a whole. */
  kinds: {
    kind: KindName;
    position: string;
    state: KindState;
    completeness: Completeness | null;
    /** When it was retrieved since the position that was named, the oldest first. */
    retrievals: Retrieval[];
  }[];
  gaps: StoredGap[];
  /** Records that were once not seen; an older program does not tell. */
  unseen?: StoredUnseen[];
};

/** A record with all that the mirror saw of it. Documents are texts: their bytes travel as they came. */
export type ReplicaRecord = {
  kind: KindName;
  key: string;
  row: string | null;
  hash: string | null;
  detail: string | null;
  detail_hash: string | null;
  first_seen: string;
  last_seen: string;
  last_changed: string;
  withdrawn: string | null;
  detail_at: string | null;
  detail_since: string | null;
  detail_stale: 0 | 1;
  versions: ReplicaVersion[];
};

export type ReplicaVersion = {
  part: 'row' | 'detail';
  json: string;
  hash: string;
  seen_from: string;
  seen_to: string;
  ended_by: 'edited' | 'withdrawn';
};

/** One line of what a follower is sent; `end` says that nothing is missing. */
export type ReplicaLine =
  | { head: ReplicaHead }
  | { record: ReplicaRecord }
  | { download: KeptDownload }
  | { part: string }
  | { end: { records: number } };

/** What a follower asks for: kinds, where it stands in each, and whether it wants all of them whatever it has. */
export type ReplicaAsked = {
  kinds: readonly Kind[];
  positions: ReadonlyMap<KindName, string>;
  isWhole: boolean;
};

const recordSql = `SELECT json_object('kind', kind, 'key', key, 'row', row, 'hash', hash, 'detail', detail,
  'detail_hash', detail_hash, 'first_seen', first_seen, 'last_seen', last_seen, 'last_changed', last_changed,
  'withdrawn', withdrawn, 'detail_at', detail_at, 'detail_since', detail_since, 'detail_stale', detail_stale,
  'versions', json(coalesce((SELECT json_group_array(json_object('part', part, 'json', json, 'hash', hash,
    'seen_from', seen_from, 'seen_to', seen_to, 'ended_by', ended_by) ORDER BY rowid)
    FROM version WHERE version.record = record.id), '[]'))) FROM record WHERE id = ?`;

/** A record of the mirror as it travels, as JSON text. */
export function replicaText(mirror: Mirror, id: number): string {
  return mirror.column<string>(recordSql).get(id)!;
}

/** All that a follower lacks of a mirror, line by line as NDJSON; read it from a snapshot. */
export function* replicaLines(mirror: Mirror, asked: ReplicaAsked): Generator<string> {
  const standsAt = (kind: Kind) => (asked.isWhole ? null : (asked.positions.get(kind.name) ?? null));
  const counted = asked.kinds.map((kind) => countOf(recordsBehind(mirror, kind, standsAt(kind))));
  const records = counted.reduce((sum, count) => sum + count, 0);
  yield line({ head: headOf(mirror, { kinds: asked.kinds, records, standsAt }) });
  for (const kind of asked.kinds) {
    for (const id of recordsBehind(mirror, kind, standsAt(kind)))
      yield `{"record":${replicaText(mirror, id)}}\n`;
    const download = keptDownload(mirror, kind);
    if (download === null || hasDownload(mirror, kind, standsAt(kind))) continue;
    yield line({ download });
    for (const part of partsOf(mirror, kind)) yield line({ part: part.toString('base64') });
  }
  yield line({ end: { records } });
}

function line(each: ReplicaLine): string {
  return `${JSON.stringify(each)}\n`;
}

function countOf(ids: Iterable<number>): number {
  let count = 0;
  for (const _ of ids) count += 1;
  return count;
}

/** The parts of a kept download as they are kept, compressed. */
function partsOf(mirror: Mirror, kind: Kind): Iterable<Buffer> {
  return mirror.database
    .prepare<unknown[], Buffer>('SELECT zstd FROM download_part WHERE kind = ? ORDER BY part')
    .pluck()
    .iterate(kind.name);
}

function headOf(
  mirror: Mirror,
  {
    kinds: told,
    records,
    standsAt,
  }: { kinds: readonly Kind[]; records: number; standsAt: (kind: Kind) => string | null },
): ReplicaHead {
  return {
    journal: journalName(mirror)!,
    synced_at: readMeta(mirror, 'synced_at'),
    is_settled: readEdition(mirror).isSettled,
    newest: newestMoment(mirror),
    source: citedSource(mirror),
    records,
    kinds: told.map((kind) => ({
      kind: kind.name,
      position: positionNow(mirror, kind),
      state: toldState(kindState(mirror, kind)),
      completeness: completenessOf(mirror, kind),
      retrievals: retrievalsAfter(mirror, kind, lastRetrieved(standsAt(kind))),
    })),
    gaps: mirror
      .sql<StoredGap>('SELECT kind, after_key, before_key, noticed_at FROM gap ORDER BY rowid')
      .all()
      .filter(({ kind }) => told.some(({ name }) => name === kind)),
    unseen: unseenRows(mirror, told),
  };
}

/** Where files lie on this machine is nobody else's business. */
function toldState(state: KindState): KindState {
  return /^https?:/.test(state.origin ?? '') ? state : { ...state, origin: null };
}

/** The kinds in the order in which they travel: whom a record names comes before it. */
export const replicaKinds: readonly Kind[] = [...kinds].reverse();
