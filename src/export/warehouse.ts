import type { Citation } from '../model/attribution.ts';
import { column } from '../model/columns.ts';
import type { Column, Kind } from '../model/kinds.ts';
import type { Mirror } from '../store/mirror.ts';
import { type DefinedTable, schemaSql, type sqlDialects } from './ddl.ts';
import { type HistoryTable, historyTable } from './history-table.ts';
import { type ExportTable, heldReferences, tableIn } from './table.ts';
import { exportTable, kindsOfTable, type TableName } from './tables.ts';

/** A table of a copy that others query, or the history of one (with `owner` and `rowsOf`); `kinds` are those that it is made of. */
export type WarehouseTable = ExportTable &
  Partial<Pick<HistoryTable, 'owner' | 'rowsOf'>> & { kinds: Kind[]; isHistory: boolean };

/**
 * The tables that were named, each followed by its history: as flat rows, or with lists and parts as themselves, as files
 * of Parquet hold them.
 */
export function warehouseTables(
  mirror: Mirror,
  named: TableName[],
  { citation, isFlat }: { citation: Citation; isFlat: boolean },
): WarehouseTable[] {
  return named.flatMap((table) => {
    const kinds = kindsOfTable(table);
    const now = exportTable(mirror, table, { citation, filter: {} });
    const history = historyTable(mirror, table, { citation, isFlat });
    return [
      { ...(isFlat ? now : tableIn(now, 'parquet')), kinds, isHistory: false },
      { ...history, kinds, isHistory: true },
    ];
  });
}

/** Extra trailing columns of every table in PostgreSQL. */
export const postgresColumns: Column[] = [
  column.text(
    'raw_values',
    'What columns of the row say that they cannot hold as it came (another type, a character that the database cannot store), as a JSON object by column; empty for all other rows.',
  ),
  column.text(
    'row_hash',
    'First half of the SHA-256 of what the row says: the same for two rows that say the same.',
  ),
];

/** SQL text that defines tables and their histories; each statement ends in a semicolon. */
export function definitionText(
  tables: WarehouseTable[],
  { dialect, schema }: { dialect: (typeof sqlDialects)[number]; schema: string },
): string {
  const names = tables.map(({ name }) => name);
  const defined: DefinedTable[] = tables.map((table) => ({
    ...table,
    columns: dialect === 'postgres' ? [...table.columns, ...postgresColumns] : table.columns,
    references: dialect === 'clickhouse' ? [] : heldReferences(table.references, names),
  }));
  return schemaSql(defined, { dialect, schema })
    .map((statement) => `${statement};\n`)
    .join('');
}
