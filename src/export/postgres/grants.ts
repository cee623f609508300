import { quotedName } from '../../store/schema.ts';
import { nameIn, type TargetSchema } from './structure.ts';

/** Grants roles USAGE on the schema and SELECT on these tables, where a privilege is missing. */
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

/** Reads other roles' privileges on a relation and its columns; returns the statements that restore them. */
export async function readGrantStatements(target: TargetSchema, name: string): Promise<string[]> {
  const { rows } = await target.client.query<{ statement: string }>(
    `SELECT concat('GRANT ', privilege_type, ' ' || column_list, ' ON ', $1::text, ' TO ',
       CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END, CASE WHEN is_grantable THEN ' WITH GRANT OPTION' END) AS statement
     FROM pg_class AS relation, LATERAL (
       SELECT NULL AS column_list, (aclexplode(relacl)).*
       UNION ALL SELECT format('(%I)', attname), (aclexplode(attacl)).* FROM pg_attribute WHERE attrelid = relation.oid
     ) AS granted WHERE oid = to_regclass($1) AND grantee <> relowner`,
    [nameIn(target, name)],
  );
  return rows.map(({ statement }) => statement);
}
