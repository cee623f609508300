import type { Document } from '../model/document.ts';
import { type FieldChange, fieldChanges } from '../model/normal-form.ts';
import type { Mirror } from './open.ts';
import { kindOfRecord } from './record-range.ts';

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
  return mirror.sql('SELECT rowid, * FROM version WHERE rowid = ?').get(rowid) as Version;
}

/** What the part said after that version: the next version, or what it says now. */
export function nextDocument(mirror: Mirror, { record, part, rowid }: Version): Document {
  const next =
    mirror
      .sql('SELECT json FROM version WHERE record = ? AND part = ? AND rowid > ? ORDER BY rowid LIMIT 1')
      .pluck()
      .get(record, part, rowid) ??
    mirror
      .sql(`SELECT CASE ? WHEN 'row' THEN row ELSE detail END FROM record WHERE id = ?`)
      .pluck()
      .get(part, record);
  return JSON.parse(next as string);
}

/**
 * The fields that an edit changed. An edit reaches a record twice, in its dataset row and in its full document;
 * what the other part had already said is not told again.
 */
export function editedFields(mirror: Mirror, version: Version): FieldChange[] {
  const changes = changesAfter(mirror, version);
  const others = mirror
    .sql(
      `SELECT rowid, * FROM version WHERE record = ? AND part <> ? AND ended_by = 'edited'
       AND seen_to >= ? AND rowid < ?`,
    )
    .all(version.record, version.part, version.seen_from, version.rowid) as Version[];
  const told = new Set(others.flatMap((other) => changesAfter(mirror, other)).map(textOfChange));
  return changes.filter((change) => !told.has(textOfChange(change)));
}

function changesAfter(mirror: Mirror, version: Version): FieldChange[] {
  return fieldChanges(kindOfRecord(version.record), JSON.parse(version.json), nextDocument(mirror, version));
}

function textOfChange(change: FieldChange): string {
  return JSON.stringify(change);
}
