import { BadTargetError } from '../../errors.ts';
import { say } from '../../words/speech.ts';
import type { WarehouseTable } from '../warehouse.ts';
import { asOfName, nameIn, ownCommentSuffix, registryName, storageName, type TargetSchema } from './structure.ts';

/** A relation of the schema, as the database's catalogue describes it. */
export type Relation = { comment: string | null; columns: Map<string, { type: string; comment: string | null }> };

/** Relations by name; functions by name and argument types, such as `quotes_as_of(text)`, with source and comment. */
export type Catalogue = Awaited<ReturnType<typeof readCatalogue>>;

/** Reads the relations and functions of a schema from the catalogue; none if the schema is missing. */
export async function readCatalogue({ client, schema }: TargetSchema) {
  type Row = { name: string; comment: string | null; columns: [string, { type: string; comment: string | null }][] };
  const { rows } = await client.query<Row>(
    `SELECT relname::text AS name, obj_description(c.oid, 'pg_class') AS comment, (
       SELECT coalesce(json_agg(json_build_array(attname, json_build_object(
         'type', format_type(atttypid, atttypmod), 'comment', col_description(attrelid, attnum))) ORDER BY attnum), '[]')
       FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped) AS columns
     FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = $1`,
    [schema],
  );
  const functions = await client.query<{ key: string; name: string; source: string; comment: string | null }>(
    `SELECT proname || '(' || oidvectortypes(proargtypes) || ')' AS key, proname::text AS name, prosrc AS source,
       obj_description(p.oid, 'pg_proc') AS comment
     FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace WHERE nspname = $1`,
    [schema],
  );
  const relations = rows.map(({ name, comment, columns }): [string, Relation] => {
    return [name, { comment, columns: new Map(columns) }];
  });
  return { relations: new Map(relations), functions: new Map(functions.rows.map((row) => [row.key, row])) };
}

/** Throws a BadTargetError if a relation or function without our comment has a name that the export needs. */
export function refuseForeign(
  { relations, functions }: Catalogue,
  tables: WarehouseTable[],
  { displayName, schema }: TargetSchema,
): void {
  const neededNames = new Set([registryName, ...tables.flatMap((table) => [table.name, storageName(table)])]);
  const asOfNames = new Set(tables.map(({ name }) => asOfName(name)));
  const isForeign = ({ comment }: { comment: string | null }) => !comment?.endsWith(ownCommentSuffix);
  const foreignRelations = [...relations].filter(([name, relation]) => neededNames.has(name) && isForeign(relation));
  const foreignFunctions = [...functions.values()].filter((each) => asOfNames.has(each.name) && isForeign(each));
  const names = [...foreignRelations.map(([name]) => name), ...foreignFunctions.map(({ name }) => `${name}()`)];
  if (names.length === 0) return;
  throw new BadTargetError(
    displayName,
    say`the schema ${schema} contains objects from elsewhere with names needed by this export: ${[...new Set(names)].sort().join(', ')}`,
    say`nothing was written; rename those, or name another schema with --schema`,
  );
}

/** A foreign key of our tables; `target` is the referenced table. */
export type ForeignKey = { table: string; name: string; target: string };

/** Reads the foreign keys of our tables that are checked at commit, as ours are. */
export async function readForeignKeys({ client, schema }: TargetSchema): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `SELECT t.relname AS table, conname AS name, r.relname AS target
     FROM pg_constraint k JOIN pg_class t ON t.oid = conrelid JOIN pg_class r ON r.oid = confrelid
     JOIN pg_namespace n ON n.oid = t.relnamespace
     WHERE contype = 'f' AND condeferred AND nspname = $1 AND obj_description(t.oid, 'pg_class') LIKE $2`,
    [schema, `%${ownCommentSuffix}`],
  );
  return rows;
}

/** Reads another session that locks one of these relations, preferably a writer, then the oldest; null for none. */
export async function readBlocker({ client, schema }: TargetSchema, names: string[]) {
  const { rows } = await client.query<{ table: string; pid: number | null; application: string }>(
    `SELECT relname AS table, l.pid, coalesce(nullif(application_name, ''), usename, '?') AS application
     FROM pg_locks l JOIN pg_class c ON c.oid = relation JOIN pg_namespace n ON n.oid = relnamespace
     LEFT JOIN pg_stat_activity a ON a.pid = l.pid
     WHERE granted AND nspname = $1 AND relname = ANY ($2) AND l.pid IS DISTINCT FROM pg_backend_pid()
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
     ORDER BY mode IN ('AccessShareLock', 'RowShareLock'), xact_start, array_position($2, relname::text) LIMIT 1`,
    [schema, names],
  );
  return rows[0] ?? null;
}

/** A foreign view (`relation`) on our relation `source`: statements that drop it, let it select NULL, restore it. */
export type DependentView = Record<'source' | 'relation' | 'dropSql' | 'nullSql' | 'restoreSql', string> & {
  isReplaceable: boolean; // not materialized, and owned by a role that we are a member of
};

/** Reads views that use a relation, or `columns` of it, except one; throws a BadTargetError if any is irreplaceable. */
export async function readDependentViews(
  target: TargetSchema,
  name: string,
  { columns = null, except }: { columns?: string[] | null; except: string },
): Promise<DependentView[]> {
  const { rows } = await target.client.query<DependentView>(
    `SELECT $3 AS source, relation,
       format('DROP %sVIEW %s', CASE relkind WHEN 'm' THEN 'MATERIALIZED ' END, relation) AS "dropSql",
       format('CREATE OR REPLACE VIEW %s AS SELECT %s', relation, (
         SELECT string_agg(format('NULL::%s AS %I', format_type(atttypid, atttypmod), attname), ', ' ORDER BY attnum)
         FROM pg_attribute WHERE attrelid = oid AND attnum > 0)) AS "nullSql",
       format('CREATE OR REPLACE VIEW %s %s AS %s', relation,
         'WITH (' || array_to_string(reloptions, ', ') || ')', rtrim(pg_get_viewdef(oid), ';')) AS "restoreSql",
       relkind = 'v' AND pg_has_role(relowner, 'MEMBER') AS "isReplaceable"
     FROM (
       SELECT DISTINCT v.oid, v.oid::regclass::text AS relation, v.relkind, v.reloptions, v.relowner
       FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid JOIN pg_class v ON v.oid = r.ev_class
       WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass
         AND d.refobjid = to_regclass($1) AND v.oid NOT IN (d.refobjid, coalesce(to_regclass($4), 0)) AND ($2::text[] IS NULL OR EXISTS (
           SELECT FROM pg_attribute WHERE attrelid = d.refobjid AND attnum = d.refobjsubid AND attname = ANY ($2)))
     ) AS views`,
    [nameIn(target, name), columns, name, nameIn(target, except)],
  );
  const irreplaceable = rows.filter(({ isReplaceable }) => !isReplaceable);
  if (irreplaceable.length > 0) throw dependentViewsError(target.displayName, irreplaceable);
  return rows;
}

/** The error of a change that would break dependent views; its hint contains the statements that drop them. */
export function dependentViewsError(displayName: string, views: DependentView[]): BadTargetError {
  return new BadTargetError(
    displayName,
    say`${views[0]!.source} must change, but views that are not ours depend on it: ${views.map(({ relation }) => relation).join(', ')}`,
    say`nothing was written; run in psql: ${views.map(({ dropSql }) => dropSql).join('; ')}; then run this again and recreate the views`,
  );
}
