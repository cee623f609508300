import { type Chamber, chamberOf, chambers } from '../../model/ballot.ts';
import { type Document, parseDocument, textOf } from '../../model/document.ts';
import { type KindName, kinds } from '../../model/kinds.ts';
import { storedColumns } from '../kind-state.ts';
import type { Mirror } from '../mirror.ts';
import { isComposed } from './composition.ts';

/** A reference to a ballot; `chamber` is null if only the id is known. */
export type BallotReference = { chamber: Chamber | null; scrutinId: string };

/** A record that the service did not have is requested again after this time. */
export const absentRetryMs = 7 * 86_400_000;

/** Profiles to fetch, newest first: stale, absent for `absentRetryMs`, or `all`; `isComposable`: rows may suffice. */
export function profilesToFetch(
  mirror: Mirror,
  kind: 'politician' | 'party',
  { all, nowMs }: { all: boolean; nowMs: number },
): { slug: string; isComposable: 0 | 1 }[] {
  // Composable: never fetched, not absent, and with a dataset row as new as the last known update.
  const sql = `SELECT key AS slug, detail IS NULL AND hash IS NOT NULL AND absentAt IS NULL
      AND updated_at <= CAST(coalesce(json_extract(row, '$.updated_at'), json_extract(row, '$.updatedAt'), '') AS TEXT) AS isComposable
    FROM (SELECT *, (SELECT asked_at FROM absent WHERE absent.kind = record.kind AND absent.key = record.key)
      AS absentAt FROM record WHERE kind = ? AND withdrawn IS NULL)
    WHERE detail_stale = 1 OR ? OR absentAt < ?
    ORDER BY updated_at DESC, key`;
  const absentBefore = new Date(nowMs - absentRetryMs).toISOString();
  return mirror.sql<{ slug: string; isComposable: 0 | 1 }>(sql).all(kind, all ? 1 : 0, absentBefore);
}

/** Marks a profile as not stale, as it is fetched or absent: it is not fetched again until its row changes. */
export function markDetailFresh(mirror: Mirror, kind: string, key: string): void {
  mirror.sql('UPDATE record SET detail_stale = 0 WHERE kind = ? AND key = ?').run(kind, key);
}

const ballotFields = ['ballot_id', 'scrutin_id', 'ballot'];

/** Ballots referenced by records, each once. */
export function referencedBallots(mirror: Mirror): BallotReference[] {
  const ballotsByKey = new Map<string, BallotReference>();
  for (const kind of kinds.filter(({ name }) => name !== 'ballot')) {
    for (const field of storedColumns(mirror, kind).filter((column) => ballotFields.includes(column))) {
      const sql = `SELECT DISTINCT json_extract(row, ?) AS value, json_extract(row, '$.chamber') AS chamber FROM record WHERE kind = ? AND withdrawn IS NULL`;
      const rows = mirror.sql<{ value: unknown; chamber: unknown }>(sql).all(`$.${field}`, kind.name);
      for (const { value, chamber } of rows) {
        const reference = referenceOf(value, chamber);
        if (reference) ballotsByKey.set(`${reference.chamber}:${reference.scrutinId}`, reference);
      }
    }
  }
  return [...ballotsByKey.values()];
}

/** Reference in a field of a record: an id, `CHAMBER:ID`, or an object; null for none. */
function referenceOf(value: unknown, chamber: unknown): BallotReference | null {
  if (typeof value === 'number') return { chamber: chamberOf(chamber), scrutinId: String(value) };
  if (typeof value !== 'string' || value === '') return null;
  if (!value.startsWith('{')) return parseReference(value) ?? { chamber: chamberOf(chamber), scrutinId: value };
  // SQLite returns a nested document as text.
  const document = parseDocument(value);
  const scrutinId = document && textOf(document, 'scrutin_id', 'id');
  return scrutinId === null ? null : { chamber: chamberOf(document!.chamber), scrutinId };
}

/** Parses `CHAMBER:ID`; null for other text. */
export function parseReference(text: string): BallotReference | null {
  const [, prefix, scrutinId = ''] = /^([\p{L}\s'’-]+):(.+)$/su.exec(text) ?? [];
  const chamber = chamberOf(prefix);
  return chamber && { chamber, scrutinId };
}

/** Candidate keys for a text: for a ballot, `CHAMBER:ID` in canonical form, or an id in each chamber; else itself. */
export function possibleKeys(kind: KindName, text: string): string[] {
  if (kind !== 'ballot') return [text];
  const reference = parseReference(text);
  return reference ? [`${reference.chamber}:${reference.scrutinId}`] : chambers.map((each) => `${each}:${text}`);
}

/** References of the stored ballots that have a date. */
export function storedDatedBallots(mirror: Mirror): BallotReference[] {
  const keys = mirror.column<string>("SELECT key FROM record WHERE kind = 'ballot' AND date <> ''").all();
  return keys.flatMap((key) => parseReference(key) ?? []);
}

/** State of a ballot: its date ('' if it has none, null if not stored), and when the service lacked it, or null. */
export type BallotState = {
  key: string;
  date: string | null;
  seenAt: string | null; // when it was last received; null if not stored
  absentAt: string | null;
};

/** States of a referenced ballot, one per possible chamber. */
export function ballotStates(mirror: Mirror, { chamber, scrutinId }: BallotReference): BallotState[] {
  const sql = `SELECT $key AS key, date, last_seen AS seenAt,
      (SELECT asked_at FROM absent WHERE kind = 'ballot' AND key = $key) AS absentAt
    FROM (SELECT 1) LEFT JOIN record ON record.kind = 'ballot' AND record.key = $key`;
  const read = mirror.sql<BallotState>(sql);
  return (chamber ? [chamber] : chambers).map((each) => read.get({ key: `${each}:${scrutinId}` })!);
}

/** True if the record, withdrawn or not, has a full document; without a key, if any current record of the kind has. */
export function hasFullDocument(mirror: Mirror, kind: string, key: string | null = null): boolean {
  const condition = key === null ? 'withdrawn IS NULL' : 'key = ?';
  const sql = `SELECT 1 FROM record WHERE kind = ? AND ${condition} AND detail IS NOT NULL LIMIT 1`;
  return mirror.column(sql).get(kind, ...(key === null ? [] : [key])) !== undefined;
}

/** True if the service is known to lack a ballot or profile. */
export function isMarkedAbsent(mirror: Mirror, kind: string, key: string): boolean {
  return mirror.sql('SELECT 1 FROM absent WHERE kind = ? AND key = ?').get(kind, key) !== undefined;
}

/** Saves that the service lacks a ballot or profile. */
export function markAbsent(
  mirror: Mirror,
  { kind, key }: { kind: string; key: string },
  { status, at }: { status: number; at: string },
): void {
  const sql = 'INSERT OR REPLACE INTO absent (kind, key, status, asked_at) VALUES (?, ?, ?, ?)';
  mirror.sql(sql).run(kind, key, status, at);
}

/** Marks a politician's profile as stale if a list item has a later `updated_at`; true if marked. */
export function markStaleIfNewer(mirror: Mirror, item: Document): boolean {
  const slug = textOf(item, 'slug', 'id');
  const listUpdate = textOf(item, 'updated_at', 'updatedAt');
  const sql = `SELECT max(updated_at, coalesce(json_extract(detail, '$.updated_at'), '')) FROM record
    WHERE kind = 'politician' AND key = ? AND withdrawn IS NULL`;
  const storedUpdate = mirror.column<string>(sql).get(slug);
  if (slug === null || storedUpdate === undefined || listUpdate === null) return false;
  // A composed profile whose row has no `updated_at` takes that of the list as its baseline.
  if (storedUpdate === '' && isComposed(mirror, 'politician', slug)) {
    mirror.sql("UPDATE record SET updated_at = ? WHERE kind = 'politician' AND key = ?").run(listUpdate, slug);
    return false;
  }
  if (Date.parse(listUpdate) <= Date.parse(storedUpdate)) return false;
  const update = "UPDATE record SET detail_stale = 1, updated_at = ? WHERE kind = 'politician' AND key = ?";
  mirror.sql(update).run(listUpdate, slug);
  return true;
}
