import type { Document } from '../../model/document.ts';
import { quotedName } from '../../store/schema.ts';
import type { ExportWatch } from '../table.ts';
import type { WarehouseTable } from '../warehouse.ts';
import { copyLines } from './connection.ts';
import { createRowText, keyedRow } from './row-text.ts';
import {
  addKey,
  columnNames,
  nameIn,
  type TableColumn,
  type TargetSchema,
  tableColumns,
  validTo,
} from './structure.ts';

/** What became of a table of the copy: rows that it has, that were written, and that were removed; values kept as raw. */
export type CopiedTable = {
  name: string;
  rows: number;
  written: number;
  removed: number;
  misfits: Map<string, number>;
};

type Writing = {
  /** True for an empty table: rows go in without a comparison. */
  isEmpty: boolean;
  /** True where somebody else may have written there: then every value is compared, else what the rows say by its hash. */
  isAltered: boolean;
  /** The records (their ids) of which alone rows may differ from those of the mirror; null for all. */
  records: readonly number[] | null;
};

const stage = 'pg_temp.hemicycle_stage';

/** What a history holds, and of its rows those that hold now. */
export type SentHistory = { copied: CopiedTable; open: Pick<CopiedTable, 'rows' | 'misfits'> };

/** Merges rows into a history: all of them, or those of `records`; the rows that were sent stay in `stage`. */
export async function writeHistory(
  target: TargetSchema,
  table: WarehouseTable,
  { watch, ...writing }: Writing & { watch: ExportWatch },
): Promise<SentHistory> {
  const { client } = target;
  const { isEmpty, records } = writing;
  const columns = tableColumns(table);
  const place = nameIn(target, table.name);
  const listed = columns.map(({ name }) => quotedName(name)).join(', ');
  const named = new Set([...table.key, ...table.references.flatMap((reference) => reference.columns)]);
  const [ended, held] = [createRowText(table.columns, named), createRowText(table.columns, named)];
  let open = 0;
  function* lines(rows: Iterable<Document>) {
    for (const row of rows) {
      const isOpen = row.valid_to === null;
      if (isOpen) open += 1;
      yield (isOpen ? held : ended).line(keyedRow(row, table.key));
    }
  }
  if (!isEmpty) {
    const typed = columns.map(({ name, type }) => `${quotedName(name)} ${type}`);
    await client.query(
      `DROP TABLE IF EXISTS ${stage}; CREATE TEMP TABLE hemicycle_stage (${typed.join(', ')}) ON COMMIT DROP`,
    );
  }
  await watch(table, 0);
  const sent = await copyLines(client, `COPY ${isEmpty ? place : stage} (${listed}) FROM STDIN`, {
    lines: lines(table.rowsOf!(records)),
    turn: (count) => watch(table, count),
  });
  let [written, removed] = [sent, 0];
  if (isEmpty) await addKey(target, table);
  else {
    await client.query(`ANALYZE ${stage}`);
    const isSent = records && sentSql(table, table);
    [written, removed] = await merge(target, table, { ...writing, columns, from: stage, isSent });
  }
  const rows = records ? await countRows(target, table) : { all: sent, open };
  const misfits = new Map(held.misfits);
  for (const [name, count] of ended.misfits) misfits.set(name, (misfits.get(name) ?? 0) + count);
  return {
    copied: { name: table.name, rows: rows.all, written, removed, misfits },
    open: { rows: rows.open, misfits: held.misfits },
  };
}

async function countRows(
  target: TargetSchema,
  history: WarehouseTable,
): Promise<{ all: number; open: number }> {
  const { rows } = await target.client.query<{ all: string; open: string }>(
    `SELECT count(*) AS all, count(*) FILTER (WHERE ${validTo(history)} IS NULL) AS open
     FROM ${nameIn(target, history.name)}`,
  );
  return { all: Number(rows[0]!.all), open: Number(rows[0]!.open) };
}

/** SQL condition: rows of the record of `held` were sent. */
function sentSql(table: WarehouseTable, history: WarehouseTable): string {
  const [own, past] = [columnNames(table), columnNames(history)];
  const isSame = history.owner!.map((name) => `sent.${past.get(name)} = held.${own.get(name)}`);
  return `EXISTS (SELECT FROM ${stage} AS sent WHERE ${isSame.join(' AND ')})`;
}

/** Gives a table the rows of its history, just written, that hold now; how many were written, and how many removed. */
export async function writeOpenRows(
  target: TargetSchema,
  { table, history }: { table: WarehouseTable; history: WarehouseTable },
  writing: Writing,
): Promise<Pick<CopiedTable, 'written' | 'removed'>> {
  const { isEmpty, records } = writing;
  const columns = tableColumns(table);
  const past = columnNames(history);
  const selected = columns.map(({ source, name }) => `${past.get(source)} AS ${quotedName(name)}`);
  const open = `SELECT ${selected.join(', ')} FROM ${nameIn(target, history.name)} AS held WHERE ${validTo(history)} IS NULL`;
  if (!isEmpty) {
    const from = records ? `(${open} AND ${sentSql(history, history)})` : `(${open})`;
    const isSent = records && sentSql(table, history);
    const [written, removed] = await merge(target, table, { ...writing, columns, from, isSent });
    return { written, removed };
  }
  const listed = columns.map(({ name }) => quotedName(name)).join(', ');
  const place = nameIn(target, table.name);
  const { rowCount } = await target.client.query(`INSERT INTO ${place} (${listed}) ${open}`);
  await addKey(target, table);
  return { written: rowCount ?? 0, removed: 0 };
}

type Merge = Writing & { columns: TableColumn[]; from: string; isSent: string | null };

/** Merges the rows of a query into a table, or into its `isSent` rows; returns how many were written and removed. */
async function merge(
  { client, schema }: TargetSchema,
  table: WarehouseTable,
  { columns, from, isAltered, isSent }: Merge,
): Promise<[number, number]> {
  const place = nameIn({ schema }, table.name);
  const names = columns.map(({ name }) => quotedName(name));
  const listed = names.join(', ');
  const keys = table.key.map((key) => columnNames(table).get(key)!);
  const sameKey = keys.map((key) => `held.${key} = staged.${key}`).join(' AND ');
  // The end of a period is not part of the row hash.
  const spoken = ['row_hash', ...(table.isHistory ? [validTo(table)] : [])];
  const same = (isAltered ? names : spoken).map((name) => `held.${name} IS NOT DISTINCT FROM staged.${name}`);
  const set = names.filter((name) => !keys.includes(name)).map((name) => `${name} = excluded.${name}`);
  const removed = await client.query(
    `DELETE FROM ${place} AS held WHERE ${isSent ? `${isSent} AND ` : ''}
     NOT EXISTS (SELECT FROM ${from} AS staged WHERE ${sameKey})`,
  );
  const written = await client.query(
    `INSERT INTO ${place} (${listed}) SELECT ${listed} FROM ${from} AS staged
     WHERE NOT EXISTS (SELECT FROM ${place} AS held WHERE ${sameKey} AND ${same.join(' AND ')})
     ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${set.join(', ')}`,
  );
  return [written.rowCount ?? 0, removed.rowCount ?? 0];
}
