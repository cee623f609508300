import type { SchemaElement } from 'hyparquet';
import type { Column, ColumnType } from '../../model/kinds.ts';

/** Returns Parquet schema elements, root first; for Delta Lake, moments in microseconds, and a `field_id` for each. */
export function schemaOf(columns: Column[], isForLake = false): SchemaElement[] {
  const elements = columns.flatMap(elementsOf);
  for (const [at, element] of elements.entries()) {
    if (isForLake) element.field_id = at + 1;
    if (element.converted_type !== 'TIMESTAMP_MILLIS') continue;
    const unit = isForLake ? 'MICROS' : 'MILLIS';
    element.converted_type = `TIMESTAMP_${unit}`;
    element.logical_type = { type: 'TIMESTAMP', isAdjustedToUTC: true, unit };
  }
  return [{ name: 'root', num_children: columns.length }, ...elements];
}

function elementsOf({ name, type, inside }: Column): SchemaElement[] {
  if (!inside) return [leafElement(name, type)];
  if ('fields' in inside) return groupElements(name, inside.fields.map(elementsOf));
  if (inside.list === 'ids') return listElements(name, [leafElement('element', 'text')]);
  return listElements(name, groupElements('element', inside.list.map(elementsOf)));
}

const leafTypes = {
  date: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
  datetime: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  json: { type: 'BYTE_ARRAY', converted_type: 'JSON' },
} as const satisfies Record<ColumnType, Partial<SchemaElement>>;

/** Returns the schema element of an optional value. */
export function leafElement(name: string, type: ColumnType): SchemaElement {
  return { name, ...leafTypes[type], repetition_type: 'OPTIONAL' };
}

/** Returns the schema elements of an optional group of fields. */
export function groupElements(name: string, fields: (SchemaElement | SchemaElement[])[]): SchemaElement[] {
  return [{ name, repetition_type: 'OPTIONAL', num_children: fields.length }, ...fields.flat()];
}

/** Returns the schema elements of an optional list; `element` describes its items. */
export function listElements(name: string, element: SchemaElement[]): SchemaElement[] {
  const head: SchemaElement = { name, converted_type: 'LIST', repetition_type: 'OPTIONAL', num_children: 1 };
  return [head, { name: 'list', repetition_type: 'REPEATED', num_children: 1 }, ...element];
}
