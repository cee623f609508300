import { createInterface } from 'node:readline';
import { LockedError } from '../../errors.ts';
import { quotedName } from '../../store/schema.ts';
import type { CopyParts } from '../copy-parts.ts';
import { shownAddress } from './address.ts';
import { asTargetError, type ConnectionOptions, connect } from './connection.ts';
import { heldForeignKeys, lockSql, nameIn, ownMark } from './structure.ts';

/** The rows of the tables that an export wrote into a schema, each named by its table and place. */
export async function openRows(
  address: string,
  schema: string,
  options: ConnectionOptions,
): Promise<CopyParts> {
  const client = await connect(address, options);
  const target = { client, schema };
  const reworded = (error: unknown) => {
    throw asTargetError(shownAddress(address), error);
  };
  const removeRows = async (byTable: Map<string, string[]>) => {
    const { rows } = await client.query<{ free: boolean }>(lockSql, [schema]);
    if (!rows[0]!.free) throw new LockedError(`${shownAddress(address)} ${schema}`);
    for (const [table, places] of byTable)
      await client.query(`DELETE FROM ${nameIn(target, table)} WHERE ctid = ANY ($1::tid[])`, [places]);
  };
  return {
    async each(look) {
      const { to } = await import('pg-copy-streams');
      const tables = await client.query<{ name: string }>(
        `SELECT relname::text AS name FROM pg_class WHERE relnamespace = to_regnamespace($1) AND relkind = 'r'
         AND right(obj_description(oid, 'pg_class'), $2) = $3 ORDER BY 1`,
        [quotedName(schema), ownMark.length, ownMark],
      );
      for (const { name } of tables.rows) {
        const sql = `COPY (SELECT ctid, held.* FROM ${nameIn(target, name)} AS held) TO STDOUT`;
        for await (const line of createInterface({ input: client.query(to(sql)) }))
          await look(`${name} ${line.slice(0, line.indexOf('\t'))}`, [line]);
      }
    },
    async remove(parts) {
      const byTable = new Map<string, string[]>();
      for (const [table = '', place = ''] of parts.map((part) => part.split(' ')))
        byTable.set(table, [...(byTable.get(table) ?? []), place]);
      const inTransaction = async (work: () => Promise<void>) => {
        await client.query('BEGIN');
        await work();
        await client.query('COMMIT');
      };
      await inTransaction(() => removeRows(byTable)).catch(async (error: { code?: string }) => {
        await client.query('ROLLBACK');
        if (error.code !== foreignKeyViolation) reworded(error);
        await inTransaction(async () => {
          for (const { table, name } of await heldForeignKeys(target))
            await client.query(`ALTER TABLE ${nameIn(target, table)} DROP CONSTRAINT ${quotedName(name)}`);
          await removeRows(byTable);
        }).catch(reworded);
      });
      // Dead rows and statistics would still hold the values.
      for (const table of byTable.keys())
        await client.query(`VACUUM (ANALYZE) ${nameIn(target, table)}`).catch(reworded);
    },
    close: () => client.end().catch(() => {}),
  };
}

const foreignKeyViolation = '23503';
