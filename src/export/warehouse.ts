import { byCodeUnit } from '../language/fold.ts';
import type { Citation } from '../model/attribution.ts';
import { column } from '../model/columns.ts';
import type { Document } from '../model/document.ts';
import { type Column, hasColumn, type Kind, type KindName, kindOf, recordRange } from '../model/kinds.ts';
import { withFlatTotals } from '../parliament/group-rows.ts';
import { type RecordPeriod, readTimeline } from '../store/history/timeline.ts';
import { recordIdsSincePositions } from '../store/journal.ts';
import type { Mirror } from '../store/mirror.ts';
import { createNatureReader } from '../store/records/ballots.ts';
import type { TidyTable } from '../store/records/tidy-tables.ts';
import { type Rename, readRenames } from '../store/renames.ts';
import type { KeyedFilter } from '../store/rows.ts';
import { syncEndReader } from '../store/syncs/runs.ts';
import type { SanityChecks } from './former-export.ts';
import type { ExportTable, ExportWatch } from './table.ts';
import { exportTable, isTidyTable, kindsOfTable, type TableSource } from './tables.ts';

/** Columns of the validity interval, after those of a history row. */
export const validityColumns: Column[] = [
  column.datetime('valid_from', 'When this mirror first received the row in this version (ISO 8601).'),
  column.datetime(
    'valid_to',
    'When this mirror detected that the version was replaced or withdrawn (ISO 8601); empty for the current version.',
  ),
];

/** Returns the table with undescribed columns (`isGuessed`) as text, since their value types may change. */
const withStableTypes = <Table extends Pick<ExportTable, 'columns'>>(table: Table): Table => ({
  ...table,
  columns: table.columns.map((each) => (each.isGuessed ? { ...each, type: 'text' } : each)),
});

/** `isFlat` is true to replace nested columns by flat ones. */
type HistoryOptions = { citation: Citation; isFlat: boolean };

/** Returns the name of the history table of a table. */
export const historyName = (name: string): string => `${name}_history`;

/** The history of a table: one row per validity interval (`valid_from` ≤ moment < `valid_to`). */
export function historyTable(mirror: Mirror, table: TableSource, { citation, isFlat }: HistoryOptions) {
  const { originals, ...flat } = exportTable(mirror, table, { citation, filter: {} });
  const currentTable = withStableTypes(originals && !isFlat ? { ...flat, columns: originals.columns } : flat);
  const rowsOf = (records: readonly number[] | null): Iterable<Document> => {
    const intervalOptions = { isFlat, key: currentTable.key, records };
    if (!isTidyTable(table)) return recordIntervals(mirror, table, intervalOptions);
    return (table.derive ? derivedIntervals : composedIntervals)(mirror, table, intervalOptions);
  };
  return {
    ...currentTable,
    /** Key columns of the record a row derives from; null if several records make up a row. */
    owner: isTidyTable(table) ? (table.derive ? currentTable.key.slice(0, -1) : null) : currentTable.key,
    name: historyName(currentTable.name),
    // Derivation 2 has one version of a composed row per sync; derivation 1 had one per stage of a sync.
    ...(isTidyTable(table) && table.compose ? { derivation: 2 } : {}),
    description: `${currentTable.description} Every version that this mirror saw, with when it held.`,
    columns: [...currentTable.columns, ...validityColumns],
    key: [...currentTable.key, 'valid_from'],
    references: [],
    count: () => null,
    rows: () => rowsOf(null),
    /** Rows of the records with these ids; null means all. */
    rowsOf,
  };
}

/** `key` are the key columns; `records` the ids of the only records to read, null for all. */
type IntervalOptions = { isFlat: boolean; key: string[]; records: readonly number[] | null };

/** Validity intervals of the versions of records. */
function* recordIntervals(mirror: Mirror, kind: Kind, { isFlat, records }: IntervalOptions): Generator<Document> {
  const natureIn = kind.flat && isFlat ? createNatureReader(mirror) : null;
  for (const { text, from, to } of readTimeline(mirror, kind, records)) {
    const document: Document = JSON.parse(text);
    const row = natureIn ? withFlatTotals(document, natureIn(document)) : document;
    yield { ...row, valid_from: from, valid_to: to };
  }
}

/** Validity intervals of rows derived from single records; merges equal rows of successive versions. */
function* derivedIntervals(mirror: Mirror, { kinds, derive }: TidyTable, { key, records }: IntervalOptions) {
  for (const kind of kinds.map(kindOf)) {
    const replaceRows = createIntervalTracker(key);
    let last: RecordPeriod | null = null;
    for (const period of readTimeline(mirror, kind, records)) {
      // Another record follows, or this one was withdrawn for a while: the rows end with the last version.
      if (last && (last.key !== period.key || last.to !== period.from)) yield* replaceRows([], last.to);
      yield* replaceRows(derive!(kind, JSON.parse(period.text), mirror), period.from);
      last = period;
    }
    if (last) yield* replaceRows([], last.to);
  }
}

/** A version of a record from a moment on; `document` is null once it is withdrawn. */
type RecordState = { at: string; kind: KindName; key: string; document: Document | null };

/** Validity intervals of rows composed of several kinds; records of `batchedKind` share no row and come in batches. */
function* composedIntervals(mirror: Mirror, table: TidyTable, { key }: IntervalOptions): Generator<Document> {
  const { kinds, testedKind, batchedKind, composedFields = [] } = table;
  function* statesOf(name: KindName, records: number[] | null = null): Generator<RecordState> {
    const kind = kindOf(name);
    for (const { key: record, text, from, to } of readTimeline(mirror, kind, records)) {
      const recordDocument: Document = name === testedKind ? {} : JSON.parse(text); // `compose` reads only its key
      const fields = Object.fromEntries(composedFields.map((field) => [field, recordDocument[field] ?? null]));
      yield { at: from, kind: name, key: record, document: { ...fields, [kind.keyField]: record } };
      if (to !== null) yield { at: to, kind: name, key: record, document: null };
    }
  }
  const endOfSync = syncEndReader(mirror);
  const otherStates = kinds.filter((kind) => kind !== batchedKind).flatMap((kind) => [...statesOf(kind)]);
  const intervalsOf = (states: RecordState[]) => intervalsOfStates(states, table, { key, endOfSync });
  if (batchedKind === undefined) return yield* intervalsOf(otherStates);
  const ids = mirror.column<number>('SELECT id FROM main.record WHERE kind = ? ORDER BY key').all(batchedKind);
  while (ids.length > 0) yield* intervalsOf([...statesOf(batchedKind, ids.splice(0, 500)), ...otherStates]);
}

/** Validity intervals of rows composed of these records; rows are recomputed once for each sync. */
function* intervalsOfStates(
  recordStates: RecordState[],
  { kinds, testedKind, compose }: TidyTable,
  { key, endOfSync }: { key: string[]; endOfSync(at: string): string },
): Generator<Document> {
  const statesInOrder = recordStates.sort((one, other) => byCodeUnit(one.at, other.at));
  const syncEnds = new Map([...new Set(statesInOrder.map(({ at }) => at))].map((at) => [at, endOfSync(at)]));
  const currentRecords = new Map<KindName, Map<string, Document>>(kinds.map((kind) => [kind, new Map()]));
  const rowsOfKind = (kind: KindName) => currentRecords.get(kind)!.values();
  const isCurrentKey = (recordKey: string) => currentRecords.get(testedKind!)!.has(recordKey);
  const replaceRows = createIntervalTracker(key);
  for (const [at, changes] of Map.groupBy(statesInOrder, (state) => syncEnds.get(state.at)!)) {
    for (const { kind, key: recordKey, document } of changes)
      if (document) currentRecords.get(kind)!.set(recordKey, document);
      else currentRecords.get(kind)!.delete(recordKey);
    yield* replaceRows(compose!(rowsOfKind, isCurrentKey), at);
  }
  yield* replaceRows([], null);
}

/** Returns a function that replaces the current rows, by key, and yields the ended ones; null `at` for the present. */
function createIntervalTracker(key: string[]) {
  let currentRows = new Map<string, { row: Document; text: string; from: string | null }>();
  return function* (rows: Iterable<Document>, at: string | null): Generator<Document> {
    const nextRows: typeof currentRows = new Map();
    for (const row of rows) {
      const rowKey = JSON.stringify(key.map((column) => row[column] ?? null));
      const text = JSON.stringify(row);
      const openRow = currentRows.get(rowKey);
      nextRows.set(rowKey, openRow?.text === text ? openRow : { row, text, from: at });
    }
    for (const [rowKey, { row, from }] of currentRows)
      if (nextRows.get(rowKey)?.from !== from) yield { ...row, valid_from: from, valid_to: at };
    currentRows = nextRows;
  };
}

/** A table for a database or lake, or a history (with `owner` and `rowsOf`); `kinds` are its source kinds. */
export type WarehouseTable = ExportTable &
  Partial<Pick<ReturnType<typeof historyTable>, 'owner' | 'rowsOf'>> & {
    kinds: Kind[];
    isHistory: boolean;
    /** Ids of the source records that changed since a state of the mirror; null if unknown: all rows are sent. */
    changedSince: (state: string) => number[] | null;
    /** The key column, and pairs of current and former key, latest first; absent for tables without former keys. */
    formerKeys?: { column: string; read(): Iterable<[string, string]> };
    /** Yields `date` and `chamber` (at least) of all rows these records (ids) ever had; null for composed tables. */
    partitionFieldsOf: ((records: readonly number[]) => Iterable<Document>) | null;
    /** Yields at least the rows that ever had a date in these years (null: no date); null unless of one dated kind. */
    rowsOfYears: ((years: ReadonlySet<string | null>) => Iterable<Document>) | null;
  };

/** Options of an export to a database or lake. */
export type WarehouseOptions = SanityChecks & {
  /** Called with the rows written so far; an error it throws ends the run, and rolls a database back. */
  watch: ExportWatch;
};

/** Creates each table followed by its history, with flat columns, or with nested ones as in Parquet. */
export function warehouseTables(mirror: Mirror, sources: TableSource[], options: HistoryOptions) {
  const { citation } = options;
  return sources.flatMap((table) => {
    const kinds = kindsOfTable(table);
    const currentTableOf = (filter: KeyedFilter) => withStableTypes(exportTable(mirror, table, { citation, filter }));
    const history = historyTable(mirror, table, options);
    const [kind, ...otherKinds] = kinds;
    const isDated = history.owner && otherKinds.length === 0 && hasColumn(kind!, 'date');
    // Of a dated kind, only date and chamber are read; other tables yield whole rows, composed ones (no owner) none.
    const datesOf = (records: readonly number[]) => readDates(mirror, records);
    const partitionFieldsOf = isDated && !isTidyTable(table) ? datesOf : history.owner && history.rowsOf;
    const changedSince = (state: string) => recordIdsSincePositions(mirror, kinds, state);
    const changes = { kinds, changedSince, partitionFieldsOf };
    // The date of a derived row may be that of another field, so records without a year are read, too.
    const undated = isTidyTable(table) ? [null] : [];
    const datedRows = (rowsOf: (ids: number[]) => Iterable<Document>) =>
      isDated ? (years: ReadonlySet<string | null>) => rowsOf(idsOfYears(mirror, kind!, [...years, ...undated])) : null;
    return [
      {
        ...currentTableOf({}),
        ...changes,
        isHistory: false,
        ...(isTidyTable(table) ? {} : { formerKeys: formerKeysOf(mirror, table) }),
        rowsOfYears: datedRows((ids) => currentTableOf({ ids }).rows()),
      },
      { ...history, ...changes, isHistory: true, rowsOfYears: datedRows(history.rowsOf) },
    ];
  });
}

/** Reads the key column, and the former keys of renamed records, latest rename first. */
function formerKeysOf(mirror: Mirror, kind: Kind): WarehouseTable['formerKeys'] {
  return {
    column: kind.flat?.[0]?.name ?? kind.keyField,
    *read() {
      const { byNewId } = readRenames(mirror, null);
      for (const last of byNewId.values().filter((rename) => rename.kind === kind.name))
        for (let each: Rename | undefined = last; each; each = byNewId.get(each.from)) yield [last.key, each.formerKey];
    },
  };
}

/** Date and chamber of every version of these records, each pair once. */
function* readDates(mirror: Mirror, records: readonly number[]): Generator<Document> {
  const fields = (json: string) => `json_object('date', ${json} -> '$.date', 'chamber', ${json} -> '$.chamber')`;
  const sql = `SELECT ${fields('coalesce(row, detail)')} FROM main.record WHERE id IN (SELECT value FROM json_each(@ids))
    UNION SELECT ${fields('json')} FROM version WHERE record IN (SELECT value FROM json_each(@ids))`;
  for (const text of mirror.column<string>(sql).all({ ids: JSON.stringify(records) })) yield JSON.parse(text);
}

/** Ids of at least the records that ever had a date in these years (null: no year); cached for table and history. */
function idsOfYears(mirror: Mirror, kind: Kind, years: (string | null)[]): number[] {
  // To use the index on `date`, a year is a range of text: '2031-' ≤ date < '2031.' ('.' follows '-').
  // '' (no year) is the range of all text, as the blob x'' sorts after it; `hasYear` then excludes dates with a year.
  const yearsJson = JSON.stringify(years.map((year) => year ?? ''));
  const hasYear = (json: string) => `${json} ->> '$.date' GLOB '[0-9][0-9][0-9][0-9]-*'`;
  const sql = `SELECT record.id FROM json_each(@among) CROSS JOIN main.record
      WHERE (value <> '' OR (${hasYear('coalesce(row, detail)')}) IS NOT TRUE)
        AND kind = @kind AND date >= iif(value = '', '', value || '-') AND date < iif(value = '', x'', value || '.')
    UNION SELECT record FROM version WHERE record BETWEEN @first AND @last
      AND iif(${hasYear('json')}, substr(json ->> '$.date', 1, 4), '') IN (SELECT value FROM json_each(@among))`;
  const parameters = { kind: kind.name, ...recordRange(kind), among: yearsJson };
  return mirror.readOnce(`${kind.name} of ${yearsJson}`, () => mirror.column<number>(sql).all(parameters));
}

/** The state (journal positions) in a `tableMark` of derivation 1; null for any other mark. */
export const stateOfMark = (mark: string): string | null => /^\[1,"([^"]+)",/.exec(mark)?.[1] ?? null;
