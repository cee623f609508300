import { NotFoundError } from '../../errors.ts';
import { type Document, isDocument, type Json, type RecordTexts, slugOf } from '../../model/document.ts';
import { keyOf } from '../../model/facets.ts';
import { columnOf, type Kind, type KindName, kindOf, kinds } from '../../model/kinds.ts';
import { canonicalForm, type FieldChange, fieldChanges } from '../../model/normal-form.ts';
import { findSlug } from '../../names/lookup.ts';
import { say, wordPhrase } from '../../words/speech.ts';
import type { Mirror } from '../mirror.ts';
import { type FormerVersion, kindOfRecord } from '../record.ts';
import { readRenames } from '../renames.ts';
import { possibleKeys } from '../syncs/to-fetch.ts';
import { refuseWithheld } from '../tombstones.ts';

/** A former version of one part of a record: its dataset row (`row`) or its full document (`detail`). */
export type Version = Omit<FormerVersion, 'hash'> & { rowid: number; record: number };

export function readVersion(mirror: Mirror, rowid: number): Version {
  return mirror.sql<Version>('SELECT rowid, * FROM version WHERE rowid = ?').get(rowid)!;
}

/** The document that followed a version: of the next version of the same part, or the current one. */
export function nextDocument(mirror: Mirror, { record, part, rowid }: Version): Document {
  const nextSql = 'SELECT json FROM version WHERE record = ? AND part = ? AND rowid > ? ORDER BY rowid LIMIT 1';
  const nowSql = `SELECT CASE ? WHEN 'row' THEN row ELSE detail END FROM record WHERE id = ?`;
  const next = mirror.column(nextSql).get(record, part, rowid) ?? mirror.column(nowSql).get(part, record);
  return JSON.parse(next as string);
}

/** Fields that changed when a version ended, without changes that the record's other part already reported. */
export function editedFields(mirror: Mirror, version: Version): FieldChange[] {
  const kind = kindOfRecord(version.record);
  const changes = changesAfter(mirror, version);
  const sql = 'SELECT rowid, * FROM version WHERE record = ? AND part <> ? AND seen_to >= ? AND rowid < ?';
  const otherVersions = mirror.sql<Version>(sql).all(version.record, version.part, version.seen_from, version.rowid);
  const reportedChanges = new Set(
    otherVersions.flatMap((other) => changesAfter(mirror, other)).map((change) => textOfChange(kind, change)),
  );
  return changes.filter((change) => !reportedChanges.has(textOfChange(kind, change)));
}

function changesAfter(mirror: Mirror, version: Version): FieldChange[] {
  return fieldChanges(kindOfRecord(version.record), JSON.parse(version.json), nextDocument(mirror, version));
}

/** Canonical text of a change; referenced objects are reduced to their slugs. */
function textOfChange(kind: Kind, { field, old, new: next }: FieldChange): string {
  const { isReference } = columnOf(kind, field);
  const formOf = (each: Json) => (isReference ? slugOf(each) : (canonicalForm(kind, { [field]: each })[field] ?? null));
  return JSON.stringify([field, formOf(old), formOf(next)]);
}

/** A version of one part of a record, as this mirror observed it; times ISO 8601. */
export type SeenVersion = Omit<VersionText, 'text'>;

/** A version with its stored JSON. */
export type VersionText = ReturnType<typeof readVersions>[number];

/** A stored record with its times, ISO 8601. */
export type HistoryRow = RecordTexts &
  Record<'key' | 'first_seen' | 'last_seen' | 'last_changed', string> &
  Record<'detail_since' | 'withdrawn', string | null> & { id: number };

/** Versions of a record (by key or name) seen by `asOf` (ISO 8601; null: all), newest first. Throws a NotFoundError. */
export function readHistory(mirror: Mirror, kind: Kind, key: string, asOf: string | null = null) {
  const { versions, formerKey, ...storedRecord } = readStoredHistory(mirror, kind, { key, asOf });
  return { key: storedRecord.key, formerKey, versions: versions.map(({ text: _, ...version }) => version) };
}

/** As `readHistory`, with the stored JSON, first and last sight, and withdrawal (ISO 8601). */
export function readStoredHistory(mirror: Mirror, kind: Kind, { key, asOf }: { key: string; asOf: string | null }) {
  const stored = findRecord(mirror, kind, key);
  const allVersions = (['row', 'detail'] as const).flatMap((part) => readVersions(mirror, kind, { stored, part }));
  const versions = asOf === null ? allVersions : allVersions.flatMap((version) => versionAsOf(version, asOf));
  if (versions.length === 0)
    throw new NotFoundError(say`this mirror contained no ${wordPhrase(kind.name)} "${key}" at ${asOf}`);
  const newestFirst = versions.sort((a, b) => (a.seen_from < b.seen_from ? 1 : -1));
  const wasWithdrawn = stored.withdrawn !== null && (asOf === null || stored.withdrawn <= asOf);
  return {
    key: stored.key,
    /** Key before a rename, which has the older versions; else null. */
    formerKey: readRenames(mirror, asOf).byNewId.get(stored.id)?.formerKey ?? null,
    versions: newestFirst,
    firstSeen: stored.first_seen,
    /** Null for a past moment: the former value is not stored. */
    lastSeen: asOf === null ? stored.last_seen : null,
    withdrawn: wasWithdrawn ? stored.withdrawn : null,
  };
}

/** The version as known at a moment (ISO 8601), in a list; empty if it was stored later. */
function versionAsOf(version: VersionText, at: string): VersionText[] {
  if (version.seen_from > at) return [];
  return [version.seen_to !== null && version.seen_to <= at ? version : { ...version, seen_to: null, ended_by: null }];
}

/** The record of a key, withdrawn or not, or of the name of a current record. Throws a NotFoundError. */
function findRecord(mirror: Mirror, kind: Kind, key: string): HistoryRow {
  const sql = `SELECT id, key, row, detail, first_seen, last_changed, detail_since, withdrawn, max(last_seen, coalesce(
      (SELECT enumerated_at FROM kind_state WHERE kind = record.kind AND withdrawn IS NULL), last_seen)) AS last_seen
    FROM main.record WHERE kind = ? AND key = ?`;
  const recordStatement = mirror.sql<HistoryRow>(sql); // a complete list confirms each current record
  const [row] = possibleKeys(kind.name, key).flatMap((each) => recordStatement.get(kind.name, each) ?? []);
  if (row) return row;
  refuseWithheld(mirror, kind.name, key);
  if (kind.name === 'politician' || kind.name === 'party')
    return recordStatement.get(kind.name, findSlug(mirror, kind.name, key))!;
  throw new NotFoundError(say`this mirror never contained a ${wordPhrase(kind.name)} "${key}"`);
}

function readVersions(mirror: Mirror, kind: Kind, { stored, part }: { stored: HistoryRow; part: 'row' | 'detail' }) {
  const sql = 'SELECT rowid, * FROM version WHERE record = ? AND part = ? ORDER BY rowid';
  const former = mirror.sql<Version>(sql).all(stored.id, part);
  const currentJson = part === 'row' ? stored.row : stored.detail;
  const currentVersion = {
    seen_from: (part === 'row' ? stored.last_changed : stored.detail_since) ?? stored.last_changed,
    seen_to: stored.withdrawn,
    ended_by: stored.withdrawn === null ? null : ('withdrawn' as const),
  };
  const versions = currentJson === null ? former : [...former, { ...currentVersion, json: currentJson }];
  return versions.map(({ seen_from, seen_to, ended_by, json: text }, index) => ({
    part,
    seen_from,
    seen_to,
    ended_by,
    /** Changes from the preceding version of the same part; empty for the first. */
    changes: readChanges(mirror, kind, former[index - 1], text),
    document: JSON.parse(text) as Document,
    text,
  }));
}

function readChanges(mirror: Mirror, kind: Kind, before: Version | undefined, after: string): FieldChange[] {
  if (!before) return [];
  if (before.ended_by === 'edited') return editedFields(mirror, before);
  return fieldChanges(kind, JSON.parse(before.json), JSON.parse(after));
}

/** The changes without those that repeat other stored records: a profile's quotes, a party's members or name. */
export function dropRepeatedChanges(mirror: Mirror, after: Document, changes: FieldChange[]): FieldChange[] {
  const isStored = (kind: KindName, key: string) =>
    mirror.sql('SELECT 1 FROM record WHERE kind = ? AND key = ?').get(kind, key) !== undefined ||
    // The key of a record without an id is the hash of its first content, not of an edited one.
    (key.startsWith('sha256:') && mirror.sql(ownedRecordSql).get({ kind, key, owner: slugOf(after) }) !== undefined);
  return changes.filter(({ field, old, new: next }) => {
    const namedKind = kinds.find(({ name }) => field === `${name}_name`)?.name; // as `party_name`
    if (namedKind !== undefined) {
      const key = slugOf(after[namedKind]);
      return key === null || !isStored(namedKind, key) || changes.some((change) => change.field === namedKind);
    }
    const kind =
      field === 'members' ? kindOf('politician') : kinds.find((each) => [each.plural, each.name].includes(field));
    const [keysBefore, keysNow] = kind ? [keysIn(kind, old), keysIn(kind, next)] : [null, null];
    if (!kind || keysBefore === null || keysNow === null) return true;
    // Other keys in a single reference (field named as its kind) or in sources without `source_ids` are new facts.
    const hasOtherKeys = keysBefore.join(' ') !== keysNow.join(' ');
    if (hasOtherKeys && (kind.name === field || (kind.name === 'source' && !after.source_ids))) return true;
    return [...keysBefore, ...keysNow].some((key) => !isStored(kind.name, key));
  });
}

const ownedRecordSql = `SELECT 1 FROM record WHERE politician = $owner AND kind = $kind
  AND ($key = 'sha256:' || hash OR id IN (SELECT record FROM version WHERE record = id AND $key = 'sha256:' || version.hash))`;

/** Keys of the records that a field contains; null if its value is something else than objects. */
function keysIn(kind: Kind, value: Json): string[] | null {
  const items = value === null ? [] : [value].flat();
  return items.every(isDocument) ? items.map((item) => keyOf(kind, item)) : null;
}
