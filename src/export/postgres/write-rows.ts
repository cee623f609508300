import type { Client } from 'pg';
import type { Document } from '../../model/document.ts';
import { quotedName } from '../../store/schema.ts';
import type { ExportWatch } from '../table.ts';
import type { WarehouseTable } from '../warehouse.ts';
import { copyLines } from './connection.ts';
import { createRowText, keyedRow } from './row-text.ts';
import { tableColumns } from './structure.ts';

/** What became of a table of the copy: rows that it has, that were written, and that were removed; values kept as raw. */
export type CopiedTable = {
  name: string;
  rows: number;
  written: number;
  removed: number;
  misfits: Map<string, number>;
};

type Writing = {
  schema: string;
  /** True for a table without a row, which takes them as they come. */
  isEmpty: boolean;
  watch: ExportWatch;
  /** Called with how many rows the table is to have, before any of it is changed; what it throws ends the run. */
  judged(rows: number): void;
};

const stage = 'pg_temp.hemicycle_stage';

/** Gives a table the rows that it is to have: those that are not there are added, others changed or removed, the rest stays. */
export async function writeRows(
  client: Client,
  table: WarehouseTable,
  { schema, isEmpty, watch, judged }: Writing,
): Promise<CopiedTable> {
  const columns = tableColumns(table);
  const target = `${quotedName(schema)}.${quotedName(table.name)}`;
  const listed = columns.map(({ name }) => quotedName(name)).join(', ');
  const named = new Set([...table.key, ...table.references.flatMap((reference) => reference.columns)]);
  const text = createRowText(table.columns, named);
  function* lines(rows: Iterable<Document>) {
    for (const row of rows) yield text.line(keyedRow(row, table.key));
  }
  if (!isEmpty) {
    const typed = columns.map(({ name, type }) => `${quotedName(name)} ${type}`);
    await client.query(`CREATE TEMP TABLE hemicycle_stage (${typed.join(', ')}) ON COMMIT DROP`);
  }
  await watch(table, 0);
  const rows = await copyLines(client, `COPY ${isEmpty ? target : stage} (${listed}) FROM STDIN`, {
    lines: lines(table.rows()),
    turn: (count) => watch(table, count),
  });
  judged(rows);
  const done = { name: table.name, rows, misfits: text.misfits };
  if (isEmpty) return { ...done, written: rows, removed: 0 };
  const [removed, written] = await merge(client, { target, columns: columns.map(({ name }) => name), table });
  await client.query(`DROP TABLE ${stage}`);
  return { ...done, removed, written };
}

/** Brings a table to what is staged; how many rows were removed, and how many written. */
async function merge(
  client: Client,
  { target, columns, table }: { target: string; columns: string[]; table: WarehouseTable },
): Promise<[number, number]> {
  const listed = columns.map(quotedName).join(', ');
  const keys = table.key.map((key) =>
    quotedName(tableColumns(table).find(({ source }) => source === key)!.name),
  );
  const sameKey = keys.map((key) => `held.${key} = staged.${key}`).join(' AND ');
  // How long a row held is not part of what it says.
  const same = table.isHistory ? ' AND held.valid_to IS NOT DISTINCT FROM staged.valid_to' : '';
  const set = columns
    .filter((name) => !keys.includes(quotedName(name)))
    .map((name) => `${quotedName(name)} = excluded.${quotedName(name)}`);
  await client.query(`ANALYZE ${stage}`);
  const removed = await client.query(
    `DELETE FROM ${target} AS held WHERE NOT EXISTS (SELECT FROM ${stage} AS staged WHERE ${sameKey})`,
  );
  const written = await client.query(
    `INSERT INTO ${target} (${listed}) SELECT ${listed} FROM ${stage} AS staged
     WHERE NOT EXISTS (SELECT FROM ${target} AS held WHERE ${sameKey} AND held.row_hash = staged.row_hash${same})
     ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${set.join(', ')}`,
  );
  return [removed.rowCount ?? 0, written.rowCount ?? 0];
}
