import type { Citation } from '../model/attribution.ts';
import { column } from '../model/columns.ts';
import type { Document } from '../model/document.ts';
import { withFlatTotals } from '../model/group-rows.ts';
import { type Column, hasColumn, type Kind, type KindName, kindOf, recordRange } from '../model/kinds.ts';
import { type Rename, readRenames } from '../store/history/renames.ts';
import { type RecordPeriod, recordTimeline } from '../store/history/timeline.ts';
import type { Mirror } from '../store/mirror.ts';
import type { TidyTable } from '../store/records/tidy-tables.ts';
import type { KeyedFilter } from '../store/rows.ts';
import { type ExportTable, tableIn } from './table.ts';
import { exportTable, isTidy, kindsOfTable, type TableName } from './tables.ts';

/** The columns behind those of a row of history. */
export const validColumns: Column[] = [
  column.datetime('valid_from', 'Moment since which this mirror saw the row so, ISO 8601.'),
  column.datetime(
    'valid_to',
    'Moment from which it no longer saw the row so, ISO 8601; empty while it does.',
  ),
];

/** The history of a table, readable as a whole or per record. */
export type HistoryTable = ExportTable & {
  /** Key columns of the record a row derives from; null if several records make up a row. */
  owner: string[] | null;
  /** Rows of the records with these ids; null means all. */
  rowsOf: (records: readonly number[] | null) => Iterable<Document>;
};

type HistoryOptions = { citation: Citation; isFlat: boolean };

/** The name of the table that holds the history of another one. */
export const historyName = (name: string): string => `${name}_history`;

type Span = { row: Document; from: string; to: string | null };

/** The history of a table: a row for each period in which a row held (`valid_from` ≤ moment < `valid_to`). */
export function historyTable(mirror: Mirror, table: TableName, options: HistoryOptions): HistoryTable {
  const { citation, isFlat } = options;
  const { originals, ...flat } = exportTable(mirror, table, { citation, filter: {} });
  const now = originals && !isFlat ? { ...flat, columns: originals.columns } : flat;
  function* rowsOf(records: readonly number[] | null): Generator<Document> {
    for (const { row, from, to } of spansOf(mirror, table, { isFlat, key: now.key, records }))
      yield { ...row, valid_from: from, valid_to: to };
  }
  return {
    ...now,
    owner: (isTidy(table) ? table.owner : now.key) ?? null,
    name: historyName(now.name),
    description: `${now.description} Every version that this mirror saw, with when it held.`,
    columns: [...now.columns, ...validColumns],
    key: [...now.key, 'valid_from'],
    references: [],
    count: () => null,
    rows: () => rowsOf(null),
    rowsOf,
  };
}

type SpanOptions = { isFlat: boolean; key: string[]; records: readonly number[] | null };

function spansOf(mirror: Mirror, table: TableName, options: SpanOptions): Iterable<Span> {
  if (!isTidy(table)) return recordSpans(mirror, table, options);
  return table.derive ? derivedSpans(mirror, table, options) : composedSpans(mirror, table, options.key);
}

function* recordSpans(mirror: Mirror, kind: Kind, { isFlat, records }: SpanOptions): Generator<Span> {
  for (const { text, from, to } of recordTimeline(mirror, kind, records)) {
    const document: Document = JSON.parse(text);
    yield { row: kind.flat && isFlat ? withFlatTotals(document) : document, from, to };
  }
}

const nameOf = (row: Document, key: string[]) => JSON.stringify(key.map((name) => row[name] ?? null));

/** Spans of rows derived from single records; equal rows of successive versions are one span. */
function* derivedSpans(
  mirror: Mirror,
  { kinds, derive }: TidyTable,
  { key, records }: SpanOptions,
): Generator<Span> {
  for (const kind of kinds.map(kindOf)) {
    let record: string | null = null;
    let open = createSpans(key);
    let last: RecordPeriod | null = null;
    for (const stretch of recordTimeline(mirror, kind, records)) {
      if (stretch.key !== record) {
        yield* open.end(last?.to ?? null);
        [record, last, open] = [stretch.key, null, createSpans(key)];
      }
      if (last && last.to !== stretch.from) yield* open.turn([], last.to!);
      yield* open.turn(derive!(kind, JSON.parse(stretch.text)), stretch.from);
      last = stretch;
    }
    yield* open.end(last?.to ?? null);
  }
}

/** Spans of rows composed of several kinds, recomputed at every change. */
function* composedSpans(
  mirror: Mirror,
  { kinds, keyed, compose }: TidyTable,
  key: string[],
): Generator<Span> {
  function* changesOf(kind: KindName) {
    for (const { key: name, text, from, to } of recordTimeline(mirror, kindOf(kind))) {
      yield { at: from, kind, name, text: kind === keyed ? 'null' : text };
      if (to !== null) yield { at: to, kind, name, text: null };
    }
  }
  const moments = Map.groupBy(kinds.values().flatMap(changesOf), ({ at }) => at);
  const held = new Map<KindName, Map<string, Document>>(kinds.map((kind) => [kind, new Map()]));
  const open = createSpans(key);
  for (const at of [...moments.keys()].sort()) {
    const changes = moments.get(at)!;
    for (const { kind, name, text } of changes) if (text === null) held.get(kind)!.delete(name);
    for (const { kind, name, text } of changes)
      if (text !== null) held.get(kind)!.set(name, JSON.parse(text));
    yield* open.turn(
      compose!(
        (kind) => held.get(kind)!.values(),
        (name) => held.get(keyed!)!.has(name),
      ),
      at,
    );
  }
  yield* open.end(null);
}

/** Tracks open rows by key; each turn yields the spans that ended. */
function createSpans(key: string[]) {
  let open = new Map<string, { row: Document; text: string; from: string }>();
  return {
    *turn(rows: Iterable<Document>, at: string): Generator<Span> {
      const next: typeof open = new Map();
      for (const row of rows) {
        const [name, text] = [nameOf(row, key), JSON.stringify(row)];
        const before = open.get(name);
        next.set(name, before?.text === text ? before : { row, text, from: at });
      }
      for (const [name, { row, from }] of open)
        if (next.get(name)?.from !== from) yield { row, from, to: at };
      open = next;
    },
    *end(to: string | null): Generator<Span> {
      for (const { row, from } of open.values()) yield { row, from, to };
    },
  };
}

/** A table of a copy that others query, or the history of one (with `owner` and `rowsOf`); `kinds` are those that it is made of. */
export type WarehouseTable = ExportTable &
  Partial<Pick<HistoryTable, 'owner' | 'rowsOf'>> & {
    kinds: Kind[];
    isHistory: boolean;
    /** The column with the key of each record, and pairs of a key and one that it had before, the latest first; none for others. */
    formerKeys?: { column: string; read(): Iterable<[string, string]> };
    /** Every row that these records (ids) ever had; null where several make up a row. */
    everOf: ((records: readonly number[]) => Iterable<Document>) | null;
    /** The rows of all records that are, or ever were, dated in one of these years; null where rows have no date of a record. */
    around: ((years: ReadonlySet<string | null>) => Iterable<Document>) | null;
  };

/** The named tables, each followed by its history: flat, or with nested columns as Parquet holds them. */
export function warehouseTables(
  mirror: Mirror,
  named: TableName[],
  options: HistoryOptions,
): WarehouseTable[] {
  const { citation, isFlat } = options;
  return named.flatMap((table) => {
    const kinds = kindsOfTable(table);
    const current = (filter: KeyedFilter) => {
      const now = exportTable(mirror, table, { citation, filter });
      return isFlat ? now : tableIn(now, 'parquet');
    };
    const history = historyTable(mirror, table, options);
    const [kind, ...others] = kinds;
    const isOfOne = !isTidy(table) || table.derive !== null;
    const isDated = isOfOne && others.length === 0 && hasColumn(kind!, 'date');
    const everOf = isOfOne ? history.rowsOf : null;
    const around = (rowsOf: (found: ReturnType<typeof recordsAround>) => Iterable<Document>) =>
      isDated ? (years: ReadonlySet<string | null>) => rowsOf(recordsAround(mirror, kind!, years)) : null;
    return [
      {
        ...{ ...current({}), kinds, isHistory: false, everOf },
        ...(isTidy(table) ? {} : { formerKeys: formerKeysOf(mirror, table) }),
        around: around((found) => current({ keys: found.map(({ key }) => key) }).rows()),
      },
      {
        ...{ ...history, kinds, isHistory: true, everOf },
        around: around((found) => history.rowsOf(found.map(({ id }) => id))),
      },
    ];
  });
}

function formerKeysOf(mirror: Mirror, kind: Kind): WarehouseTable['formerKeys'] {
  return {
    column: kind.flat?.[0]?.name ?? kind.keyField,
    *read() {
      const { byLatter } = readRenames(mirror, { since: '', until: null }).of(kind);
      for (const { key, ...last } of byLatter.values())
        for (let each: Rename | undefined = { key, ...last }; each; each = byLatter.get(each.from))
          yield [key, each.formerKey];
    },
  };
}

/** The records that are, or ever were, dated in one of these years. */
function recordsAround(
  mirror: Mirror,
  kind: Kind,
  years: ReadonlySet<string | null>,
): { id: number; key: string }[] {
  const { first, last } = recordRange(kind);
  const among = JSON.stringify([...years].map((year) => year ?? ''));
  const year = (json: string) =>
    `CASE WHEN ${json} ->> '$.date' GLOB '[0-9][0-9][0-9][0-9]-*' THEN substr(${json} ->> '$.date', 1, 4) ELSE '' END`;
  return mirror
    .sql<{ id: number; key: string }>(
      `SELECT id, key FROM main.record WHERE id IN (
        SELECT id FROM main.record WHERE id BETWEEN @first AND @last
          AND ${year('coalesce(row, detail)')} IN (SELECT value FROM json_each(@among))
        UNION SELECT record FROM version WHERE record BETWEEN @first AND @last
          AND ${year('json')} IN (SELECT value FROM json_each(@among)))`,
    )
    .all({ first, last, among });
}

/** The state of the kinds within the mark of a table; null where there is none. */
export const stateIn = (mark: string): string | null => /^\[1,"([^"]+)",/.exec(mark)?.[1] ?? null;
