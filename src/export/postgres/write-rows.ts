import type { Client } from 'pg';
import type { Document } from '../../model/document.ts';
import { quotedName } from '../../store/schema.ts';
import type { ExportWatch } from '../table.ts';
import type { WarehouseTable } from '../warehouse.ts';
import { copyLines } from './connection.ts';
import { createRowText, keyedRow } from './row-text.ts';
import { addKey, type TableColumn, tableColumns, validTo } from './structure.ts';

/** What became of a table of the copy: rows that it has, that were written, and that were removed; values kept as raw. */
export type CopiedTable = {
  name: string;
  rows: number;
  written: number;
  removed: number;
  misfits: Map<string, number>;
};

/** How rows get into a table. */
type Writing = {
  schema: string;
  /** True for a table without a row, which takes them as they come. */
  isEmpty: boolean;
  /** True where somebody else may have written there: then every value is compared, else what the rows say by its hash. */
  isAltered: boolean;
};

const stage = 'pg_temp.hemicycle_stage';

/** What a history holds, and of its rows those that hold now. */
export type SentHistory = { copied: CopiedTable; open: Pick<CopiedTable, 'rows' | 'misfits'> };

/** Gives a history the rows that it is to have: those that are not there are added, others changed or removed, the rest stays. */
export async function writeHistory(
  client: Client,
  table: WarehouseTable,
  { watch, ...writing }: Writing & { watch: ExportWatch },
): Promise<SentHistory> {
  const { schema, isEmpty } = writing;
  const columns = tableColumns(table);
  const place = placeOf(schema, table);
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
    await client.query(`CREATE TEMP TABLE hemicycle_stage (${typed.join(', ')}) ON COMMIT DROP`);
  }
  await watch(table, 0);
  const rows = await copyLines(client, `COPY ${isEmpty ? place : stage} (${listed}) FROM STDIN`, {
    lines: lines(table.rows()),
    turn: (count) => watch(table, count),
  });
  let [written, removed] = [rows, 0];
  if (isEmpty) await addKey(client, table, schema);
  else {
    await client.query(`ANALYZE ${stage}`);
    [written, removed] = await merge(client, table, { ...writing, columns, from: stage });
    await client.query(`DROP TABLE ${stage}`);
  }
  const misfits = new Map(held.misfits);
  for (const [name, count] of ended.misfits) misfits.set(name, (misfits.get(name) ?? 0) + count);
  return {
    copied: { name: table.name, rows, written, removed, misfits },
    open: { rows: open, misfits: held.misfits },
  };
}

/** Gives a table the rows of its history that hold now; how many were written, and how many removed. */
export async function writeOpenRows(
  client: Client,
  { table, history }: { table: WarehouseTable; history: WarehouseTable },
  writing: Writing,
): Promise<Pick<CopiedTable, 'written' | 'removed'>> {
  const { schema, isEmpty } = writing;
  const columns = tableColumns(table);
  const past = new Map(tableColumns(history).map(({ source, name }) => [source, name]));
  const selected = columns.map(
    ({ source, name }) => `${quotedName(past.get(source)!)} AS ${quotedName(name)}`,
  );
  const open = `SELECT ${selected.join(', ')} FROM ${placeOf(schema, history)} WHERE ${quotedName(validTo(history))} IS NULL`;
  if (!isEmpty) {
    const [written, removed] = await merge(client, table, { ...writing, columns, from: `(${open})` });
    return { written, removed };
  }
  const listed = columns.map(({ name }) => quotedName(name)).join(', ');
  const { rowCount } = await client.query(`INSERT INTO ${placeOf(schema, table)} (${listed}) ${open}`);
  await addKey(client, table, schema);
  return { written: rowCount ?? 0, removed: 0 };
}

const placeOf = (schema: string, { name }: Pick<WarehouseTable, 'name'>) =>
  `${quotedName(schema)}.${quotedName(name)}`;

/** Brings a table to the rows of a query; how many were written, and how many removed. */
async function merge(
  client: Client,
  table: WarehouseTable,
  { schema, columns, from, isAltered }: Writing & { columns: TableColumn[]; from: string },
): Promise<[number, number]> {
  const target = placeOf(schema, table);
  const names = columns.map(({ name }) => quotedName(name));
  const listed = names.join(', ');
  const keys = table.key.map((key) => quotedName(columns.find(({ source }) => source === key)!.name));
  const sameKey = keys.map((key) => `held.${key} = staged.${key}`).join(' AND ');
  // How long a row held is not part of what it says.
  const spoken = ['row_hash', ...(table.isHistory ? [validTo(table)] : [])].map(quotedName);
  const same = (isAltered ? names : spoken).map((name) => `held.${name} IS NOT DISTINCT FROM staged.${name}`);
  const set = names.filter((name) => !keys.includes(name)).map((name) => `${name} = excluded.${name}`);
  const removed = await client.query(
    `DELETE FROM ${target} AS held WHERE NOT EXISTS (SELECT FROM ${from} AS staged WHERE ${sameKey})`,
  );
  const written = await client.query(
    `INSERT INTO ${target} (${listed}) SELECT ${listed} FROM ${from} AS staged
     WHERE NOT EXISTS (SELECT FROM ${target} AS held WHERE ${sameKey} AND ${same.join(' AND ')})
     ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${set.join(', ')}`,
  );
  return [written.rowCount ?? 0, removed.rowCount ?? 0];
}
