import { analyserVersion } from '../../language/stem.ts';
import { type Document, slugOf } from '../../model/document.ts';
import { formerSlugOf, titleOf } from '../../model/facets.ts';
import { columnOf, type Kind, kinds } from '../../model/kinds.ts';
import { type FieldChange, fieldChanges } from '../../model/normal-form.ts';
import { type Mirror, readMeta } from '../mirror.ts';
import { allOf, badCursorError, decodeCursor, encodeCursor, type JsonPage, type Sql, trimPage } from '../page.ts';
import { kindOfRecord, recordRanges } from '../record.ts';
import { type RecordFilter, seatSql } from '../records/seats.ts';
import { subjectChangesJson } from '../records/subject-records.ts';
import { type Rename, type Renames, readRenames } from '../renames.ts';
import { readWordsFilter, type WordsFilter } from '../search/all-words.ts';
import { usedRanges } from '../word-index/search-index.ts';
import { createPartyFilter } from './changes-of-party.ts';
import { dropRepeatedChanges, editedFields, nextDocument, readVersion } from './history.ts';
import { partAt } from './past.ts';
import { openWordsTest } from './words-test.ts';

export const changeTypes = ['added', 'edited', 'withdrawn', 'returned', 'renamed'] as const;
type ChangeType = (typeof changeTypes)[number];

export type ChangeFilter = RecordFilter & {
  /** Exclusive start, ISO 8601. */
  since: string;
  /** Inclusive end, ISO 8601; null for none. */
  until?: string | null;
  kinds?: Kind[] | undefined;
  /** Slug of a politician; includes records about them. */
  politician?: string | undefined;
  /** Comma-separated slugs of parties and groups; includes their members and records, as of the change. */
  party?: string | undefined;
  topic?: string | undefined;
  /** Types of change to list; all by default. */
  only?: readonly ChangeType[] | undefined;
  /** Words in the record, or in the former content of an edited field. */
  q?: string | undefined;
};

/** `version`: rowid of the last version before the change; 0 for an addition, and if the record is still withdrawn. */
type ChangeEvent = { change: Exclude<ChangeType, 'renamed'>; at: string; record: number; version: number };

type EventPosition = [at: string, record: number, version: number];

/** Yields the changes after a position (null: all), newest first. */
export const listChanges = (mirror: Mirror, filter: ChangeFilter, after: EventPosition | null = null) =>
  readChangeEvents(mirror, filter, after).map(({ change }) => change);

/** A page of changes as JSON; an infinite limit reads all lazily. `total` is null unless one page has all. */
export function readChangePage(
  mirror: Mirror,
  { limit, cursor, ...filter }: ChangeFilter & { limit: number; cursor?: string | undefined },
): Omit<JsonPage, 'items'> & { items: Iterable<string> } {
  const after = cursor === undefined ? null : decodeCursor<[number, number]>('changes', cursor, 2);
  if (after && Number.isNaN(Date.parse(after[0]))) throw badCursorError();
  if (limit === Number.POSITIVE_INFINITY) {
    const items = listChanges(mirror, filter, after).map((change) => JSON.stringify(change));
    return { items, total: null, nextCursor: null };
  }
  const { rows, last } = trimPage([...readChangeEvents(mirror, filter, after).take(limit + 1)], limit);
  const items = rows.map(({ change }) => JSON.stringify(change));
  const nextCursor = last && encodeCursor('changes', [last.event.at, last.event.record, last.event.version]);
  return { items, total: last === null && cursor === undefined ? items.length : null, nextCursor };
}

/** Yields each change with its event; omits events that another one reports, and edits that change no field. */
function* readChangeEvents(mirror: Mirror, filter: ChangeFilter, after: EventPosition | null) {
  const partyFilter = filter.party === undefined ? null : createPartyFilter(mirror, { ...filter, party: filter.party });
  const ranges = usedRanges(mirror, filter.kinds ?? []);
  const hasFewRecords = ranges.reduce((sum, { first, last }) => sum + last - first, 0) < maxRecordsToSort;
  const renames = readRenames(mirror, filter.until ?? null);
  const kindNames = (filter.kinds ?? kinds).map(({ name }) => name);
  const words = filter.q?.trim() ? readWordsFilter(mirror, filter.q, kindNames) : null;
  using wordsTest = words && openWordsTest(mirror, words);
  // Null: read all additions. If not requested, read only those of renames: a first import may add a million.
  const additionIds = filter.only && !filter.only.includes('added') ? [] : recordsWithWords(mirror, words);
  const additionIdsJson =
    additionIds === null ? undefined : JSON.stringify([...new Set([...additionIds, ...renames.byNewId.keys()])]);
  const seatRecordsJson = seatSql(mirror, filter).map(({ sql, parameters }) =>
    JSON.stringify(mirror.column<number>(`SELECT id FROM main.record WHERE ${sql}`).all(...parameters)),
  );
  const records = [partyFilter?.records, subjectChangesJson(mirror, filter), ...seatRecordsJson].filter(
    (ids) => ids !== undefined,
  );
  const person = filter.politician === undefined ? {} : { person: politicianSql(mirror, filter.politician) };
  const eventFilter = { ...filter, ...person, records, added: additionIdsJson };
  const { sql, parameters } = changesSql(eventFilter, after, hasFewRecords);
  for (const event of mirror.sql<ChangeEvent>(sql).iterate(...parameters)) {
    if (partyFilter && !partyFilter.matches(event.record, event.at)) continue;
    // An event of another type may report a rename.
    if (filter.only && !filter.only.includes(event.change) && !renameAt(event, renames)) continue;
    const change = readChange(mirror, event, { filter, renames, wordsTest });
    if (!change || (filter.only && !filter.only.includes(change.change))) continue;
    if (change.change !== 'edited' || change.fields.length > 0) yield { change, event };
  }
}

/** Ids of records that may contain all words: index matches, and records with former texts. Null: any record may. */
function recordsWithWords(mirror: Mirror, words: WordsFilter | null): number[] | null {
  if (words === null || readMeta(mirror, 'analyser') !== String(analyserVersion)) return null;
  const { sql: wordsSql, parameters } = words.sql();
  const statement = mirror.column<number>(`SELECT id FROM main.record WHERE ${wordsSql} LIMIT ?`);
  const matchingIds = statement.all(...parameters, maxWordMatches + 1);
  if (matchingIds.length > maxWordMatches) return null;
  const sql = `SELECT record FROM version UNION ALL SELECT id FROM main.record WHERE withdrawn IS NOT NULL
    UNION ALL SELECT id FROM main.record WHERE detail_since IS NOT NULL AND row IS NOT NULL`;
  return [...matchingIds, ...mirror.column<number>(sql).all()];
}

/** Below this number of records, sorting their events is faster than a scan by time. */
const maxRecordsToSort = 5000;

/** Above this number of matches, reading all changes soon fills a page. */
const maxWordMatches = 100_000;

/** `records` and `added` are JSON arrays of ids: a record is in each of `records`, an added one also in `added`. */
type EventFilter = Omit<ChangeFilter, 'party'> &
  Partial<{ records: readonly string[]; added: string | undefined; person: Sql }>;

/** Condition of a politician's events: from the withdrawal of the slug's previous owner until their own. */
function politicianSql(mirror: Mirror, key: string): Sql {
  const slug = key.replace(/~\d+$/, '');
  // Former owners have the keys `SLUG~1`, … (`store/saving/reused-slugs.ts`); records about them still name the slug.
  const sql = `SELECT key, withdrawn FROM main.record WHERE kind = 'politician' AND key > $slug || '~'
    AND key < $slug || '~~' ORDER BY withdrawn`;
  const formerOwners = mirror.sql<{ key: string; withdrawn: string | null }>(sql).all({ slug });
  const formerIndex = formerOwners.findIndex((each) => each.key === key); // -1 for the current owner
  const previousOwner = formerIndex < 0 ? formerOwners.at(-1) : formerOwners[formerIndex - 1];
  const interval = [previousOwner?.withdrawn ?? '', formerOwners[formerIndex]?.withdrawn ?? '9999'];
  return {
    sql: `record IN (SELECT id FROM record WHERE politician = ? UNION ALL
      SELECT id FROM record WHERE kind = 'politician' AND key IN (?, ?) UNION ALL SELECT former FROM rename
      JOIN record ON id = latter WHERE is_merge AND kind = 'politician' AND key = ?) AND at BETWEEN ? AND ?`,
    parameters: [formerIndex < 0 ? key : slug, key, previousOwner?.key ?? key, key, ...interval],
  };
}

/** Selects events as (change, at, record, version) after a position, newest first. */
export function changesSql(filter: EventFilter, after: EventPosition | null = null, hasFewRecords = false): Sql {
  const { since, until = null, kinds, person, topic, records = [], added } = filter;
  const conditions: Sql[] = [];
  const add = (sql: string, ...parameters: (string | number)[]) => conditions.push({ sql, parameters });
  add('at > ?', since);
  if (until !== null) add('at <= ?', until);
  if (after) {
    const [at, record, version] = after;
    add('at <= ? AND (at < ? OR record > ? OR (record = ? AND version < ?))', at, at, record, record, version);
  }
  if (kinds) {
    // The unary plus keeps SQLite on the index by time, unless the kinds have few records.
    const ranges = recordRanges(kinds);
    const rangeSql = ranges.map(() => `${hasFewRecords ? '' : '+'}record BETWEEN ? AND ?`).join(' OR ');
    add(rangeSql, ...ranges.flatMap(({ first, last }) => [first, last]));
  }
  if (person) conditions.push(person);
  if (topic !== undefined) add('record IN (SELECT id FROM record WHERE topic = ?)', topic);
  for (const ids of records) add('record IN (SELECT value FROM json_each(?))', ids);
  const where = allOf(conditions);
  return {
    sql: `SELECT * FROM (${eventsSql(added !== undefined)}) WHERE ${where.sql} ORDER BY at DESC, record, version DESC`,
    parameters: [...(added === undefined ? [] : [added]), ...where.parameters],
  };
}

/** Selects events; with `hasAdditionIds`, the first parameter is a JSON array of ids, the only additions to select. */
// Equal types let SQLite filter each part along indexes: https://sqlite.org/optoverview.html#flattening
const eventsSql = (hasAdditionIds: boolean): string => `
  SELECT CAST('added' AS TEXT) AS change, first_seen AS at, record.id AS record, CAST(0 AS INTEGER) AS version
    FROM ${hasAdditionIds ? 'json_each(?) CROSS JOIN record ON record.id = value' : 'record'}
  UNION ALL SELECT CAST('withdrawn' AS TEXT), withdrawn, id, CAST(0 AS INTEGER) FROM record WHERE withdrawn IS NOT NULL
  UNION ALL SELECT ended_by, seen_to, record, rowid FROM version
  UNION ALL SELECT CAST('returned' AS TEXT), CAST(coalesce(
      (SELECT min(seen_from) FROM version AS later WHERE later.record = version.record AND later.part = 'row' AND later.rowid > version.rowid),
      (SELECT last_changed FROM record WHERE id = version.record)) AS TEXT), record, rowid
    FROM version WHERE ended_by = 'withdrawn'`;

type ChangeContext = { filter: ChangeFilter; renames: Renames; wordsTest: ReturnType<typeof openWordsTest> | null };

/** The change of an event, as this mirror observed it; null if another event reports it or words do not match. */
function readChange(mirror: Mirror, event: ChangeEvent, { filter, renames, wordsTest }: ChangeContext) {
  const { change, at, record } = event;
  const kind = kindOfRecord(record);
  const rename = renameAt(event, renames);
  if (rename && !reportsRename(event, rename, filter)) return null;
  const stored = readRecordAt(mirror, rename?.to ?? record, filter.until ?? null);
  const fields = rename
    ? fieldChanges(kind, readRecordAt(mirror, rename.from, at).document, stored.document)
    : changedFieldsOf(mirror, event, renames);
  const formerKey = rename?.formerKey ?? (change === 'withdrawn' ? formerSlugOf(stored.document) : null);
  const texts = fields.flatMap(({ old, new: next }) => [old, next]).filter((text) => typeof text === 'string');
  if (wordsTest?.matches({ id: record, kind, document: stored.document, texts }) === false) return null;
  return {
    /** When this mirror observed it, ISO 8601; the time of the change at the service is unknown. */
    seen_at: at,
    change: rename ? ('renamed' as const) : change,
    kind: kind.name,
    key: stored.key,
    /** Key before a rename, or a slug that another person has now; absent otherwise. */
    ...(formerKey === null ? {} : { former_key: formerKey }),
    /** When the mirror had reported a returned record as withdrawn. */
    ...(change === 'returned' ? { withdrawn_at: readVersion(mirror, event.version).seen_to } : {}),
    politician: kind.name === 'politician' ? stored.key : stored.politician,
    title: titleOf(kind, stored.document),
    /** Changed fields of an edit, a return or a rename; empty otherwise. */
    fields,
  };
}

/** The rename that an addition or withdrawal is part of; undefined if it is part of none. */
function renameAt({ change, record, version }: ChangeEvent, { byFormerId, byNewId }: Renames): Rename | undefined {
  if (version !== 0) return undefined;
  return change === 'withdrawn' ? byFormerId.get(record) : byNewId.get(record);
}

/** True if this event reports the rename: the later of the two, or the only one that the filter includes. */
function reportsRename({ record }: ChangeEvent, rename: Rename, { politician }: ChangeFilter): boolean {
  const isOfNewRecord = record === rename.to;
  const isSelectedKey = politician === (isOfNewRecord ? rename.key : rename.formerKey);
  const isLaterEvent = rename.isLate ? isOfNewRecord : !isOfNewRecord; // `isLate`: arrived after the withdrawal
  return isLaterEvent || (rename.kind === 'politician' && isSelectedKey);
}

/** Key and politician of a record now, and its document at `until`: the present one for null or if it had none. */
function readRecordAt(mirror: Mirror, record: number, until: string | null) {
  const sql = 'SELECT key, politician, coalesce(row, detail) AS json FROM record WHERE id = ?';
  const { json, ...stored } = mirror.sql<{ key: string; politician: string | null; json: string }>(sql).get(record)!;
  const formerJson = until === null ? null : partAt(mirror, { id: record, part: 'row', at: until });
  return { ...stored, document: JSON.parse(formerJson ?? json) as Document };
}

/** Fields changed by an edit or a return, without those that only repeat other records; empty for other events. */
function changedFieldsOf(mirror: Mirror, { change, version, record }: ChangeEvent, renames: Renames): FieldChange[] {
  if (version === 0 || (change !== 'edited' && change !== 'returned')) return [];
  const former = readVersion(mirror, version);
  const kind = kindOfRecord(record);
  const changes = dropRepeatedChanges(mirror, nextDocument(mirror, former), editedFields(mirror, former));
  // Omit a changed reference that only follows the rename of its record.
  return changes.filter(({ field, old, new: next }) => {
    const isRenameOf = (rename: Rename) =>
      rename.kind === field && rename.formerKey === slugOf(old) && rename.key === slugOf(next);
    return !columnOf(kind, field).isReference || !renames.byFormerId.values().some(isRenameOf);
  });
}
