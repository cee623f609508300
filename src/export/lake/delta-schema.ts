import type { Column } from '../../model/kinds.ts';
import columnTypes from '../column-types.json' with { type: 'json' };

type DeltaType = string | { type: 'array'; elementType: DeltaType; containsNull: boolean } | DeltaStruct;

type DeltaStruct = { type: 'struct'; fields: ReturnType<typeof fieldOf>[] };

/** The `schemaString` of a Delta Lake table with these columns and their descriptions. */
export function deltaSchema(columns: (Pick<Column, 'name'> & Partial<Column>)[]): string {
  return JSON.stringify({ type: 'struct', fields: columns.map(fieldOf) });
}

/** The names and descriptions of the columns in a `schemaString`. */
export function columnsOfSchema(schema: string): { name: string; description: string }[] {
  const { fields } = JSON.parse(schema) as DeltaStruct;
  return fields.map(({ name, metadata }) => ({ name, description: metadata.comment ?? '' }));
}

function fieldOf(column: Pick<Column, 'name'> & Partial<Column>) {
  const { name, description } = column;
  return { name, type: typeOf(column), nullable: true, metadata: description ? { comment: description } : {} };
}

function typeOf({ type = 'text', inside }: Partial<Column>): DeltaType {
  if (type !== 'json' || !inside) return columnTypes[type].delta;
  if ('fields' in inside) return { type: 'struct', fields: inside.fields.map(fieldOf) };
  const elementType: DeltaType =
    inside.list === 'ids' ? 'string' : { type: 'struct', fields: inside.list.map(fieldOf) };
  return { type: 'array', elementType, containsNull: true };
}
