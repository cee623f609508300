import { createReadStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BadInputError, ServiceAnswerError } from '../errors.ts';
import { linesOf } from '../format/text-lines.ts';
import { isTextTooDeep, wellFormed } from '../model/bounds.ts';
import { parseDocument } from '../model/document.ts';
import { findKind, type KindName, kinds } from '../model/kinds.ts';
import type { Download } from '../service/client.ts';
import type { ReplicaHead, ReplicaLine, ReplicaRecord } from '../store/following/replica.ts';
import { cleanReplica, type ReplicaOutcome, saveReplica, saveReplicaHead } from '../store/following/save-replica.ts';
import { mirrorVersion, readMeta, saveMeta } from '../store/mirror.ts';
import { saveRenames } from '../store/renames.ts';
import { eraseWithheld, replaceTombstones } from '../store/saving/withhold.ts';
import { createListIndexes, dropLargeIndexesIfEmpty } from '../store/schema.ts';
import { hasOnlyRecordsOf, type ReplicationState, readReplication, saveReplication } from '../store/syncs/following.ts';
import { deleteProgress } from '../store/syncs/progress.ts';
import { lastRun, saveFollowedSyncs } from '../store/syncs/runs.ts';
import { asyncTransaction, transaction } from '../store/transaction.ts';
import { say } from '../words/speech.ts';
import { coversKind, isoTime, type PlanInput, type SyncContext, tallyOf } from './context.ts';

/** Returns the plan of a sync that follows another Hemicycle; null if the mirror does not follow one. */
export function planFollow({ mirror, origin }: PlanInput) {
  if (!mirror || !readReplication(mirror, origin)) return null;
  return { requests: 1, atLeast: false, what: 'changes in the followed mirror' };
}

/** True if the mirror follows the Hemicycle already, or has only its records, so that nothing would be overwritten. */
export function canFollow({ mirror, client }: SyncContext): boolean {
  return readReplication(mirror, client.baseUrl) !== null || hasOnlyRecordsOf(mirror, client.baseUrl);
}

/** Replicates a mirror with its history by one request, in one transaction; false, with a note, if refused. */
export async function followMirror(context: SyncContext): Promise<boolean> {
  const file = join(context.workFolder, 'mirror.part');
  using _ = { [Symbol.dispose]: () => rmSync(file, { force: true }) };
  try {
    const replication = readReplication(context.mirror, context.client.baseUrl);
    const download = await downloadReplica(context, { file, following: replication });
    if (download === null) return false;
    await applyReplica(context, { file, download, following: replication });
    // Erasing rewrites the file and changes the mirror version: it runs outside the transaction and before saving it.
    eraseWithheld(context.mirror);
    const saved = readReplication(context.mirror, context.client.baseUrl);
    if (saved) saveReplication(context.mirror, { origin: context.client.baseUrl, at: download.at }, saved);
    return true;
  } catch (error) {
    if (!(error instanceof BadInputError)) throw error;
    throw new ServiceAnswerError(context.client.address('/mirror'), error.phrase);
  }
}

/** `following`: the replication so far; null for the first. */
type FollowRequest = { file: string; following: ReplicationState | null };

/** Downloads the changes, or all records if the replica was modified; null, with a note, if the service refuses. */
async function downloadReplica(context: SyncContext, { file, following }: FollowRequest): Promise<Download | null> {
  const { mirror, client, scope, progress } = context;
  const requestsAll = scope.full || (following !== null && mirrorVersion(mirror) !== following.version);
  const positions = Object.entries(following?.positions ?? {}).filter(([kind]) => coversKind(scope, kind as KindName));
  try {
    const since = positions.map(([kind, position]) => `${kind}:${position}`).join(',') || undefined;
    const query = { kinds: scope.only?.join(','), since, whole: requestsAll ? 'true' : undefined };
    return await client.download('/mirror', query, { file, validator: null });
  } catch (error) {
    if (!(error instanceof ServiceAnswerError) || error.status === null || error.status >= 500) throw error;
    const isOtherMirror = error.status === 409;
    progress.note(
      isOtherMirror
        ? say`${client.baseUrl} now has another mirror, or an older state: it is read as an ordinary service, and the history here is kept; to follow it, sync into a new file (--db FILE)`
        : say`${client.baseUrl} cannot be followed (${error.phrase}); it is read as an ordinary service`,
    );
    if (!isOtherMirror) transaction(mirror, () => deleteProgress(mirror, client.baseUrl, 'mirror'));
    return null;
  }
}

async function applyReplica(
  context: SyncContext,
  { file, download, following }: FollowRequest & { download: Download },
): Promise<void> {
  const { mirror, client, scope } = context;
  dropLargeIndexesIfEmpty(mirror);
  await asyncTransaction(mirror, async () => {
    const { head, changedKinds } = await saveReplicaLines(context, file);
    saveReplicaHead(mirror, head, changedKinds);
    saveFollowedSyncs(mirror, client.baseUrl, head.syncs);
    // Before `saveReplication` saves the version of the mirror, which later writes would change.
    saveRenames(mirror);
    if (scope.only === null && head.synced_at) saveMeta(mirror, 'synced_at', head.synced_at);
    const source = { origin: client.baseUrl, at: download.at };
    saveReplication(mirror, source, {
      journal: head.journal,
      positions: { ...following?.positions, ...byKind(head, ({ position }) => position) },
      completeness: { ...following?.completeness, ...byKind(head, ({ completeness }) => completeness) },
      newest: head.newest,
      since: following?.newest ?? isoTime(0),
      run: lastRun(mirror)?.id ?? 0,
      filledAt: readMeta(mirror, 'synced_at'),
    });
    context.tally.followed = head;
  }).finally(() => createListIndexes(mirror));
}

function byKind<Value>({ kinds }: ReplicaHead, value: (each: ReplicaHead['kinds'][number]) => Value) {
  return Object.fromEntries(kinds.map((each) => [each.kind, value(each)]));
}

/** Saves all lines of a replica file; throws a BadInputError if it has no head or is truncated. */
async function saveReplicaLines(context: SyncContext, file: string) {
  const changedKinds = new Set<string>();
  let head: ReplicaHead | null = null;
  let records = 0;
  let isComplete = false;
  for await (const text of linesOf(createReadStream(file))) {
    const line = parseDocument(text) as ReplicaLine | null;
    if (!line) throw new BadInputError(say`line ${records + 1}`, say`the answer is not what a Hemicycle sends`);
    if ('head' in line) {
      head = readHead(context, line.head);
      // Before the records, which include those that are no longer withheld.
      replaceTombstones(context.mirror, head.tombstones, context.client.baseUrl);
    } else if (head === null) throw new BadInputError(say`line 1`, say`it has no header line`);
    else if ('record' in line) {
      records += 1;
      if (saveReplicaRecord(context, line.record, text) !== 'same') changedKinds.add(line.record.kind);
      context.progress.advance(records, line.record.kind);
    } else if ('end' in line) isComplete = line.end.records === records && records === head.records;
    // Other lines come from older programs or from stored downloads.
  }
  if (head === null || !isComplete) throw new BadInputError(say`line ${records + 1}`, say`the answer ends too early`);
  return { head, changedKinds };
}

/** Returns the head without kinds that only a newer program supports, with a note about them. */
function readHead({ progress }: SyncContext, head: ReplicaHead): ReplicaHead {
  const isSupported = ({ kind }: { kind: string }) => kinds.some(({ name }) => name === kind);
  const unknownKinds = head.kinds.filter((each) => !isSupported(each)).map(({ kind }) => kind);
  if (unknownKinds.length > 0)
    progress.note(say`ignored, because this version does not support these kinds: ${unknownKinds.join(', ')}`);
  progress.stage('follow', head.records, 'records');
  return { ...head, kinds: head.kinds.filter(isSupported), gaps: head.gaps.filter(isSupported) };
}

const recordPrefixLength = '{"record":'.length; // the record's JSON follows, then one brace

/** Matches an escaped surrogate in JSON, which may be unpaired; writers mostly do not escape pairs. */
const surrogateEscape = /\\u[dD][89a-fA-F]/;

/** Saves a record of a replica; returns `same` without saving if its kind is unknown or its JSON too deep. */
function saveReplicaRecord(context: SyncContext, record: ReplicaRecord, text: string): ReplicaOutcome {
  const kind = findKind(record.kind);
  if (!kind) return 'same';
  const documents = [record.row, record.detail, ...record.versions.map(({ json }) => json)];
  if (documents.some((json) => typeof json === 'string' && isTextTooDeep(json))) {
    context.tally.excess.push({
      record: kind.name === 'audit' ? kind.name : `${kind.name}:${record.key}`,
      field: 'all of it',
      reason: 'nested too deep',
    });
    return 'same';
  }
  const cleanRecord = surrogateEscape.test(text) ? cleanReplica(record, wellFormed) : record;
  const outcome = saveReplica(context.mirror, cleanRecord, { text: text.slice(recordPrefixLength, -1) });
  tallyOf(context, kind.name)[outcome] += 1;
  return outcome;
}
