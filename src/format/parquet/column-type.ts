import type { SchemaElement } from 'hyparquet';
import type { Document, Json } from '../../model/document.ts';
import type { Column, ColumnType } from '../../model/kinds.ts';
import { createConverter, type DescribedColumn, isTyped, rawColumn } from '../fit.ts';
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

const booleanFlag = 1;
const integerFlag = 2;
const fractionFlag = 4;
const textFlag = 8;
const nestedFlag = 16;
const misfitFlag = 64;

/** A column of a file with its Parquet type. */
export type TypedColumn = DescribedColumn & {
  logicalType: LogicalType;
  /** True if misfits go into another column. */
  isLoose?: boolean;
  /** The column whose misfits this one contains. */
  rawOf?: string;
};

/** Column types that fit any value (mixed, nested: JSON); misfits of described columns go into columns at the end. */
export async function inferColumns(
  rows: Iterable<Document>,
  describedColumns: DescribedColumn[],
  sink: Pick<Sink, 'yieldControl'> = {},
): Promise<TypedColumn[]> {
  const readCell = cellReader(describedColumns.map(({ name }) => name));
  const converters = describedColumns.map((column) => (isTyped(column) ? createConverter(column) : null));
  const dailyColumns = new Map<string, boolean>();
  const typeFlags = new Uint8Array(describedColumns.length);
  await visitRows(rows, sink, (row) => {
    for (const [at, { name }] of describedColumns.entries()) {
      const value = readCell(row, name);
      if (value === null || value === undefined || isDecided(typeFlags[at]!)) continue;
      const converter = converters[at];
      if (!converter) typeFlags[at] = typeFlags[at]! | typeFlag(value);
      else {
        if (describedColumns[at]!.type === 'datetime' && !dailyColumns.has(name)) {
          // The first value decides whether the column contains days or moments.
          dailyColumns.set(name, typeof value === 'string' && value.length === 10);
          converters[at] = createConverter({ ...describedColumns[at]!, isDaily: dailyColumns.get(name)! });
        }
        converters[at]!.convert(value);
        if (!converters[at]!.wasLossless()) typeFlags[at] = misfitFlag;
      }
    }
    return !typeFlags.every(isDecided);
  });
  const names = new Set(describedColumns.map(({ name }) => name));
  const typedColumns = describedColumns.map((column, at): TypedColumn => {
    if (!isTyped(column)) return { ...column, logicalType: inferredType(typeFlags[at]!) };
    const isDaily = dailyColumns.get(column.name) ?? false;
    return {
      ...column,
      logicalType: logicalTypeOf(column),
      ...(column.type === 'datetime' ? { isDaily } : {}),
      ...(typeFlags[at] === misfitFlag ? { isLoose: true } : {}),
    };
  });
  const rawColumns = typedColumns
    .filter(({ isLoose }) => isLoose)
    .map(({ name }): TypedColumn => ({ ...rawColumn(name, names), logicalType: 'STRING', rawOf: name }));
  return [...typedColumns, ...rawColumns];
}

const logicalTypeOf = ({ type = 'text', inside }: DescribedColumn): LogicalType =>
  type === 'json' && inside ? 'NESTED' : logicalTypes[type];

const isDecided = (typeFlags: number) => typeFlags === misfitFlag || inferredType(typeFlags) === 'JSON';

function typeFlag(value: Json): number {
  if (typeof value === 'string') return textFlag;
  if (typeof value === 'boolean') return booleanFlag;
  if (typeof value !== 'number') return nestedFlag;
  if (Number.isSafeInteger(value)) return integerFlag;
  return Number.isFinite(value) ? fractionFlag : nestedFlag;
}

function inferredType(typeFlags: number): LogicalType {
  if (typeFlags === textFlag || typeFlags === 0) return 'STRING';
  if (typeFlags === booleanFlag) return 'BOOLEAN';
  if (typeFlags === integerFlag) return 'INT64';
  return typeFlags === fractionFlag || typeFlags === (integerFlag | fractionFlag) ? 'DOUBLE' : 'JSON';
}

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
