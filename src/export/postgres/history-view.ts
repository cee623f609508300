import { literal, quotedName } from '../../store/schema.ts';
import { aliasColumns, commentSql } from '../ddl.ts';
import { historyName, type WarehouseTable } from '../warehouse.ts';
import {
  asOfName,
  columnNames,
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

/** Makes the view of all versions of a table's rows: those that hold from the table, former ones from their own. */
export async function createHistoryView(target: TargetSchema, { table, history }: TablePair): Promise<void> {
  const [view, place, versions] = [history.name, table.name, heldName(history)].map((name) =>
    nameIn(target, name),
  );
  const now = await heldTypes(target, table.name);
  const kept = await heldTypes(target, heldName(history));
  const current = [...kept].map(([name, type]) =>
    now.get(name) === type ? `held.${quotedName(name)}` : `version.${quotedName(name)}`,
  );
  const all = [...kept.keys()].map(quotedName).join(', ');
  const keys = table.key.map((key) => [columnNames(table).get(key)!, columnNames(history).get(key)!]);
  const isSame = keys.map(([own, past]) => `held.${own} = version.${past}`).join(' AND ');
  const comments = commentSql(
    {
      name: history.name,
      columns: [...writtenColumns(history), ...aliasColumns(history)],
      said: said(history),
    },
    { schema: target.schema, kind: 'VIEW' },
  );
  await target.client.query(`
    CREATE OR REPLACE VIEW ${view} AS
      SELECT ${current.join(', ')} FROM ${versions} AS version JOIN ${place} AS held ON ${isSame}
      WHERE version.${validTo(history)} IS NULL
      UNION ALL SELECT ${all} FROM ${versions} WHERE ${validTo(history)} IS NOT NULL;
    ${comments.join(';\n')}`);
}

/** SQL that reads the text `$1` as `--as-of` would: the end of the day in Paris, of the minute or second in UTC by default. */
const momentSql = [
  ['^\\d{4}-\\d\\d-\\d\\d$', '\\& 23:59:59.999 Europe/Paris'],
  ['^(.{10}[T ]\\d\\d:\\d\\d)($|[Zz+-])', '\\1:59\\2'],
  ['^(.{10}[T ]\\d\\d:\\d\\d:\\d\\d)($|[Zz+-])', '\\1.999\\2'],
  ['^.{10}[T ][\\d:.]+$', '\\&Z'],
].reduce((sql, [from, to]) => `regexp_replace(${sql}, '${from}', '${to}')`, 'trim($1)');

/** Creates the functions that give the rows of a table as of a moment: one for timestamps, one for texts. */
export async function createAsOf(target: TargetSchema, { name, description }: WarehouseTable): Promise<void> {
  const place = (word: string) => nameIn(target, word);
  const past = await heldTypes(target, historyName(name));
  const now = await heldTypes(target, name);
  // Columns that others added are null in the past.
  const selected = [...now].map(([column, type]) =>
    past.has(column) ? quotedName(column) : `NULL::${type}`,
  );
  const called = `${place(asOfName(name))}(moment timestamp with time zone)`;
  const written = `${place(asOfName(name))}(moment text)`;
  const history = place(historyName(name));
  const comment = `${description} As this mirror saw it at that moment. ${ownMark}`;
  await target.client.query(`
    CREATE OR REPLACE FUNCTION ${called} RETURNS SETOF ${place(name)} LANGUAGE plpgsql STABLE AS ${literal(
      `BEGIN
         IF NOT EXISTS (SELECT FROM ${history} WHERE valid_from <= $1) AND EXISTS (SELECT FROM ${history}) THEN
           RAISE 'nothing is known of ${name} before %', (SELECT min(valid_from) FROM ${history}) USING ERRCODE = 'data_exception';
         END IF;
         RETURN QUERY SELECT ${selected.join(', ')} FROM ${history} WHERE valid_from <= $1 AND (valid_to IS NULL OR valid_to > $1);
       END`,
    )};
    COMMENT ON FUNCTION ${called} IS ${literal(comment)};
    CREATE OR REPLACE FUNCTION ${written} RETURNS SETOF ${place(name)} LANGUAGE sql STABLE AS ${literal(
      `SELECT * FROM ${place(asOfName(name))}((${momentSql})::timestamp with time zone)`,
    )};
    COMMENT ON FUNCTION ${written} IS ${literal(comment)}`);
}
