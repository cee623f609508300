import { literal } from '../../store/schema.ts';
import { replaceUnstorable } from '../ddl.ts';
import { tableMark } from '../table.ts';
import type { WarehouseTable } from '../warehouse.ts';
import type { Catalogue } from './catalogue.ts';
import { nameIn, ownCommentSuffix, registryName, type TargetSchema } from './structure.ts';
import type { CopiedTable } from './write-rows.ts';

/** A row of the registry, the table that describes our tables; `rows` is a count as text. */
export type RegistryRow = Record<'name' | 'rows' | 'mark' | 'stamp', string> & {
  columns: string[];
  retrieved_at: Date | null;
};

const registryColumns = {
  name: 'Name of the table.',
  rows: 'How many rows it has.',
  columns: 'Its columns, in order.',
  mark: 'Identifier of the mirror state; unchanged while the data is unchanged.',
  retrieved_at:
    'When the oldest data of the table was retrieved from the service; empty if it was never retrieved completely.',
  written_at: 'When a run last changed it.',
  stamp: 'Value by which the next run detects changes made by others.',
};

/** Creates the registry table with its comments. */
export async function createRegistry(target: TargetSchema): Promise<void> {
  const name = nameIn(target, registryName);
  await target.client.query(`
    CREATE TABLE ${name} (
      name text PRIMARY KEY, rows bigint NOT NULL, columns jsonb NOT NULL, mark text NOT NULL,
      retrieved_at timestamp with time zone, written_at timestamp with time zone NOT NULL, stamp text
    );
    ${Object.entries(registryColumns)
      .map(([column, comment]) => `COMMENT ON COLUMN ${name}.${column} IS ${literal(comment)};`)
      .join(' ')}
    COMMENT ON TABLE ${name} IS ${literal(`What the tables beside it hold, when it left the service, and when it last changed here. ${ownCommentSuffix}`)}`);
}

/** Reads the rows of the registry, by table; empty if there is no registry. */
export async function readRegistry(target: TargetSchema, { relations }: Catalogue): Promise<Map<string, RegistryRow>> {
  if (!relations.has(registryName)) return new Map();
  const { rows } = await target.client.query<RegistryRow>(`SELECT * FROM ${nameIn(target, registryName)}`);
  return new Map(rows.map((row) => [row.name, row]));
}

/** The names of a table's columns, as `{ name }`; characters that PostgreSQL cannot store are replaced. */
export const storableColumns = ({ columns }: Pick<WarehouseTable, 'columns'>) =>
  columns.map(({ name }) => ({ name: replaceUnstorable(name) }));

/** `copiedTables` are the results in the order of the tables; `now` is the time of the run, ISO 8601. */
type RegistryUpdate = TargetSchema & {
  registry: ReadonlyMap<string, RegistryRow>;
  copiedTables: CopiedTable[];
  stamps: ReadonlyMap<string, string>;
  now: string;
};

/** Upserts the registry rows of tables that are not up to date; `written_at` changes only if rows changed. */
export async function saveRegistry(tables: WarehouseTable[], options: RegistryUpdate): Promise<void> {
  for (const [at, table] of tables.entries()) {
    const { rows, written, removed } = options.copiedTables[at]!;
    const formerRow = options.registry.get(table.name);
    const mark = tableMark(table, table.state()) ?? '';
    const stamp = options.stamps.get(table.name)!;
    const isUpToDate =
      formerRow?.mark === mark &&
      formerRow.stamp === stamp &&
      formerRow.retrieved_at?.toISOString() === (table.freshAt ?? undefined);
    if (isUpToDate) continue;
    const hasChanged = formerRow === undefined || written + removed > 0;
    const columns = JSON.stringify(storableColumns(table).map(({ name }) => name));
    await options.client.query(
      `INSERT INTO ${nameIn(options, registryName)} AS former (name, rows, columns, mark, retrieved_at, written_at, stamp)
       VALUES ($1, $2, $3, $4, $5, $6, $8) ON CONFLICT (name) DO UPDATE SET rows = excluded.rows, columns = excluded.columns,
       mark = excluded.mark, stamp = excluded.stamp, retrieved_at = excluded.retrieved_at,
       written_at = CASE WHEN $7 THEN excluded.written_at ELSE former.written_at END`,
      [table.name, rows, columns, mark, table.freshAt, options.now, hasChanged, stamp],
    );
  }
}
