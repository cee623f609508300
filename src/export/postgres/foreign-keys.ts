import type { TableReference } from '../../store/records/references.ts';
import { quotedName } from '../../store/schema.ts';
import { foreignKeyName, foreignKeySql } from '../ddl.ts';
import type { WarehouseTable } from '../warehouse.ts';
import { type ForeignKey, readForeignKeys } from './catalogue.ts';
import { ensureKeyIndex, nameIn, type TargetSchema } from './structure.ts';

/** Thrown if rows violate existing foreign keys, `keys`, which must be dropped before the rows can be written. */
export class BrokenKeysError extends Error {
  keys: ForeignKey[] = [];
}

/** True for the database's error about a violated foreign key. */
export const isKeyViolation = (error: unknown): boolean => (error as { code?: string }).code === '23503';

/** For each foreign key, the statement that drops it and the two tables to lock. */
export const keyRemovals = (target: TargetSchema, keys: ForeignKey[]) =>
  keys.map(({ table, name, target: referencedName }) => ({
    tables: [table, referencedName],
    statements: [`ALTER TABLE ${nameIn(target, table)} DROP CONSTRAINT IF EXISTS ${quotedName(name)}`],
  }));

/** Checks the existing foreign keys and adds missing valid ones; throws a BrokenKeysError for violated ones. */
export async function ensureForeignKeys(target: TargetSchema, tables: WarehouseTable[]): Promise<void> {
  const { client, schema } = target;
  const existingKeys = await readForeignKeys(target);
  await client.query('SAVEPOINT written');
  await client.query('SET CONSTRAINTS ALL IMMEDIATE').catch(async (error: unknown) => {
    if (!isKeyViolation(error)) throw error;
    await client.query('ROLLBACK TO SAVEPOINT written');
    const brokenKeys = [];
    for (const key of existingKeys) {
      const table = tables.find(({ name }) => name === key.table);
      const reference = table?.references.find((each) => foreignKeyName(key.table, each) === key.name);
      if (!reference || !(await referencesExist(target, key.table, reference))) brokenKeys.push(key);
    }
    if (brokenKeys.length === 0) throw error;
    throw Object.assign(new BrokenKeysError('foreign keys no longer hold', { cause: error }), { keys: brokenKeys });
  });
  for (const { name: table, references } of tables)
    for (const reference of references) {
      const name = foreignKeyName(table, reference);
      const isExisting = existingKeys.some((key) => key.table === table && key.name === name);
      const referencedTable = tables.find((each) => each.name === reference.table);
      if (isExisting || !referencedTable || !(await referencesExist(target, table, reference))) continue;
      await ensureKeyIndex(target, referencedTable);
      await client.query(foreignKeySql(schema, table, reference));
    }
}

/** True if the referenced row exists for every row of `table` whose reference columns are not null. */
async function referencesExist(target: TargetSchema, table: string, { columns, keys, table: parent }: TableReference) {
  const notNullSql = columns.map((column) => `${quotedName(column)} IS NOT NULL`).join(' AND ');
  const equalsSql = columns.map((column, at) => `referenced.${quotedName(keys[at]!)} = stored.${quotedName(column)}`);
  const { rowCount } = await target.client.query(
    `SELECT 1 FROM ${nameIn(target, table)} AS stored WHERE ${notNullSql}
     AND NOT EXISTS (SELECT FROM ${nameIn(target, parent)} AS referenced WHERE ${equalsSql.join(' AND ')}) LIMIT 1`,
  );
  return rowCount === 0;
}
