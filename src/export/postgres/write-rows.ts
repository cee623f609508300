import { quotedName } from '../../store/schema.ts';
import { quotedList } from '../ddl.ts';
import type { ExportWatch } from '../table.ts';
import { validityColumns, type WarehouseTable } from '../warehouse.ts';
import { copyLines } from './connection.ts';
import { addMissingKey, createRowFormatter } from './row-text.ts';
import {
  columnNames,
  ensureKeyIndex,
  keyList,
  nameIn,
  storageName,
  type TablePair,
  type TargetSchema,
  tableColumns,
  validToColumn,
} from './structure.ts';

/** Counts of a table: rows in total, written, and removed; `misfits` are values in `raw_values`, by column. */
export type CopiedTable = Record<'rows' | 'written' | 'removed', number> & {
  name: string;
  misfits: Map<string, number>;
};

type WriteOptions = {
  /** New tables: rows are inserted without a comparison, and the key is added afterwards. */
  created: ReadonlySet<WarehouseTable>;
  /** Ids of the only records whose rows may differ from the mirror; null for all. */
  records: readonly number[] | null;
  watch: ExportWatch;
};

const stageTable = 'pg_temp.hemicycle_stage';

/** Sends the rows of a history, all or those of `records`, and writes the differences into both tables of the pair. */
export async function writePair(
  target: TargetSchema,
  pair: TablePair,
  { created, records, watch }: WriteOptions,
): Promise<[CopiedTable, CopiedTable]> {
  const { table, history } = pair;
  const misfits = await stageRows(target, history, { created, records, watch });
  const historyNames = columnNames(history);
  const columns = tableColumns(history);
  const selection = tableColumns(table).map(({ source, name }) => `${historyNames.get(source)} AS ${quotedName(name)}`);
  // Of current versions, the versions table stores only keys, validity interval, `raw_values` and `row_hash`.
  const sharedCount = history.columns.length - validityColumns.length;
  const versions = columns.map(({ source, name }, at) => {
    const nameSql = quotedName(name);
    if (at >= sharedCount || history.key.includes(source)) return nameSql;
    return `CASE WHEN ${validToColumn(history)} IS NOT NULL THEN ${nameSql} END AS ${nameSql}`;
  });
  const isPartial = records !== null;
  const write = (each: WarehouseTable, query: string) =>
    created.has(each) ? insertRows(target, each, query) : mergeRows(target, each, { query, history, isPartial });
  const currentSql = `${validToColumn(history)} IS NULL`;
  const currentCounts = await write(table, `SELECT ${selection.join(', ')} FROM ${stageTable} WHERE ${currentSql}`);
  const historyCounts = await write(history, `SELECT ${versions.join(', ')} FROM ${stageTable}`);
  const { rows } = await target.client.query<{ current: string; all: string }>(
    `SELECT (SELECT count(*) FROM ${nameIn(target, table.name)}) AS current,
       (SELECT count(*) FROM ${nameIn(target, storageName(history))}) AS all`,
  );
  return [
    { name: table.name, rows: Number(rows[0]!.current), ...currentCounts, misfits: misfits.current },
    { name: history.name, rows: Number(rows[0]!.all), ...historyCounts, misfits: misfits.all },
  ];
}

/** Copies the rows of a history to the stage; returns misfit counts of current rows and of all rows. */
async function stageRows({ client }: TargetSchema, history: WarehouseTable, { records, watch }: WriteOptions) {
  const formatLine = createRowFormatter(history.columns, new Set(history.key));
  const current = new Map<string, number>();
  const former = new Map<string, number>();
  const lines = Iterator.from(history.rowsOf!(records)).map((row) =>
    formatLine(addMissingKey(row, history.key), row.valid_to === null ? current : former),
  );
  const columnDefinitions = tableColumns(history).map(({ name, type }) => `${quotedName(name)} ${type}`);
  await client.query(
    `DROP TABLE IF EXISTS ${stageTable}; CREATE TEMP TABLE hemicycle_stage (${columnDefinitions.join(', ')}) ON COMMIT DROP`,
  );
  await watch(history, 0);
  await copyLines(client, `COPY ${stageTable} FROM STDIN`, { lines, afterChunk: (count) => watch(history, count) });
  await client.query(`ANALYZE ${stageTable}`);
  const all = new Map(current);
  for (const [name, count] of former) all.set(name, (all.get(name) ?? 0) + count);
  return { current, all };
}

type WriteCounts = Pick<CopiedTable, 'written' | 'removed'>;

/** Inserts the rows of a query into a new table, and adds its primary key. */
async function insertRows(target: TargetSchema, table: WarehouseTable, query: string): Promise<WriteCounts> {
  const columnList = quotedList(tableColumns(table).map(({ name }) => name));
  const tableSql = nameIn(target, storageName(table));
  const { rowCount } = await target.client.query(`INSERT INTO ${tableSql} (${columnList}) ${query}`);
  // Creating an index is faster than maintaining one.
  await target.client.query(`ALTER TABLE ${tableSql} ADD PRIMARY KEY (${keyList(table)})`);
  return { written: rowCount!, removed: 0 };
}

/** Deletes and upserts rows until a table equals a query; with `isPartial`, only rows of the staged records. */
async function mergeRows(
  target: TargetSchema,
  table: WarehouseTable,
  { query, history, isPartial }: { query: string; history: WarehouseTable; isPartial: boolean },
): Promise<WriteCounts> {
  const { client } = target;
  await ensureKeyIndex(target, table);
  const qualifiedTable = nameIn(target, storageName(table));
  const names = tableColumns(table).map(({ name }) => quotedName(name));
  const columnList = names.join(', ');
  const tableNames = columnNames(table);
  const historyNames = columnNames(history);
  const keys = table.key.map((key) => tableNames.get(key)!);
  const sameKey = keys.map((key) => `stored.${key} = staged.${key}`).join(' AND ');
  const sameValues = names.map((name) => `stored.${name} IS NOT DISTINCT FROM staged.${name}`);
  const assignments = names.filter((name) => !keys.includes(name)).map((name) => `${name} = excluded.${name}`);
  const ownerTest = (name: string) => `sent.${historyNames.get(name)} = stored.${tableNames.get(name)}`;
  const ownerSql = isPartial ? history.owner!.map(ownerTest).join(' AND ') : '';
  const scopeSql = isPartial ? `EXISTS (SELECT FROM ${stageTable} AS sent WHERE ${ownerSql}) AND ` : '';
  const removed = await client.query(
    `DELETE FROM ${qualifiedTable} AS stored WHERE ${scopeSql}
     NOT EXISTS (SELECT FROM (${query}) AS staged WHERE ${sameKey})`,
  );
  const written = await client.query(
    `INSERT INTO ${qualifiedTable} (${columnList}) SELECT ${columnList} FROM (${query}) AS staged
     WHERE NOT EXISTS (SELECT FROM ${qualifiedTable} AS stored WHERE ${sameKey} AND ${sameValues.join(' AND ')})
     ON CONFLICT (${keys.join(', ')}) ${assignments.length > 0 ? `DO UPDATE SET ${assignments.join(', ')}` : 'DO NOTHING'}`,
  );
  return { written: written.rowCount!, removed: removed.rowCount! };
}

/** Updates the column `former_keys` with the keys of renamed records; returns the number of changed rows. */
export async function writeFormerKeys(target: TargetSchema, table: WarehouseTable): Promise<number> {
  if (!table.formerKeys) return 0;
  const { column, read } = table.formerKeys;
  const qualifiedTable = nameIn(target, table.name);
  const key = columnNames(table).get(column)!;
  const renames = [...read()];
  const { rowCount } = await target.client.query(
    `UPDATE ${qualifiedTable} AS stored SET former_keys = expected.keys FROM (
       SELECT ${key} AS key, (
         SELECT array_agg(former ORDER BY at) FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS each(key, former, at)
         WHERE each.key = own.${key}) AS keys
       FROM ${qualifiedTable} AS own WHERE former_keys IS NOT NULL OR ${key} = ANY ($1)) AS expected
     WHERE stored.${key} = expected.key AND stored.former_keys IS DISTINCT FROM expected.keys`,
    [renames.map(([currentKey]) => currentKey), renames.map(([, formerKey]) => formerKey)],
  );
  return rowCount!;
}
