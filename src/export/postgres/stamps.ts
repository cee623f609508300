import type { Client } from 'pg';
import { literal, quotedName } from '../../store/schema.ts';

/**
 * A stamp of each of these tables as it stands: equal while nobody, we neither, has added, changed or removed rows or
 * columns of it. It tells which transactions wrote its rows (`xmin`), not what they say: that takes a look at each row, and
 * no time to speak of.
 */
export async function readStamps(
  client: Client,
  { schema, names }: { schema: string; names: string[] },
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  const each = names.map((name) => {
    const place = `${quotedName(schema)}.${quotedName(name)}`;
    return `SELECT ${literal(name)} AS name, ${literal(place)}::regclass AS id, (
        SELECT string_agg(xmin::text || ':' || rows, ',' ORDER BY xmin::text)
        FROM (SELECT xmin, count(*) AS rows FROM ${place} GROUP BY xmin) AS written
      ) AS writers`;
  });
  const { rows } = await client.query<{ name: string; stamp: string }>(
    `SELECT name, md5(concat(writers, ' ', (
       SELECT string_agg(concat(attnum, attname, format_type(atttypid, atttypmod)), ',' ORDER BY attnum)
       FROM pg_attribute WHERE attrelid = id AND attnum > 0 AND NOT attisdropped
     ))) AS stamp FROM (${each.join(' UNION ALL ')}) AS stamped`,
  );
  return new Map(rows.map(({ name, stamp }) => [name, stamp]));
}

/** Locks these tables against other writers until commit: their changes would be stamped as ours. */
export async function lockTables(
  client: Client,
  { schema, names }: { schema: string; names: string[] },
): Promise<void> {
  const places = names.map((name) => `${quotedName(schema)}.${quotedName(name)}`);
  if (places.length > 0) await client.query(`LOCK TABLE ${places.join(', ')} IN SHARE ROW EXCLUSIVE MODE`);
}
