import type { Column } from '../../model/kinds.ts';
import { quotedName } from '../../store/schema.ts';
import { cutBytes, maxNameBytes } from '../ddl.ts';
import type { WarehouseTable } from '../warehouse.ts';
import type { Catalogue } from './catalogue.ts';
import { columnNames, nameIn, storageName, type TargetSchema, validToColumn } from './structure.ts';

/** Creates missing indexes without blocking readers: foreign keys, dates, party, group, validity interval. */
export async function ensureIndexes(
  { relations, ...target }: TargetSchema & Pick<Catalogue, 'relations'>,
  table: WarehouseTable,
): Promise<void> {
  const names = columnNames(table);
  const isIndexed = ({ name, type }: Column) => type === 'date' || /^(party|group|valid_from|valid_to)$/.test(name);
  const singleColumns = table.columns.filter(isIndexed).map(({ name }) => [name]);
  const indexedColumns = [...table.references.map(({ columns }) => columns), ...singleColumns];
  // The primary key already indexes a prefix of its columns.
  const missingIndexes = indexedColumns.filter((columns) => columns.some((column, at) => column !== table.key[at]));
  const indexes = new Map(missingIndexes.map((columns) => [columns.join('_'), columns]));
  const statements = [...indexes].flatMap(([suffix, columns]) => {
    const name = `${cutBytes(`${storageName(table)}_${suffix}`, maxNameBytes - 4)}_idx`;
    if (relations.has(name)) return [];
    const listed = columns.map((each) => names.get(each)!).join(', ');
    // The versions table stores only `valid_from` for a current version.
    const among = table.isHistory && suffix !== 'valid_from' ? ` WHERE ${validToColumn(table)} IS NOT NULL` : '';
    return `CREATE INDEX IF NOT EXISTS ${quotedName(name)} ON ${nameIn(target, storageName(table))} (${listed})${among}`;
  });
  if (statements.length > 0) await target.client.query(statements.join(';\n'));
}
