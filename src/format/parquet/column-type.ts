import type { SchemaElement } from 'hyparquet';
import type { Document } from '../../model/document.ts';
import type { Column, ColumnType } from '../../model/kinds.ts';
import { createConverter, type DescribedColumn, rawColumn } from '../fit.ts';
import { cellReader, visitRows } from '../rows.ts';
import type { Sink } from '../sink.ts';

const logicalTypes = {
  date: 'DATE',
  datetime: 'TIMESTAMP',
  integer: 'INT64',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  text: 'STRING',
  json: 'JSON',
} as const satisfies Record<ColumnType, string>;

/** The Parquet type of a column. */
export type LogicalType = (typeof logicalTypes)[ColumnType] | 'NESTED';

/** A column of a file with its Parquet type. */
export type TypedColumn = DescribedColumn & {
  logicalType: LogicalType;
  /** True if misfits go into another column. */
  isLoose?: boolean;
  /** The column whose misfits this one contains. */
  rawOf?: string;
};

/** Columns with their Parquet types and, at the end, a column for the misfits of each column that has some. */
export async function typeColumns(
  rows: Iterable<Document>,
  describedColumns: DescribedColumn[],
  sink: Pick<Sink, 'yieldControl'> = {},
): Promise<TypedColumn[]> {
  const readCell = cellReader(describedColumns.map(({ name }) => name));
  const typedColumns = describedColumns.map(
    (column): TypedColumn => ({ ...column, logicalType: logicalTypeOf(column), isLoose: false }),
  );
  const strictColumns = new Map(typedColumns.map((column) => [column, createConverter(column)]));
  await visitRows(rows, sink, (row) => {
    for (const [column, strictConverter] of strictColumns) {
      const value = readCell(row, column.name);
      if (value === null || value === undefined) continue;
      let converter = strictConverter;
      if (column.type === 'datetime' && column.isDaily === undefined) {
        // The first value decides whether the column contains days or moments.
        column.isDaily = typeof value === 'string' && value.length === 10;
        converter = createConverter(column);
        strictColumns.set(column, converter);
      }
      converter.convert(value);
      if (converter.wasLossless()) continue;
      column.isLoose = true;
      strictColumns.delete(column);
    }
    return strictColumns.size > 0;
  });
  const names = new Set(describedColumns.map(({ name }) => name));
  const rawColumns = typedColumns
    .filter(({ isLoose }) => isLoose)
    .map(({ name }): TypedColumn => ({ ...rawColumn(name, names), logicalType: 'STRING', rawOf: name }));
  return [...typedColumns, ...rawColumns];
}

const logicalTypeOf = ({ type = 'text', inside }: DescribedColumn): LogicalType =>
  type === 'json' && inside ? 'NESTED' : logicalTypes[type];

/** Parquet schema elements, root first; moments are UTC. A lake has microseconds and a number for each field. */
export function schemaOf(columns: TypedColumn[], isOfLake = false): SchemaElement[] {
  const elements = columns.flatMap(elementsOf);
  for (const [at, element] of elements.entries()) {
    if (isOfLake) element.field_id = at + 1;
    if (element.converted_type !== 'TIMESTAMP_MILLIS') continue;
    const unit = isOfLake ? 'MICROS' : 'MILLIS';
    element.converted_type = `TIMESTAMP_${unit}`;
    element.logical_type = { type: 'TIMESTAMP', isAdjustedToUTC: true, unit };
  }
  return [{ name: 'root', num_children: columns.length }, ...elements];
}

function elementsOf({ name, logicalType, inside }: TypedColumn): SchemaElement[] {
  if (logicalType === 'NESTED') {
    if (!inside) throw new TypeError(`nothing is said of what ${name} holds`);
    if ('fields' in inside) return group(name, inside.fields.map(nestedElement));
    return list(
      name,
      inside.list === 'ids' ? [leafElement('element', 'STRING')] : group('element', inside.list.map(nestedElement)),
    );
  }
  return [leafElement(name, logicalType)];
}

const leafTypes = {
  DATE: { type: 'INT32', converted_type: 'DATE' },
  TIMESTAMP: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  INT64: { type: 'INT64' },
  DOUBLE: { type: 'DOUBLE' },
  BOOLEAN: { type: 'BOOLEAN' },
  STRING: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  JSON: { type: 'BYTE_ARRAY', converted_type: 'JSON' },
} as const;

/** The schema element of an optional value. */
export function leafElement(name: string, logicalType: keyof typeof leafTypes): SchemaElement {
  return { name, ...leafTypes[logicalType], repetition_type: 'OPTIONAL' };
}

/** The schema elements of optional fields under one name. */
export function group(name: string, fields: (SchemaElement | SchemaElement[])[]): SchemaElement[] {
  return [{ name, repetition_type: 'OPTIONAL', num_children: fields.length }, ...fields.flat()];
}

/** The schema elements of an optional list. */
export function list(name: string, element: SchemaElement[]): SchemaElement[] {
  const head: SchemaElement = { name, converted_type: 'LIST', repetition_type: 'OPTIONAL', num_children: 1 };
  return [head, { name: 'list', repetition_type: 'REPEATED', num_children: 1 }, ...element];
}

/** The schema element of a nested field; nesting is one level deep. */
function nestedElement({ name, type }: Column): SchemaElement {
  if (type === 'json') throw new TypeError(`${name} has parts of its own`);
  return leafElement(name, logicalTypes[type]);
}
