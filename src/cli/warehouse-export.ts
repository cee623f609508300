import type { sqlDialects } from '../export/ddl.ts';
import type { TableName } from '../export/tables.ts';
import { definitionText, warehouseTables } from '../export/warehouse.ts';
import type { Sink } from '../format/sink.ts';
import type { Citation } from '../model/attribution.ts';
import type { Mirror } from '../store/mirror.ts';
import type { ExportFlags } from './export-flags.ts';

type Asked = { named: TableName[]; citation: Citation; flags: ExportFlags };

/** Prints the statements that define the tables and their histories in the database that `--ddl` names. */
export async function printDefinitions(
  mirror: Mirror,
  { named, citation, flags, sink }: Asked & { sink: Sink },
): Promise<void> {
  const dialect = flags.ddl as (typeof sqlDialects)[number];
  const tables = warehouseTables(mirror, named, { citation, isFlat: dialect === 'postgres' });
  await sink.write(definitionText(tables, { dialect, schema: flags.schema }));
}
