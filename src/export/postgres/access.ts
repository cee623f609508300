import type { Column } from '../../model/kinds.ts';
import { quotedName } from '../../store/schema.ts';
import { cutBytes, longestName } from '../ddl.ts';
import type { WarehouseTable } from '../warehouse.ts';
import { columnNames, nameIn, type TargetSchema } from './structure.ts';

/** Makes the indexes of a table that lack: on what leads to other tables, days, parties and groups, and periods. */
export async function ensureIndexes(target: TargetSchema, table: WarehouseTable): Promise<void> {
  const names = columnNames(table);
  const isIndexed = ({ name, type }: Column) =>
    type === 'date' || /^(party|group|valid_from|valid_to)$/.test(name);
  const single = table.columns.filter(isIndexed).map(({ name }) => [name]);
  const sought = [...table.references.map(({ columns }) => columns), ...single];
  const indexes = new Map(sought.map((columns) => [columns.join('_'), columns]));
  // The primary key is one already.
  indexes.delete(table.key.join('_'));
  const statements = [...indexes].map(([suffix, columns]) => {
    const name = `${cutBytes(`${table.name}_${suffix}`, longestName - 4)}_idx`;
    const listed = columns.map((each) => names.get(each)!).join(', ');
    return `CREATE INDEX IF NOT EXISTS ${quotedName(name)} ON ${nameIn(target, table.name)} (${listed})`;
  });
  if (statements.length > 0) await target.client.query(statements.join(';\n'));
}

/** Lets roles read these tables where they may not yet. */
export async function grantReading(target: TargetSchema, roles: string[], tables: string[]): Promise<void> {
  const places = tables.map((name) => nameIn(target, name));
  for (const role of roles) {
    const { rows } = await target.client.query<{ place: string }>(
      `SELECT place FROM unnest($2::text[]) AS place WHERE NOT has_table_privilege($1, place, 'SELECT')
         OR NOT has_schema_privilege($1, $3, 'USAGE')`,
      [role, places, target.schema],
    );
    if (rows.length === 0) continue;
    await target.client.query(
      `GRANT USAGE ON SCHEMA ${quotedName(target.schema)} TO ${quotedName(role)};
       GRANT SELECT ON ${rows.map(({ place }) => place).join(', ')} TO ${quotedName(role)}`,
    );
  }
}
