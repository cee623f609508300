import type { Document } from '../model/document.ts';
import { titleOf } from '../model/facets.ts';
import type { Kind } from '../model/kinds.ts';
import { type FieldChange, fieldChanges } from '../model/normal-form.ts';
import { editedFields, nextDocument, readVersion } from './history.ts';
import type { Mirror } from './mirror.ts';
import { allOf, badCursor, decodeCursor, encodeCursor, type Page, type Sql } from './page.ts';
import { kindOfRecord, recordRange } from './record.ts';

/** One change of one record, as this mirror saw it. */
export type Change = {
  /** When this mirror saw it, ISO 8601; when it happened at the service is not known. */
  seen_at: string;
  change: 'added' | 'edited' | 'withdrawn' | 'returned';
  kind: string;
  key: string;
  /** Slug of the politician that the record is about, or null. */
  politician: string | null;
  title: string;
  /** What an edit (or a return) changed, field by field; empty otherwise. */
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
};

type Event = { change: Change['change']; at: string; record: number; version: number };

/** What changed since a moment, the newest first. */
export function* changes(mirror: Mirror, filter: ChangeFilter): Generator<Change> {
  for (const { change } of changeEvents(mirror, filter)) yield change;
}

/**
 * A page of what changed; without a limit all of it from the cursor on, as it is read. Nobody has counted it: that would
 * take as long as telling it.
 */
export function changesPage(
  mirror: Mirror,
  { limit, cursor, ...filter }: ChangeFilter & { limit: number; cursor?: string | undefined },
): Omit<Page, 'items'> & { items: Iterable<string> } {
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
  const { sql, parameters } = changesSql(filter, after);
  // A statement of its own: a cached one cannot be iterated twice at once.
  for (const event of mirror.database.prepare<unknown[], Event>(sql).iterate(...parameters)) {
    const change = changeOf(mirror, event, filter.until ?? null);
    if (change.change !== 'edited' || change.fields.length > 0) yield { change, event };
  }
}

/** Every event as (change, moment, record, version), newest first; those behind `after` where it is given. */
export function changesSql(
  { since, until = null, kinds, politician }: ChangeFilter,
  after: [at: string, record: number, version: number] | null = null,
): Sql {
  const conditions: Sql[] = [];
  if (until !== null) conditions.push({ sql: 'at <= ?', parameters: [until] });
  if (after) {
    const [at, record, version] = after;
    conditions.push({
      sql: 'at < ? OR (at = ? AND (record > ? OR (record = ? AND version < ?)))',
      parameters: [at, at, record, record, version],
    });
  }
  if (kinds) {
    const ranges = kinds.map(recordRange);
    conditions.push({
      sql: ranges.map(() => 'record BETWEEN ? AND ?').join(' OR '),
      parameters: ranges.flatMap(({ first, last }) => [first, last]),
    });
  }
  if (politician !== undefined) {
    conditions.push({
      sql: `record IN (SELECT id FROM record WHERE politician = ? UNION ALL SELECT id FROM record WHERE kind = 'politician' AND key = ?)`,
      parameters: [politician, politician],
    });
  }
  const where = allOf(conditions);
  return {
    sql: `SELECT change, at, record, version FROM (
      SELECT 'added' AS change, first_seen AS at, id AS record, 0 AS version FROM record WHERE first_seen > ?
      UNION ALL SELECT 'withdrawn', withdrawn, id, 0 FROM record WHERE withdrawn > ?
      UNION ALL SELECT ended_by, seen_to, record, rowid FROM version WHERE seen_to > ?
      UNION ALL SELECT 'returned', at, record, version FROM (
        SELECT coalesce(
          (SELECT min(seen_from) FROM version AS later WHERE later.record = version.record AND later.part = 'row' AND later.rowid > version.rowid),
          (SELECT last_changed FROM record WHERE id = version.record)) AS at, record, rowid AS version
        FROM version WHERE ended_by = 'withdrawn') WHERE at > ?
    ) WHERE ${where.sql} ORDER BY at DESC, record, version DESC`,
    parameters: [since, since, since, since, ...where.parameters],
  };
}

type Stored = { key: string; politician: string | null; json: string };

function changeOf(mirror: Mirror, { change, at, record, version }: Event, until: string | null): Change {
  const kind = kindOfRecord(record);
  const stored = mirror
    .sql<Stored>('SELECT key, politician, coalesce(row, detail) AS json FROM record WHERE id = ?')
    .get(record)!;
  // Of the past it is told as it was called then.
  const json = (until !== null && textAt(mirror, record, until)) || stored.json;
  const document: Document = JSON.parse(json);
  return {
    seen_at: at,
    change,
    kind: kind.name,
    key: stored.key,
    politician: kind.name === 'politician' ? stored.key : stored.politician,
    title: titleOf(kind, document),
    fields: version === 0 ? [] : fieldsOf(mirror, { change, kind, version }),
  };
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
  { change, kind, version }: { change: Change['change']; kind: Kind; version: number },
): FieldChange[] {
  const former = readVersion(mirror, version);
  if (change === 'edited') return editedFields(mirror, former);
  if (change !== 'returned') return [];
  return fieldChanges(kind, JSON.parse(former.json), nextDocument(mirror, former));
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
