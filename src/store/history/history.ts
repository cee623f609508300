import { NotFoundError } from '../../errors.ts';
import { chambers } from '../../model/ballot.ts';
import { type Document, type Json, slugOf } from '../../model/document.ts';
import type { Kind } from '../../model/kinds.ts';
import { type FieldChange, fieldChanges, statedForm } from '../../model/normal-form.ts';
import { findSlug } from '../../names/lookup.ts';
import { say, wordPhrase } from '../../words/speech.ts';
import type { Mirror } from '../mirror.ts';
import { kindOfRecord } from '../record.ts';
import { splitReference } from '../syncs/to-fetch.ts';
import { readRenames } from './renames.ts';

/** What a part of a record said from one moment to another: its dataset row, or its full document. */
export type Version = {
  rowid: number;
  record: number;
  part: 'row' | 'detail';
  json: string;
  seen_from: string;
  seen_to: string;
  ended_by: 'edited' | 'withdrawn';
};

/** A former version by its number. */
export function readVersion(mirror: Mirror, rowid: number): Version {
  return mirror.sql<Version>('SELECT rowid, * FROM version WHERE rowid = ?').get(rowid)!;
}

/** What the part said after that version: the next version, or what it says now. */
export function nextDocument(mirror: Mirror, { record, part, rowid }: Version): Document {
  const next =
    mirror
      .column('SELECT json FROM version WHERE record = ? AND part = ? AND rowid > ? ORDER BY rowid LIMIT 1')
      .get(record, part, rowid) ??
    mirror
      .column(`SELECT CASE ? WHEN 'row' THEN row ELSE detail END FROM record WHERE id = ?`)
      .get(part, record);
  return JSON.parse(next as string);
}

/**
 * The fields that changed at the end of a version: by an edit, or between a withdrawal and a return. It reaches a record
 * twice, in its dataset row and in its full document; what the other part had already said is not told again.
 */
export function editedFields(mirror: Mirror, version: Version): FieldChange[] {
  const kind = kindOfRecord(version.record);
  const changes = changesAfter(mirror, version);
  const others = mirror
    .sql<Version>(
      'SELECT rowid, * FROM version WHERE record = ? AND part <> ? AND seen_to >= ? AND rowid < ?',
    )
    .all(version.record, version.part, version.seen_from, version.rowid);
  const told = new Set(
    others.flatMap((other) => changesAfter(mirror, other)).map((change) => textOfChange(kind, change)),
  );
  return changes.filter((change) => !told.has(textOfChange(kind, change)));
}

function changesAfter(mirror: Mirror, version: Version): FieldChange[] {
  return fieldChanges(kindOfRecord(version.record), JSON.parse(version.json), nextDocument(mirror, version));
}

/** A change as a text that is equal for an equal one: a slug stands for the object that it is the slug of. */
function textOfChange(kind: Kind, { field, old, new: next }: FieldChange): string {
  const isReference = kind.columns.some(({ name, isReference }) => name === field && isReference === true);
  const form = (value: Json) =>
    isReference ? slugOf(value) : (statedForm(kind, { [field]: value })[field] ?? null);
  return JSON.stringify([field, form(old), form(next)]);
}

/** What one part of a record said for a time, as this mirror saw it; times ISO 8601. */
export type SeenVersion = {
  part: 'row' | 'detail';
  seen_from: string;
  /** Until when; null while it still stands. */
  seen_to: string | null;
  /** What ended it; null while it still stands. */
  ended_by: 'edited' | 'withdrawn' | null;
  /** How it differs from the version of the same part before it; empty for the first. */
  changes: FieldChange[];
  document: Document;
};

/** A version with its text as the mirror keeps it. */
export type KeptVersion = SeenVersion & { text: string };

type StoredRecord = {
  id: number;
  key: string;
  row: string | null;
  detail: string | null;
  first_seen: string;
  last_seen: string;
  last_changed: string;
  detail_since: string | null;
  withdrawn: string | null;
};

/**
 * Every version of one record that this mirror has seen, the newest first; `key` may be a human name. Of a moment of the
 * past (ISO 8601): those seen by then, and of their end only what was known. `formerKey` is the one under which the record
 * was listed before, all else equal, whose versions are kept there.
 */
export function recordHistory(
  mirror: Mirror,
  kind: Kind,
  key: string,
  asOf: string | null = null,
): { key: string; formerKey: string | null; versions: SeenVersion[] } {
  const { versions, ...of } = keptHistory(mirror, kind, { key, asOf });
  return {
    key: of.key,
    formerKey: of.formerKey,
    versions: versions.map(({ text, ...version }) => version),
  };
}

/** The same with the texts of the versions, and when the record was seen first and last, and withdrawn; ISO 8601. */
export function keptHistory(
  mirror: Mirror,
  kind: Kind,
  { key, asOf }: { key: string; asOf: string | null },
): {
  key: string;
  formerKey: string | null;
  versions: KeptVersion[];
  firstSeen: string;
  /** Null of the past, which nobody noted. */
  lastSeen: string | null;
  withdrawn: string | null;
} {
  const stored = find(mirror, kind, key);
  const all = (['row', 'detail'] as const).flatMap((part) => versionsOf(mirror, kind, { stored, part }));
  const versions = asOf === null ? all : all.flatMap((version) => seenBy(version, asOf));
  if (versions.length === 0)
    throw new NotFoundError(say`this mirror had seen no ${wordPhrase(kind.name)} "${key}" at ${asOf}`);
  const newestFirst = versions.sort((a, b) => (a.seen_from < b.seen_from ? 1 : -1));
  const renames = readRenames(mirror, { since: '', until: asOf });
  const isKnown = stored.withdrawn !== null && (asOf === null || stored.withdrawn <= asOf);
  return {
    key: stored.key,
    formerKey: renames.of(kind).byLatter.get(stored.id)?.formerKey ?? null,
    versions: newestFirst,
    firstSeen: stored.first_seen,
    lastSeen: asOf === null ? stored.last_seen : null,
    withdrawn: isKnown ? stored.withdrawn : null,
  };
}

function seenBy(version: KeptVersion, at: string): KeptVersion[] {
  if (version.seen_from > at) return [];
  const hasEnded = version.seen_to !== null && version.seen_to <= at;
  return [hasEnded ? version : { ...version, seen_to: null, ended_by: null }];
}

/** The record of that key, withdrawn or not; names are resolved among those that stand. */
function find(mirror: Mirror, kind: Kind, key: string): StoredRecord {
  const read = mirror.sql(
    `SELECT id, key, row, detail, first_seen, last_changed, detail_since, withdrawn, max(last_seen, coalesce(
       (SELECT enumerated_at FROM kind_state WHERE kind = record.kind AND withdrawn IS NULL), last_seen)) AS last_seen
     FROM record WHERE kind = ? AND key = ?`,
  );
  const isNamed = kind.name === 'politician' || kind.name === 'party';
  const keys = kind.name === 'ballot' ? ballotKeys(key) : [key];
  const found = keys
    .map((each) => read.get(kind.name, each) as StoredRecord | undefined)
    .find((each) => each);
  if (found) return found;
  if (isNamed)
    return read.get(kind.name, findSlug(mirror, kind.name as 'politician' | 'party', key)) as StoredRecord;
  throw new NotFoundError(say`this mirror has never seen a ${wordPhrase(kind.name)} "${key}"`);
}

/** The keys that a ballot may have, whose chamber may be written in any way, or not at all. */
function ballotKeys(key: string): string[] {
  const named = splitReference(key);
  return named ? [`${named.chamber}:${named.scrutinId}`] : chambers.map((each) => `${each}:${key}`);
}

function versionsOf(
  mirror: Mirror,
  kind: Kind,
  { stored, part }: { stored: StoredRecord; part: 'row' | 'detail' },
): KeptVersion[] {
  const former = mirror
    .sql<Version>('SELECT rowid, * FROM version WHERE record = ? AND part = ? ORDER BY rowid')
    .all(stored.id, part);
  const current = part === 'row' ? stored.row : stored.detail;
  const seen: KeptVersion[] = former.map((version, index) => ({
    part,
    seen_from: version.seen_from,
    seen_to: version.seen_to,
    ended_by: version.ended_by,
    changes: changesFrom(mirror, kind, former[index - 1], version.json),
    document: JSON.parse(version.json),
    text: version.json,
  }));
  if (current === null) return seen;
  return [
    ...seen,
    {
      part,
      seen_from: (part === 'row' ? stored.last_changed : stored.detail_since) ?? stored.last_changed,
      seen_to: stored.withdrawn,
      ended_by: stored.withdrawn === null ? null : 'withdrawn',
      changes: changesFrom(mirror, kind, former.at(-1), current),
      document: JSON.parse(current),
      text: current,
    },
  ];
}

function changesFrom(mirror: Mirror, kind: Kind, before: Version | undefined, after: string): FieldChange[] {
  if (!before) return [];
  if (before.ended_by === 'edited') return editedFields(mirror, before);
  return fieldChanges(kind, JSON.parse(before.json), JSON.parse(after));
}
