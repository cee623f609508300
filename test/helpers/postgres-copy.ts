import { exportPostgres, type PostgresOptions } from '../../src/export/postgres/export.ts';
import { allTables } from '../../src/export/tables.ts';
import { type WarehouseTable, warehouseTables } from '../../src/export/warehouse.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { nightAt } from './moving-mirror.ts';

export const citation = { name: 'Vitrine', siteUrl: 'https://vitrine.example' };

/** What a run in this process may be given. */
export type CopyRequest = Partial<
  Pick<PostgresOptions, 'schema' | 'maxShrink' | 'watch' | 'grant' | 'lockWaitMs' | 'hasTextIndexes'>
> & {
  named?: typeof allTables;
  tables?: WarehouseTable[];
};

/** Exports a mirror into a PostgreSQL, as the program does. */
export const copyToPostgres = (
  mirror: Mirror,
  address: string,
  { named = allTables, tables, ...options }: CopyRequest = {},
) =>
  exportPostgres(tables ?? warehouseTables(mirror, [...named], { citation, isFlat: true }), address, {
    schema: 'hemicycle',
    maxShrink: 1,
    env: {},
    warn: () => {},
    watch: () => undefined,
    now: nightAt(100),
    ...options,
  });
