import { linesOf } from '../../format/text-lines.ts';
import { quotedName } from '../../store/schema.ts';
import type { CopyParts } from '../copy-parts.ts';
import { displayAddress } from './address.ts';
import { readForeignKeys } from './catalogue.ts';
import { asTargetError, type ConnectionOptions, connect, inTransaction } from './connection.ts';
import { isKeyViolation, keyRemovals } from './foreign-keys.ts';
import { defaultLockWaitMs, reshape, retryUntilGranted } from './reshape.ts';
import { nameIn, ownCommentSuffix, takeExportLock } from './structure.ts';

/** Opens a schema's exported rows, to find and delete withheld records; parts are rows, named `TABLE CTID`. */
export async function openCopiedRows(address: string, schema: string, options: ConnectionOptions): Promise<CopyParts> {
  const client = await connect(address, options);
  const target = { client, schema, displayName: displayAddress(address) };
  const rethrow = (error: unknown) => {
    throw asTargetError(target.displayName, error);
  };
  const removeRows = async (groups: Map<string, string[]>) => {
    await takeExportLock(target);
    for (const [table, parts] of groups) {
      const rowIds = parts.map((part) => part.slice(table.length + 1)); // the CTID (physical position)
      await client.query(`DELETE FROM ${nameIn(target, table)} WHERE ctid = ANY ($1::tid[])`, [rowIds]);
    }
  };
  return {
    async forEachPart(visit) {
      const { to } = await import('pg-copy-streams');
      const tables = await client.query<{ name: string }>(
        `SELECT relname::text AS name FROM pg_class WHERE relnamespace = to_regnamespace($1) AND relkind = 'r'
         AND right(obj_description(oid, 'pg_class'), $2) = $3 ORDER BY 1`,
        [quotedName(schema), ownCommentSuffix.length, ownCommentSuffix],
      );
      for (const { name } of tables.rows) {
        const sql = `COPY (SELECT ctid, stored.* FROM ${nameIn(target, name)} AS stored) TO STDOUT`;
        for await (const line of linesOf(client.query(to(sql))))
          await visit(`${name} ${line.slice(0, line.indexOf('\t'))}`, [line]);
      }
    },
    async remove(parts) {
      const groups = Map.groupBy(parts, (part) => part.slice(0, part.indexOf(' ')));
      const removeParts = () => inTransaction(client, () => removeRows(groups));
      await removeParts().catch(async (error: unknown) => {
        if (!isKeyViolation(error)) rethrow(error);
        // Drop the foreign keys, then retry; the next export adds the valid ones again.
        const keyDrops = keyRemovals(target, await readForeignKeys(target));
        // The violated key belongs to another owner's table, so none of our keys can be dropped for it.
        if (keyDrops.length === 0) rethrow(error);
        const dropKeys = () => inTransaction(client, () => reshape(target, keyDrops));
        const relations = [...groups.keys()];
        await retryUntilGranted({ ...target, lockWaitMs: defaultLockWaitMs, relations }, dropKeys)
          .then(removeParts)
          .catch(rethrow);
      });
      // Dead rows and statistics would still contain the values.
      for (const table of groups.keys()) await client.query(`VACUUM (ANALYZE) ${nameIn(target, table)}`).catch(rethrow);
    },
    [Symbol.asyncDispose]: () => client.end().catch(() => {}),
  };
}
