import { BadTargetError } from '../../errors.ts';
import type { Column } from '../../model/kinds.ts';
import { quotedName } from '../../store/schema.ts';
import { say } from '../../words/speech.ts';
import { cutBytes, longestName } from '../ddl.ts';
import type { WarehouseTable } from '../warehouse.ts';
import { columnNames, nameIn, type Relations, storageName, type TargetSchema, validTo } from './structure.ts';

/** Creates missing indexes, beside readers: foreign keys, dates, party, group, validity interval. */
export async function ensureIndexes(
  { relations, ...target }: TargetSchema & { relations: Relations },
  table: WarehouseTable,
): Promise<void> {
  const names = columnNames(table);
  const isIndexed = ({ name, type }: Column) => type === 'date' || /^(party|group|valid_from|valid_to)$/.test(name);
  const single = table.columns.filter(isIndexed).map(({ name }) => [name]);
  const sought = [...table.references.map(({ columns }) => columns), ...single];
  // The key is an index of what it begins with.
  const lacking = sought.filter((columns) => columns.some((column, at) => column !== table.key[at]));
  const indexes = new Map(lacking.map((columns) => [columns.join('_'), columns]));
  const statements = [...indexes].flatMap(([suffix, columns]) => {
    const name = `${cutBytes(`${storageName(table)}_${suffix}`, longestName - 4)}_idx`;
    if (relations.has(name)) return [];
    const listed = columns.map((each) => names.get(each)!).join(', ');
    // A version that holds now says nothing itself but since when.
    const among = table.isHistory && suffix !== 'valid_from' ? ` WHERE ${validTo(table)} IS NOT NULL` : '';
    return `CREATE INDEX IF NOT EXISTS ${quotedName(name)} ON ${nameIn(target, storageName(table))} (${listed})${among}`;
  });
  if (statements.length > 0) await target.client.query(statements.join(';\n'));
}

/** Lets roles read these tables where they may not yet. */
export async function grantReading(target: TargetSchema, roles: string[], tables: string[]): Promise<void> {
  const relations = tables.map((name) => nameIn(target, name));
  for (const role of roles) {
    const { rows } = await target.client.query<{ relation: string }>(
      `SELECT relation FROM unnest($2::text[]) AS relation WHERE NOT has_table_privilege($1, relation, 'SELECT')
         OR NOT has_schema_privilege($1, $3, 'USAGE')`,
      [role, relations, target.schema],
    );
    if (rows.length === 0) continue;
    await target.client.query(
      `GRANT USAGE ON SCHEMA ${quotedName(target.schema)} TO ${quotedName(role)};
       GRANT SELECT ON ${rows.map(({ relation }) => relation).join(', ')} TO ${quotedName(role)}`,
    );
  }
}

/** The statements that give others again what they may do with a relation and its columns. */
export async function grantsOn(target: TargetSchema, name: string): Promise<string[]> {
  const { rows } = await target.client.query<{ statement: string }>(
    `SELECT concat('GRANT ', privilege_type, ' ' || listed, ' ON ', $1::text, ' TO ',
       CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END, CASE WHEN is_grantable THEN ' WITH GRANT OPTION' END) AS statement
     FROM pg_class AS relation, LATERAL (
       SELECT NULL AS listed, (aclexplode(relacl)).*
       UNION ALL SELECT format('(%I)', attname), (aclexplode(attacl)).* FROM pg_attribute WHERE attrelid = relation.oid
     ) AS granted WHERE oid = to_regclass($1) AND grantee <> relowner`,
    [nameIn(target, name)],
  );
  return rows.map(({ statement }) => statement);
}

/** A view of others: statements that make it select NULL, and what it was; `of` is the relation that it selects from. */
export type DependentView = {
  of: string;
  relation: string;
  drop: string;
  dummy: string;
  whole: string;
  isOurs: boolean;
};

/**
 * The views but `except` that select from a relation, or from these columns of it. They keep their owners, grants and whatever stands on
 * them. Throws a BadTargetError where one of them may not be replaced.
 */
export async function dependentViews(
  target: TargetSchema & { shown: string },
  name: string,
  { columns = null, except }: { columns?: string[] | null; except: string },
): Promise<DependentView[]> {
  const { rows } = await target.client.query<DependentView>(
    `SELECT $3 AS of, relation, format('DROP %sVIEW %s', CASE relkind WHEN 'm' THEN 'MATERIALIZED ' END, relation) AS drop,
       format('CREATE OR REPLACE VIEW %s AS SELECT %s', relation, (
         SELECT string_agg(format('NULL::%s AS %I', format_type(atttypid, atttypmod), attname), ', ' ORDER BY attnum)
         FROM pg_attribute WHERE attrelid = oid AND attnum > 0)) AS dummy,
       format('CREATE OR REPLACE VIEW %s %s AS %s', relation,
         'WITH (' || array_to_string(reloptions, ', ') || ')', rtrim(pg_get_viewdef(oid), ';')) AS whole,
       relkind = 'v' AND pg_has_role(relowner, 'MEMBER') AS "isOurs"
     FROM (
       SELECT DISTINCT v.oid, v.oid::regclass::text AS relation, v.relkind, v.reloptions, v.relowner
       FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid JOIN pg_class v ON v.oid = r.ev_class
       WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass
         AND d.refobjid = to_regclass($1) AND v.oid NOT IN (d.refobjid, coalesce(to_regclass($4), 0)) AND ($2::text[] IS NULL OR EXISTS (
           SELECT FROM pg_attribute WHERE attrelid = d.refobjid AND attnum = d.refobjsubid AND attname = ANY ($2)))
     ) AS views`,
    [nameIn(target, name), columns, name, nameIn(target, except)],
  );
  const fixed = rows.filter(({ isOurs }) => !isOurs);
  if (fixed.length > 0) throw dependentViewsError(target.shown, fixed);
  return rows;
}

/** The error of a relation that has to change below views of others which that breaks. */
export function dependentViewsError(shown: string, views: DependentView[]): BadTargetError {
  return new BadTargetError(
    shown,
    say`${views[0]!.of} has to change, and views of others stand on it: ${views.map(({ relation }) => relation).join(', ')}`,
    say`nothing was written; type in psql: ${views.map(({ drop }) => drop).join('; ')}; run this again, and make them again`,
  );
}
