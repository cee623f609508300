import { StaleError } from '../../errors.ts';
import { type Document, documentOf, type RecordTexts } from '../../model/document.ts';
import { facetsOf } from '../../model/facets.ts';
import { idBounds, type Kind, kinds } from '../../model/kinds.ts';
import { ageMs } from '../../model/moment.ts';
import { instant, say, wordPhrase } from '../../words/speech.ts';
import { lastFillUntil } from '../kind-state.ts';
import { closeOnError, type Mirror } from '../mirror.ts';
import { openMirror } from '../open.ts';
import { facetColumns, facetValues, kindOfRecord } from '../record.ts';
import { newestTime, wasSynced } from '../syncs/runs.ts';
import { indexEntryOf, textHash } from '../word-index/index-entry.ts';
import { addToIndex, isIndexed, pastMomentSql } from '../word-index/search-index.ts';

/** Opens the mirror as of a moment (ISO 8601). Throws a StaleError if its state or that of a kind is unknown then. */
export function openPast(path: string, at: string, kinds: readonly Kind[] = []): Mirror {
  return closeOnError(openUnfilledPast(path, at, kinds), (mirror) => {
    for (const _ of fillPast(mirror));
    indexChangedRecords(mirror);
    return mirror;
  });
}

/** As `openPast`, but without the records that changed after the moment, which `fillPast` adds. */
export function openUnfilledPast(path: string, at: string, kinds: readonly Kind[]): Mirror {
  return closeOnError(openMirror(path), (mirror) => {
    mirror.sql('BEGIN').run(); // one read snapshot until the mirror is closed
    refuseBeforeFirstRecord(mirror, at);
    for (const kind of kinds) refuseBeforeFirstOfKind(mirror, kind, at);
    mirror.database.exec(`
      CREATE TEMP TABLE changed (id INTEGER PRIMARY KEY);
      CREATE TEMP TABLE past AS SELECT * FROM main.record WHERE 0;
      CREATE INDEX temp.past_id ON past(id);
      CREATE TEMP TABLE past_moment (at TEXT, filled TEXT);
      ${pastViewsSql}
    `);
    mirror.sql('INSERT INTO past_moment VALUES (?, ?)').run(at, lastFillUntil(mirror, at) ?? at);
    mirror.asOf = at;
    return mirror;
  });
}

/** Number of records that `fillPast` adds between two yields. */
const recordsPerStep = 100;

/** Throws a StaleError for a moment before the mirror's first record. */
export function refuseBeforeFirstRecord(mirror: Mirror, at: string): void {
  refuseUncertain(mirror, at, Date.now());
  const firstSeen = mirror.column<string>('SELECT first_seen FROM record ORDER BY first_seen LIMIT 1').get();
  if (firstSeen !== undefined && firstSeen > at) {
    throw new StaleError(
      say`the first record of this mirror is from ${firstSeen}; the state of the service at ${at} is unknown`,
      say`use a later --as-of, or an older mirror with --db`,
    ).withFault('as_of', say`is before the first record of this mirror, ${instant(firstSeen)}`);
  }
}

/** Throws a StaleError if stored times lie in the future (wrong clock) and the moment follows the last reliable one. */
function refuseUncertain(mirror: Mirror, at: string, nowMs: number): void {
  const newest = newestTime(mirror);
  if (newest === null || ageMs(newest, nowMs) !== null) return;
  const certainAt = lastFillUntil(mirror, new Date(nowMs).toISOString());
  if (certainAt !== null && at <= certainAt) return;
  throw new StaleError(
    say`this mirror contains times in the future (${newest}) because a clock was wrong: its state at ${at} is unknown`,
    say`use a time up to ${certainAt ?? say`none`} with --as-of`,
  ).withFault('as_of', say`is a time for which the state of this mirror is unknown: a clock was wrong`);
}

/** Throws a StaleError if a kind was first seen after the moment, unless a sync had enumerated it as empty. */
function refuseBeforeFirstOfKind(mirror: Mirror, kind: Kind, at: string): void {
  const firstSeen = readHistoryStart(mirror, [kind]);
  if (firstSeen === null || firstSeen <= at || wasSynced(mirror, kind.name, at)) return;
  throw new StaleError(
    say`the first ${wordPhrase(kind.name)} of this mirror is from ${firstSeen}; the state of the service at ${at} is unknown`,
    say`use a later --as-of, or an older mirror with --db`,
  ).withFault(
    'as_of',
    say`is before ${instant(firstSeen)}, the date of the first ${wordPhrase(kind.name)} in this mirror`,
  );
}

/** Selects ids of records that may have changed since a moment (bound 3 times). UNION without ALL would scan all. */
export const changedSinceSql = `SELECT DISTINCT id FROM (
  SELECT record AS id FROM version WHERE seen_to > ? UNION ALL SELECT id FROM main.record WHERE withdrawn > ?
  UNION ALL SELECT id FROM main.record WHERE detail_since > ?
  UNION ALL SELECT record FROM version WHERE ended_by = 'withdrawn') ORDER BY id`;

/** Adds the records that changed after the moment, in their former state, in steps; not yet to the full-text index. */
export function* fillPast(mirror: Mirror): Generator<void> {
  const at = mirror.asOf!;
  const ids = mirror.column<number>(changedSinceSql).all(at, at, at);
  const mark = mirror.sql('INSERT INTO changed VALUES (?)');
  const copy = mirror.sql('INSERT INTO past SELECT * FROM main.record WHERE id = ? AND first_seen <= ?');
  const update = mirror.sql(`UPDATE past SET row = ?, detail = ?,
     ${facetColumns.map((name) => `${name} = ?`).join(', ')}, text_hash = ?, withdrawn = NULL WHERE id = ?`);
  for (const [index, id] of ids.entries()) {
    if (index % recordsPerStep === 0) yield;
    mark.run(id);
    const row = partAt(mirror, { id, part: 'row', at });
    if (row === null || copy.run(id, at).changes === 0) continue;
    const kind = kindOfRecord(id);
    const document: Document = JSON.parse(row);
    const facets = facetValues(kind, document, facetsOf(kind, document));
    const detail = partAt(mirror, { id, part: 'detail', at });
    update.run(row, detail, ...facets, textHash(kind, documentOf({ row, detail })), id);
  }
  mirror.database.exec(formerOwnerSql);
}

/** Gives former owners of a slug, whose key is `SLUG~1` today, the slug that they had. */
const formerOwnerSql = `UPDATE past SET key = row ->> '$.slug', row = json_remove(row, '$._key'),
  detail = json_remove(detail, '$._key')
  WHERE kind = 'politician' AND key > row ->> '$.slug' || '~' AND key < row ->> '$.slug' || '~~'`;

type PartMoment = { id: number; part: 'row' | 'detail'; at: string };

/** One part of a record at a moment (ISO 8601), as JSON; null if it was missing or withdrawn. */
export function partAt(mirror: Mirror, { id, part, at }: PartMoment): string | null {
  const since = part === 'row' ? 'last_changed' : 'detail_since';
  const sql = `SELECT ${part} FROM main.record WHERE id = ? AND ${since} <= ? AND (withdrawn IS NULL OR withdrawn > ?)`;
  const current = mirror.column<string | null>(sql).get(id, at, at);
  if (current) return current;
  const formerSql = `SELECT json FROM version WHERE record = ? AND part = ? AND seen_from <= ? AND seen_to > ? ORDER BY rowid DESC LIMIT 1`;
  return mirror.column<string>(formerSql).get(id, part, at, at) ?? null;
}

/** Temporary views shadow the tables of the same name; unchanged records are read from the table. */
const pastViewsSql = `
  CREATE TEMP VIEW record AS
    SELECT * FROM main.record
    WHERE first_seen <= ${pastMomentSql} AND withdrawn IS NULL AND id NOT IN (SELECT id FROM changed)
    UNION ALL SELECT * FROM past;
  CREATE TEMP VIEW meta AS
    SELECT key, CASE key WHEN 'synced_at' THEN (SELECT filled FROM temp.past_moment WHERE rowid = 1) ELSE value END AS value FROM main.meta;
`;

/** Indexes changed records by their former content; the main index covers the unchanged ones (see `indexParts`). */
function indexChangedRecords(mirror: Mirror): void {
  mirror.database.exec(`
    CREATE VIRTUAL TABLE temp.search USING fts5(name, title, body, about, content = '', tokenize = "ascii tokenchars '_'");
    CREATE INDEX temp.past_same_text ON past(text_hash);
  `);
  for (const { id, ...stored } of mirror.sql<RecordTexts & { id: number }>('SELECT id, row, detail FROM past').all()) {
    const kind = kindOfRecord(id);
    if (isIndexed(kind)) addToIndex(mirror, id, indexEntryOf(kind, documentOf(stored)));
  }
}

/** When this mirror saw its first record of these kinds, ISO 8601, or null. */
export function readHistoryStart(mirror: Mirror, kinds: readonly Kind[]): string | null {
  const any = mirror.column('SELECT 1 FROM record WHERE id BETWEEN ? AND ? LIMIT 1');
  const first = mirror.column<string>(firstSeenSql);
  const bounds = kinds.map(idBounds).filter((each) => any.get(...each) !== undefined);
  return bounds.map(([from, to]) => first.get({ since: '', until: '9', from, to })!).sort()[0] ?? null;
}

/** Table `moment`: the distinct times `at` of first records in ($since, $until], and a last NULL, by one seek each. */
export const momentsSql = `moment(at) AS (
    SELECT min(first_seen) FROM record WHERE first_seen > $since AND first_seen <= $until
    UNION ALL SELECT (SELECT min(first_seen) FROM record WHERE first_seen > at AND first_seen <= $until)
    FROM moment WHERE at IS NOT NULL)`;

// Many records of other kinds may have been seen at the same time, or before.
const firstSeenSql = `WITH RECURSIVE ${momentsSql}
  SELECT at FROM moment WHERE EXISTS (SELECT 1 FROM record WHERE first_seen = at AND id BETWEEN $from AND $to) LIMIT 1`;

/** When the first import or successful sync of a kind ended, ISO 8601; empty if the mirror has none of the kind. */
export function firstFillEnd(mirror: Mirror, kind: Kind): string {
  const start = readHistoryStart(mirror, [kind]) ?? '';
  const sql = `SELECT coalesce((SELECT min(ended_at) FROM run WHERE exit = 0 AND id >= first.id), '9999-12-31T00:00:00Z')
    FROM run AS first WHERE started_at <= ? AND coalesce(ended_at, '9') >= ? ORDER BY id LIMIT 1`;
  return mirror.column<string>(sql).get(start, start) ?? start;
}

/** Creates a test whether a change is the addition of a record by the first fill of its kind, which is not news. */
export function createFirstFillTest(mirror: Mirror): (change: Document) => boolean {
  const fillEnds = new Map<string, string>(kinds.map((kind) => [kind.name, firstFillEnd(mirror, kind)]));
  return ({ change, kind, seen_at: at }) => change === 'added' && String(at) <= fillEnds.get(String(kind))!;
}
