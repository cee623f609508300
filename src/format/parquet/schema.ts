import type { SchemaElement } from 'hyparquet';
import { schemaFromColumnData } from 'hyparquet-writer';
import type { Column } from '../../model/kinds.ts';
import type { TypedColumn } from './column-type.ts';

/** The Parquet schema elements of the columns, root first. */
export function schemaOf(columns: TypedColumn[]): SchemaElement[] {
  return [{ name: 'root', num_children: columns.length }, ...columns.flatMap(elementsOf)];
}

function elementsOf({ name, physical, inside }: TypedColumn): SchemaElement[] {
  if (physical === 'NESTED') {
    if (!inside) throw new TypeError(`nothing is said of what ${name} holds`);
    if ('fields' in inside) return group(name, inside.fields);
    const element = inside.list === 'ids' ? [text('element')] : group('element', inside.list);
    return [
      { name, converted_type: 'LIST', repetition_type: 'OPTIONAL', num_children: 1 },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      ...element,
    ];
  }
  const type = physical === 'DATE' ? ('INT32' as const) : physical;
  const [, element] = schemaFromColumnData({ columnData: [{ name, type, data: [] }] });
  return [physical === 'DATE' ? { ...element!, converted_type: 'DATE' } : element!];
}

const text = (name: string): SchemaElement => ({
  name,
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  repetition_type: 'OPTIONAL',
});

function group(name: string, fields: Column[]): SchemaElement[] {
  return [{ name, repetition_type: 'OPTIONAL', num_children: fields.length }, ...fields.map(field)];
}

/** The schema element of a nested field; nesting is one level deep. */
function field({ name, type }: Column): SchemaElement {
  const optional = { name, repetition_type: 'OPTIONAL' } as const;
  if (type === 'integer') return { ...optional, type: 'INT64' };
  if (type === 'number') return { ...optional, type: 'DOUBLE' };
  if (type === 'boolean') return { ...optional, type: 'BOOLEAN' };
  if (type === 'date') return { ...optional, type: 'INT32', converted_type: 'DATE' };
  if (type === 'datetime') return { ...optional, type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' };
  if (type === 'text') return text(name);
  throw new TypeError(`${name} has parts of its own`);
}
