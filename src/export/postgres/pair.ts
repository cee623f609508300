import { literal, quotedName } from '../../store/schema.ts';
import { aliasColumns, commentSql } from '../ddl.ts';
import type { WarehouseTable } from '../warehouse.ts';
import { grantsOn, setViewsAside } from './access.ts';
import {
  asOfName,
  columnNames,
  definitionOf,
  type Held,
  heldName,
  heldTypes,
  nameIn,
  ownMark,
  said,
  type TablePair,
  type TargetSchema,
  validTo,
  writtenColumns,
} from './structure.ts';

/**
 * Makes the two tables of a pair and the view over them, or changes them to what they are now, and returns those that are
 * new and have no key yet; `former` gives the columns that a table had. Grants on the view stay, and views of others;
 * throws a BadTargetError where these cannot.
 */
export async function ensurePair(
  target: TargetSchema & { shown: string; held: Held },
  pair: TablePair,
  former: (table: WarehouseTable) => string[],
): Promise<Set<WarehouseTable>> {
  const { client, held } = target;
  const { table, history } = pair;
  const created = new Set([table, history].filter((each) => !held.has(heldName(each))));
  const view = nameIn(target, history.name);
  // An older program kept all versions in a table of that name, and hashes in both.
  const isOlder = created.has(history) && !created.has(table);
  const wasTable = isOlder && held.has(history.name);
  if (wasTable) {
    await client.query(`CREATE TABLE ${nameIn(target, heldName(history))} (LIKE ${view} INCLUDING ALL)`);
    created.delete(history);
  }
  const own = await definitionOf(target, table, { former: former(table), isOlder });
  const past = await definitionOf(target, history, { former: former(history), isOlder });
  const isGoing = wasTable || own.breaking.length + past.breaking.length > 0;
  const grants = isGoing ? await grantsOn(target, history.name) : [];
  const putBack = [];
  if (isGoing) {
    putBack.push(await setViewsAside(target, history.name));
    await client.query(wasTable ? `DROP TABLE ${view}` : `DROP VIEW IF EXISTS ${view}`);
    putBack.push(await setViewsAside(target, table.name, own.breaking));
  }
  await client.query([...own.statements, ...past.statements].join(';\n'));
  await createViews(target, pair);
  await client.query(grants.join(';\n'));
  for (const each of putBack.reverse()) await each();
  return created;
}

/** SQL that reads the text `$1` as `--as-of` would: the end of the day in Paris, of the minute or second in UTC by default. */
const momentSql = [
  ['^\\d{4}-\\d\\d-\\d\\d$', '\\& 23:59:59.999 Europe/Paris'],
  ['^(.{10}[T ]\\d\\d:\\d\\d)($|[Zz+-])', '\\1:59\\2'],
  ['^(.{10}[T ]\\d\\d:\\d\\d:\\d\\d)($|[Zz+-])', '\\1.999\\2'],
  ['^.{10}[T ][\\d:.]+$', '\\&Z'],
].reduce((sql, [from, to]) => `regexp_replace(${sql}, '${from}', '${to}')`, 'trim($1)');

/**
 * Makes the view of all versions of a table's rows, those that hold from the table and former ones from their own, and the
 * functions that give its rows as of a moment: one for timestamps, one for texts.
 */
async function createViews(target: TargetSchema, { table, history }: TablePair): Promise<void> {
  const place = (name: string) => nameIn(target, name);
  const [now, kept] = [await heldTypes(target, table.name), await heldTypes(target, heldName(history))];
  const current = [...kept].map(([name, type]) =>
    now.get(name) === type ? `held.${quotedName(name)}` : `version.${quotedName(name)}`,
  );
  // Columns that others added are null in the past.
  const past = [...now].map(([name, type]) => (kept.has(name) ? quotedName(name) : `NULL::${type}`));
  const keys = table.key.map((key) => [columnNames(table).get(key)!, columnNames(history).get(key)!]);
  const isSame = keys.map(([own, versioned]) => `held.${own} = version.${versioned}`).join(' AND ');
  const [view, versions, asOf] = [history.name, heldName(history), asOfName(table.name)].map(place);
  const columns = [...writtenColumns(history), ...aliasColumns(history)];
  const comment = literal(`${table.description} As this mirror saw it at that moment. ${ownMark}`);
  await target.client.query(`
    CREATE OR REPLACE VIEW ${view} AS
      SELECT ${current.join(', ')} FROM ${versions} AS version JOIN ${place(table.name)} AS held ON ${isSame}
      WHERE version.${validTo(history)} IS NULL
      UNION ALL SELECT ${[...kept.keys()].map(quotedName).join(', ')} FROM ${versions} WHERE ${validTo(history)} IS NOT NULL;
    ${commentSql({ name: history.name, columns, said: said(history) }, { schema: target.schema, kind: 'VIEW' }).join(';\n')};
    CREATE OR REPLACE FUNCTION ${asOf}(moment timestamp with time zone)
    RETURNS SETOF ${place(table.name)} LANGUAGE plpgsql STABLE AS ${literal(
      `BEGIN
         IF NOT EXISTS (SELECT FROM ${view} WHERE valid_from <= $1) AND EXISTS (SELECT FROM ${view}) THEN
           RAISE 'nothing is known of ${table.name} before %', (SELECT min(valid_from) FROM ${view}) USING ERRCODE = 'data_exception';
         END IF;
         RETURN QUERY SELECT ${past.join(', ')} FROM ${view} WHERE valid_from <= $1 AND (valid_to IS NULL OR valid_to > $1);
       END`,
    )};
    COMMENT ON FUNCTION ${asOf}(timestamp with time zone) IS ${comment};
    CREATE OR REPLACE FUNCTION ${asOf}(moment text) RETURNS SETOF ${place(table.name)} LANGUAGE sql STABLE AS ${literal(
      `SELECT * FROM ${asOf}((${momentSql})::timestamp with time zone)`,
    )};
    COMMENT ON FUNCTION ${asOf}(text) IS ${comment}`);
}
