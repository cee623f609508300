import { BadTargetError } from '../../errors.ts';
import { say } from '../../words/speech.ts';
import { nameIn, type TargetSchema } from './structure.ts';

/** A foreign dependent view: `dummy` makes it select NULL, `whole` restores it; `of` is the relation it reads. */
export type DependentView = Record<'of' | 'relation' | 'drop' | 'dummy' | 'whole', string> & { isOurs: boolean };

/** Dependent views, minus `except`, of a relation or columns; throws a BadTargetError if one is not replaceable. */
export async function dependentViews(
  target: TargetSchema,
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
  const irreplaceable = rows.filter(({ isOurs }) => !isOurs);
  if (irreplaceable.length > 0) throw dependentViewsError(target.shown, irreplaceable);
  return rows;
}

/** The error of a change that would break dependent views. */
export function dependentViewsError(shown: string, views: DependentView[]): BadTargetError {
  return new BadTargetError(
    shown,
    say`${views[0]!.of} must change, but views that are not ours depend on it: ${views.map(({ relation }) => relation).join(', ')}`,
    say`nothing was written; run in psql: ${views.map(({ drop }) => drop).join('; ')}; then run this again and recreate the views`,
  );
}
