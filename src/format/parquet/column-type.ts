import type { SchemaElement } from 'hyparquet';
import type { Document, Json } from '../../model/document.ts';
import type { Column, ColumnType } from '../../model/kinds.ts';
import { type DescribedColumn, fitOf, isTyped, rawColumn } from '../fit.ts';
import { cellReader, eachRow } from '../rows.ts';
import type { Sink } from '../sink.ts';

const physicalTypes = {
  date: 'DATE',
  datetime: 'TIMESTAMP',
  integer: 'INT64',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  text: 'STRING',
  json: 'JSON',
} as const satisfies Record<ColumnType, string>;

/** The Parquet type of a column. */
export type PhysicalType = (typeof physicalTypes)[ColumnType] | 'NESTED';

const boolean = 1;
const integer = 2;
const fraction = 4;
const text = 8;
const nested = 16;
const misfit = 64;

/** A column of a file with its Parquet type. */
export type TypedColumn = DescribedColumn & {
  physical: PhysicalType;
  /** True if misfits go into another column. */
  isLoose?: boolean;
  /** The column whose misfits this one contains. */
  rawOf?: string;
};

/** Column types that fit any value (mixed, nested: JSON); misfits of described columns go into columns at the end. */
export async function typedColumns(
  rows: Iterable<Document>,
  described: DescribedColumn[],
  sink: Pick<Sink, 'yieldControl'> = {},
): Promise<TypedColumn[]> {
  const read = cellReader(described.map(({ name }) => name));
  const fits = described.map((column) => (isTyped(column) ? fitOf(column) : null));
  const daily = new Map<string, boolean>();
  const valueClasses = new Uint8Array(described.length);
  let open = described.map((_, at) => at);
  await eachRow(rows, sink, (row) => {
    let decided = false;
    for (const at of open) {
      const value = read(row, described[at]!.name);
      // Shortcut: a text in a text column and an empty cell change no type.
      if (value === null || value === undefined || (valueClasses[at] === text && typeof value === 'string')) continue;
      const fit = fits[at];
      if (!fit) valueClasses[at] = valueClasses[at]! | classOf(value);
      else if (described[at]!.type === 'text' && typeof value === 'string') continue;
      else {
        const { name, type } = described[at]!;
        if (type === 'datetime' && !daily.has(name)) {
          // The first value decides whether the column contains days or moments.
          daily.set(name, typeof value === 'string' && value.length === 10);
          fits[at] = fitOf({ ...described[at]!, isDaily: daily.get(name)! });
        }
        fits[at]!.take(value);
        if (!fits[at]!.wasWhole()) valueClasses[at] = misfit;
      }
      if (isDecided(valueClasses[at]!)) decided = true;
    }
    if (decided) open = open.filter((at) => !isDecided(valueClasses[at]!));
    return open.length > 0;
  });
  const names = new Set(described.map(({ name }) => name));
  const typed = described.map((column, at): TypedColumn => {
    if (!isTyped(column)) return { ...column, physical: typeOf(valueClasses[at]!) };
    const isDaily = daily.get(column.name) ?? false;
    return {
      ...column,
      physical: physicalOf(column),
      ...(column.type === 'datetime' ? { isDaily } : {}),
      ...(valueClasses[at] === misfit ? { isLoose: true } : {}),
    };
  });
  const raw = typed
    .filter(({ isLoose }) => isLoose)
    .map(({ name }): TypedColumn => ({ ...rawColumn(name, names), physical: 'STRING', rawOf: name }));
  return [...typed, ...raw];
}

const physicalOf = ({ type = 'text', inside }: DescribedColumn): PhysicalType =>
  type === 'json' && inside ? 'NESTED' : physicalTypes[type];

const isDecided = (valueClasses: number) => valueClasses === misfit || typeOf(valueClasses) === 'JSON';

function classOf(value: Json): number {
  if (typeof value === 'string') return text;
  if (typeof value === 'boolean') return boolean;
  if (typeof value !== 'number') return nested;
  if (Number.isSafeInteger(value)) return integer;
  return Number.isFinite(value) ? fraction : nested;
}

function typeOf(valueClasses: number): PhysicalType {
  if (valueClasses === text || valueClasses === 0) return 'STRING';
  if (valueClasses === boolean) return 'BOOLEAN';
  if (valueClasses === integer) return 'INT64';
  return valueClasses === fraction || valueClasses === (integer | fraction) ? 'DOUBLE' : 'JSON';
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

function elementsOf({ name, physical, inside }: TypedColumn): SchemaElement[] {
  if (physical === 'NESTED') {
    if (!inside) throw new TypeError(`nothing is said of what ${name} holds`);
    if ('fields' in inside) return group(name, inside.fields.map(field));
    return list(
      name,
      inside.list === 'ids' ? [plainElement('element', 'STRING')] : group('element', inside.list.map(field)),
    );
  }
  return [plainElement(name, physical)];
}

const plainTypes = {
  DATE: { type: 'INT32', converted_type: 'DATE' },
  TIMESTAMP: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  INT64: { type: 'INT64' },
  DOUBLE: { type: 'DOUBLE' },
  BOOLEAN: { type: 'BOOLEAN' },
  STRING: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  JSON: { type: 'BYTE_ARRAY', converted_type: 'JSON' },
} as const;

/** The schema element of an optional value. */
export function plainElement(name: string, physical: keyof typeof plainTypes): SchemaElement {
  return { name, ...plainTypes[physical], repetition_type: 'OPTIONAL' };
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
function field({ name, type }: Column): SchemaElement {
  if (type === 'json') throw new TypeError(`${name} has parts of its own`);
  return plainElement(name, physicalTypes[type]);
}
