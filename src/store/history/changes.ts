import { type Document, type Json, slugOf } from '../../model/document.ts';
import { titleOf } from '../../model/facets.ts';
import { type Kind, kinds } from '../../model/kinds.ts';
import { type FieldChange, fieldChanges } from '../../model/normal-form.ts';
import type { Mirror } from '../mirror.ts';
import { allOf, badCursor, decodeCursor, encodeCursor, type JsonPage, type Sql } from '../page.ts';
import { kindOfRecord, recordRange, recordRanges } from '../record.ts';
import { changesOfParty } from './changes-of-party.ts';
import { ownChanges } from './echoes.ts';
import { editedFields, nextDocument, readVersion } from './history.ts';
import { type Rename, type Renames, readRenames } from './renames.ts';

/** One change of one record, as this mirror saw it. */
export type Change = {
  /** When this mirror saw it, ISO 8601; when it happened at the service is not known. */
  seen_at: string;
  change: 'added' | 'edited' | 'withdrawn' | 'returned' | 'renamed';
  kind: string;
  key: string;
  /** The key that the record had before it was renamed; not there for any other change. */
  former_key?: string;
  /** Slug of the politician that the record is about, or null. */
  politician: string | null;
  title: string;
  /** What an edit, a return or a renaming changed, field by field; empty otherwise. */
  fields: FieldChange[];
};

export type ChangeFilter = {
  /** Changes seen after that moment, ISO 8601. */
  since: string;
  /** And not after that one; to the last where it is null. */
  until?: string | null;
  kinds?: Kind[] | undefined;
  /** Slug: changes of that politician and of records about them. */
  politician?: string | undefined;
  /** Slugs of parties and groups, with commas between: changes of them, of their members and of what is theirs, as stated then. */
  party?: string | undefined;
};

type Event = {
  change: Exclude<Change['change'], 'renamed'>;
  at: string;
  record: number;
  version: number;
};

/** What changed since a moment, the newest first. */
export function* listChanges(mirror: Mirror, filter: ChangeFilter): Generator<Change> {
  for (const { change } of changeEvents(mirror, filter)) yield change;
}

/**
 * A page of what changed; without a limit all of it from the cursor on, as it is read. Nobody has counted it: that would
 * take as long as telling it.
 */
export function pageOfChanges(
  mirror: Mirror,
  { limit, cursor, ...filter }: ChangeFilter & { limit: number; cursor?: string | undefined },
): Omit<JsonPage, 'items'> & { items: Iterable<string> } {
  const after = cursor === undefined ? null : decodeCursor('changes', cursor, 2);
  if (after && Number.isNaN(Date.parse(after[0]))) throw badCursor();
  if (limit === Number.POSITIVE_INFINITY)
    return { items: texts(changeEvents(mirror, filter, after)), total: null, nextCursor: null };
  const items: string[] = [];
  let last: Event | null = null;
  for (const { change, event } of changeEvents(mirror, filter, after)) {
    if (items.length === limit && last)
      return {
        items,
        total: null,
        nextCursor: encodeCursor('changes', [last.at, last.record, last.version]),
      };
    items.push(JSON.stringify(change));
    last = event;
  }
  return { items, total: cursor === undefined ? items.length : null, nextCursor: null };
}

function* texts(all: Iterable<{ change: Change }>): Generator<string> {
  for (const { change } of all) yield JSON.stringify(change);
}

function* changeEvents(
  mirror: Mirror,
  filter: ChangeFilter,
  after: [at: string, record: number, version: number] | null = null,
): Generator<{ change: Change; event: Event }> {
  const ofParty =
    filter.party === undefined ? null : changesOfParty(mirror, { ...filter, party: filter.party });
  const isFew = isOfFew(mirror, filter.kinds ?? []);
  const { sql, parameters } = changesSql({ ...filter, records: ofParty?.records }, after, isFew);
  const renames = readRenames(mirror, { since: filter.since, until: filter.until ?? null });
  const kept = mirror.sql<Event>(sql);
  // A fresh statement: a cached one cannot be iterated twice at once.
  const statement = kept.busy ? mirror.database.prepare<unknown[], Event>(sql) : kept;
  for (const event of statement.iterate(...parameters)) {
    if (ofParty && !ofParty.holds(event.record, event.at)) continue;
    const change = changeOf(mirror, event, { filter, renames });
    if (change && (change.change !== 'edited' || change.fields.length > 0)) yield { change, event };
  }
}

/** Below so many records, sorting their changes is faster than scanning all changes. */
const fewRecords = 5000;

function isOfFew(mirror: Mirror, kinds: readonly Kind[]): boolean {
  const newest = mirror.column<number | null>('SELECT max(id) FROM record WHERE id BETWEEN ? AND ?');
  const records = kinds.map(recordRange).map(({ first, last }) => (newest.get(first, last) ?? first) - first);
  return records.reduce((sum, each) => sum + each, 0) < fewRecords;
}

/**
 * Every event as (change, moment, record, version), newest first; those behind `after` where it is given. `records`
 * are the numbers of those that are asked for, as a JSON array; `isFew` where the kinds that are asked for hold few.
 */
export function changesSql(
  {
    since,
    until = null,
    kinds,
    politician,
    records,
  }: Omit<ChangeFilter, 'party'> & { records?: string | undefined },
  after: [at: string, record: number, version: number] | null = null,
  isFew = false,
): Sql {
  const conditions: Sql[] = [];
  if (until !== null) conditions.push({ sql: 'at <= ?', parameters: [until] });
  if (after) {
    const [at, record, version] = after;
    conditions.push({
      sql: 'at <= ? AND (at < ? OR record > ? OR (record = ? AND version < ?))',
      parameters: [at, at, record, record, version],
    });
  }
  if (kinds) {
    // The unary plus keeps SQLite on the index by time.
    const ranges = recordRanges(kinds);
    conditions.push({
      sql: ranges.map(() => `${isFew ? '' : '+'}record BETWEEN ? AND ?`).join(' OR '),
      parameters: ranges.flatMap(({ first, last }) => [first, last]),
    });
  }
  if (politician !== undefined) {
    conditions.push({
      sql: `record IN (SELECT id FROM record WHERE politician = ? UNION ALL SELECT id FROM record WHERE kind = 'politician' AND key = ?)`,
      parameters: [politician, politician],
    });
  }
  if (records !== undefined)
    conditions.push({ sql: 'record IN (SELECT value FROM json_each(?))', parameters: [records] });
  const where = allOf(conditions);
  // Asked of each source by itself, SQLite reads all of them along their indexes and merges them: a page of a million
  // changes is not sorted out of a million.
  return {
    sql: `${eventSources
      .map((events) => `SELECT change, at, record, version FROM (${events}) WHERE at > ? AND ${where.sql}`)
      .join(' UNION ALL ')} ORDER BY at DESC, record, version DESC`,
    parameters: eventSources.flatMap(() => [since, ...where.parameters]),
  };
}

/** Where events are read, each as (change, moment, record, version). */
const eventSources = [
  "SELECT 'added' AS change, first_seen AS at, id AS record, 0 AS version FROM record",
  "SELECT 'withdrawn' AS change, withdrawn AS at, id AS record, 0 AS version FROM record WHERE withdrawn IS NOT NULL",
  'SELECT ended_by AS change, seen_to AS at, record, rowid AS version FROM version',
  `SELECT 'returned' AS change, coalesce(
      (SELECT min(seen_from) FROM version AS later WHERE later.record = version.record AND later.part = 'row' AND later.rowid > version.rowid),
      (SELECT last_changed FROM record WHERE id = version.record)) AS at, record, rowid AS version
    FROM version WHERE ended_by = 'withdrawn'`,
];

type StoredChange = { key: string; politician: string | null; json: string };

type Telling = { filter: ChangeFilter; renames: Renames };

/** The change that an event stands for; null where another event reports it. */
function changeOf(mirror: Mirror, event: Event, { filter, renames }: Telling): Change | null {
  const { change, at, record, version } = event;
  const kind = kindOfRecord(record);
  const rename = renameAt(event, kind, renames);
  if (rename && change === 'added' && !isAboutLatter(kind, rename, filter)) return null;
  const stored = read(mirror, rename?.to ?? record, filter.until ?? null);
  return {
    seen_at: at,
    change: rename ? 'renamed' : change,
    kind: kind.name,
    key: stored.key,
    ...(rename ? { former_key: rename.formerKey } : {}),
    politician: kind.name === 'politician' ? stored.key : stored.politician,
    title: titleOf(kind, stored.document),
    fields: rename
      ? fieldChanges(kind, read(mirror, rename.from, at).document, stored.document)
      : fieldsOf(mirror, { change, kind, key: stored.key, version, renames }),
  };
}

/** The renaming that a record went or came with. */
function renameAt({ change, record, version }: Event, kind: Kind, renames: Renames): Rename | undefined {
  if (version !== 0) return undefined;
  const { byFormer, byLatter } = renames.of(kind);
  return change === 'withdrawn' ? byFormer.get(record) : byLatter.get(record);
}

/** True where only changes of who came are asked for: then the withdrawal, which tells it otherwise, is not met. */
function isAboutLatter(kind: Kind, { key }: Rename, { politician }: ChangeFilter): boolean {
  return kind.name === 'politician' && politician === key;
}

/** A record as it was called by that moment: of the past it is told as it was called then. */
function read(mirror: Mirror, record: number, until: string | null) {
  const { json, ...stored } = mirror
    .sql<StoredChange>('SELECT key, politician, coalesce(row, detail) AS json FROM record WHERE id = ?')
    .get(record)!;
  const document: Document = JSON.parse((until !== null && textAt(mirror, record, until)) || json);
  return { ...stored, document };
}

/** What the record's row said last by that moment; null where it says the same still. */
function textAt(mirror: Mirror, record: number, at: string): string | null {
  return (
    mirror
      .column<string>(
        "SELECT json FROM version WHERE record = ? AND part = 'row' AND seen_from <= ? AND seen_to > ? ORDER BY rowid LIMIT 1",
      )
      .get(record, at, at) ?? null
  );
}

function fieldsOf(
  mirror: Mirror,
  {
    change,
    kind,
    key,
    version,
    renames,
  }: { change: Change['change']; kind: Kind; key: string; version: number; renames: Renames },
): FieldChange[] {
  if (version === 0 || (change !== 'edited' && change !== 'returned')) return [];
  const former = readVersion(mirror, version);
  const changed = { kind, key, after: nextDocument(mirror, former) };
  return ownChanges(mirror, changed, editedFields(mirror, former)).filter(
    ({ field, old, new: next }) => !isRenamedReference(kind, { field, old, next }, renames),
  );
}

/** True where a record only names by its new key what was renamed. */
function isRenamedReference(
  kind: Kind,
  { field, old, next }: { field: string; old: Json; next: Json },
  renames: Renames,
): boolean {
  const [from, to] = [slugOf(old), slugOf(next)];
  const isReference = kind.columns.some(({ name, isReference }) => name === field && isReference);
  const named = isReference ? kinds.find(({ name }) => name === field) : undefined;
  return named !== undefined && from !== null && to !== null && renames.latterKey(named, from) === to;
}

/**
 * The records of a kind of which anything may have changed since a moment, the withdrawn ones too: their keys, each with
 * when it was first seen.
 */
export function changedSince(mirror: Mirror, kind: Kind, since: string): [key: string, firstSeen: string][] {
  const { first, last } = recordRange(kind);
  return mirror
    .sql<{ key: string; first_seen: string }>(
      `SELECT key, first_seen FROM record WHERE id BETWEEN ? AND ? AND id IN (
         SELECT record FROM version WHERE seen_to > ? UNION SELECT id FROM record WHERE withdrawn > ?
         UNION SELECT id FROM record WHERE first_seen > ?
         UNION SELECT record FROM version WHERE ended_by = 'withdrawn')`,
    )
    .all(first, last, since, since, since)
    .map(({ key, first_seen }) => [key, first_seen]);
}

/** When this mirror saw its first record of these kinds, ISO 8601, or null. */
export function historyBegins(mirror: Mirror, kinds: readonly Kind[]): string | null {
  const first = mirror.column(
    'SELECT first_seen FROM record WHERE id BETWEEN ? AND ? ORDER BY first_seen LIMIT 1',
  );
  const moments = kinds.map((kind) => {
    const range = recordRange(kind);
    return first.get(range.first, range.last) as string | undefined;
  });
  return moments.filter((moment) => moment !== undefined).sort()[0] ?? null;
}
