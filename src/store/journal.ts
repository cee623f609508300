import { crc32 } from 'node:zlib';
import { idBounds, type Kind, recordRange } from '../model/kinds.ts';
import { changedRecordsSql, journalMark, journalPosition, newestJournalSeq } from '../names/name-index.ts';
import { kindState } from './kind-state.ts';
import { type Mirror, readMeta } from './mirror.ts';

/** Name of the mirror's journal, a random id by which followers know it; null in a mirror of an older program. */
export const journalName = (mirror: Mirror): string | null => readMeta(mirror, 'journal');

/** Current position of a kind, opaque to other programs: `journal.seq.mark.number.fingerprint..retrievedMs`. */
export function currentPosition(mirror: Mirror, kind: Kind): string {
  const retrievedMs = Date.parse(kindState(mirror, kind).retrievedAt ?? '') || 0;
  // Always empty; older programs wrote the name of a stored download here.
  return [...positionParts(mirror, kind, newestJournalSeq(mirror)), '', retrievedMs].join('.');
}

/** Text that changes with every change of records of these kinds; null for a mirror without a journal. */
export function positionsOfKinds(mirror: Mirror, kinds: readonly Kind[]): string | null {
  if (journalName(mirror) === null) return null;
  const positions = kinds.map((kind) => {
    const sql = 'SELECT seq FROM journal WHERE record BETWEEN ? AND ? ORDER BY seq DESC LIMIT 1';
    return positionParts(mirror, kind, mirror.column<number>(sql).get(...idBounds(kind)) ?? 0).join('.');
  });
  return positions.join(' ');
}

/** Ids changed since `text`, a result of `positionsOfKinds`; null if this mirror never had it or erased records. */
export function recordIdsSincePositions(mirror: Mirror, kinds: readonly Kind[], text: string): number[] | null {
  const positions = text.split(' ');
  if (positions.length !== kinds.length || !kinds.every((kind, at) => wasAtPosition(mirror, kind, positions[at]!)))
    return null;
  const changedIds = kinds.flatMap((kind, at) =>
    mirror.column<number>(changedRecordsSql).all(...rangeParameters(mirror, kind, positions[at]!)),
  );
  const sql = 'SELECT count(*) FROM main.record WHERE id IN (SELECT value FROM json_each(?))';
  return mirror.column<number>(sql).get(JSON.stringify(changedIds)) === changedIds.length ? changedIds : null;
}

/** Journal name, its last entry (`seq`, random `mark`), and the newest record (`number` in the kind, fingerprint). */
function positionParts(mirror: Mirror, kind: Kind, seq: number): (string | number)[] {
  const [journal, entry, mark, number] = journalPosition(mirror, kind, seq);
  return [journal, entry, mark, number, fingerprintOfNumber(mirror, kind, number)];
}

/** True if this mirror was at that position; false for one restored from an older state. */
export function wasAtPosition(mirror: Mirror, kind: Kind, position: string): boolean {
  return parsePosition(mirror, kind, position) !== null;
}

/** Ids of records of a kind that are new or changed since a position, in order; all of them for null. */
export function recordIdsSince(mirror: Mirror, kind: Kind, position: string | null): Iterable<number> {
  return mirror.column<number>(visibleChangesSql).iterate(...rangeParameters(mirror, kind, position));
}

/** Number of records that are new or changed since a position; null counts all from an index, without reading each. */
export function countRecordsSince(mirror: Mirror, kind: Kind, position: string | null): number {
  if (position === null)
    return mirror.column<number>('SELECT count(*) FROM main.record WHERE kind = ?').get(kind.name)!;
  const sql = `SELECT count(*) FROM (${visibleChangesSql})`;
  return mirror.column<number>(sql).get(...rangeParameters(mirror, kind, position))!;
}

const visibleChangesSql = `SELECT record FROM (${changedRecordsSql}) WHERE record NOT IN (SELECT record FROM gone)`;

/** Parameters of `changedRecordsSql`: last journal entry, id range of changed records, id range of new records. */
function rangeParameters(mirror: Mirror, kind: Kind, position: string | null): number[] {
  const { first, last } = recordRange(kind);
  const startPosition = (position && parsePosition(mirror, kind, position)) || null;
  // Without a position all records are new, so the range of changed ones is empty.
  const changedRange = startPosition ? [startPosition.seq, first, first + startPosition.number - 1] : [0, 1, 0];
  return [...changedRange, first + (startPosition?.number ?? 0), last];
}

/** Last retrieval of the kind at a position, ISO 8601; empty for null. */
export function lastRetrievalAt(position: string | null): string {
  const ms = Number(position?.split('.').at(-1) ?? 0);
  return ms > 0 ? new Date(ms).toISOString() : '';
}

/** Parses a position to journal entry and newest record number; null if this mirror never had that position. */
function parsePosition(mirror: Mirror, kind: Kind, text: string) {
  const [journal = '', seq = '', mark = '', number = '', fingerprint = ''] = text.split('.');
  const position = { seq: Number(seq), number: Number(number) };
  const isKnownPosition =
    seq !== '' &&
    journal === journalName(mirror) &&
    journalMark(mirror, position.seq) === mark &&
    fingerprintOfNumber(mirror, kind, position.number) === fingerprint;
  return isKnownPosition ? position : null;
}

/** Fingerprint of the record with that number, which a diverged copy of the mirror may have given to another record. */
function fingerprintOfNumber(mirror: Mirror, kind: Kind, number: number): string {
  return recordFingerprint(mirror, recordRange(kind).first + number - 1);
}

/** Fingerprint of a record, unchanged if it is withheld or its key becomes `SLUG~n`; empty for an unknown id. */
export function recordFingerprint(mirror: Mirror, id: number): string {
  const sql = 'SELECT key, first_seen FROM main.record WHERE id = ?';
  const record = mirror.sql<{ key: string; first_seen: string }>(sql).get(id);
  if (!record) return mirror.column<string>('SELECT place FROM gone WHERE record = ?').get(id) ?? '';
  // No digest: loading node:crypto takes as long as a whole request.
  const key = record.key.startsWith('sha256:') ? record.key : record.key.replace(/~\d+$/, '');
  return `${crc32(key).toString(36)}-${Date.parse(record.first_seen).toString(36)}`;
}
