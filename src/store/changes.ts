import type { Document } from '../model/document.ts';
import { titleOf } from '../model/facets.ts';
import type { Kind } from '../model/kinds.ts';
import { type FieldChange, fieldChanges } from '../model/normal-form.ts';
import { editedFields, nextDocument, readVersion } from './history.ts';
import type { Mirror } from './mirror.ts';
import { allOf, type Sql } from './page.ts';
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
  kinds?: Kind[] | undefined;
  /** Slug: changes of that politician and of records about them. */
  politician?: string | undefined;
};

type Event = { change: Change['change']; at: string; record: number; version: number };

/** What changed since a moment, the newest first. */
export function* changes(mirror: Mirror, filter: ChangeFilter): Generator<Change> {
  const { sql, parameters } = changesSql(filter);
  // A statement of its own: a cached one cannot be iterated twice at once.
  for (const event of mirror.database.prepare(sql).iterate(...parameters) as IterableIterator<Event>) {
    const change = changeOf(mirror, event);
    if (change.change !== 'edited' || change.fields.length > 0) yield change;
  }
}

/** Every event as (change, moment, record, version), newest first. */
export function changesSql({ since, kinds, politician }: ChangeFilter): Sql {
  const conditions: Sql[] = [];
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

function changeOf(mirror: Mirror, { change, at, record, version }: Event): Change {
  const kind = kindOfRecord(record);
  const stored = mirror
    .sql('SELECT key, politician, coalesce(row, detail) AS json FROM record WHERE id = ?')
    .get(record) as Stored;
  const document: Document = JSON.parse(stored.json);
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
  const first = mirror
    .sql('SELECT first_seen FROM record WHERE id BETWEEN ? AND ? ORDER BY first_seen LIMIT 1')
    .pluck();
  const moments = kinds.map((kind) => {
    const range = recordRange(kind);
    return first.get(range.first, range.last) as string | undefined;
  });
  return moments.filter((moment) => moment !== undefined).sort()[0] ?? null;
}
