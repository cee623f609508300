import { orNull } from '../errors.ts';
import { type Document, isDocument, type Json, slugOf } from '../model/document.ts';
import type { Column, ColumnType } from '../model/kinds.ts';
import { dayMs } from '../model/moment.ts';

/** A column with the description that a converter needs; its type is text by default. */
export type DescribedColumn = Pick<Column, 'name'> &
  Partial<Pick<Column, 'type' | 'inside' | 'isReference' | 'description'>> & {
    /** For `datetime`: true if `2031-03-04` is a misfit, as it would be read back as `2031-03-04T00:00:00Z`. */
    isOfMoments?: boolean;
  };

const integerPattern = /^(0|-?[1-9]\d{0,14})$/; // Up to 15 digits, which a double represents exactly.
const isoPattern = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** Returns milliseconds since 1970 as ISO 8601 in UTC, without `.000`. */
export const shortMoment = (milliseconds: number): string => new Date(milliseconds).toISOString().replace('.000Z', 'Z');

/** Shortens a moment at midnight in UTC to its day; returns any other unchanged. */
export const dayOfMoment = (moment: string): string => moment.replace(/T00:00:00Z$/, '');

/** Parses ISO 8601 (UTC by default) to milliseconds since 1970; null for other values. */
function parseMoment(value: Json): number | null {
  if (typeof value !== 'string' || !isoPattern.test(value) || daysSince1970(value.slice(0, 10)) === null) return null;
  const isZoned = value.length === 10 || /(Z|[+-]\d\d:?\d\d)$/.test(value); // Date.parse reads a day as UTC.
  const milliseconds = Date.parse(isZoned ? value : `${value}Z`);
  return Number.isNaN(milliseconds) || milliseconds < yearZeroMs ? null : milliseconds;
}

const yearZeroMs = -62_167_219_200_000; // ISO 8601 writes earlier years with a sign.

/** Converts a value. If that loses anything (a misfit), calls `misfit` and returns null or the nearest value. */
type Converter = (value: Json, misfit: () => null) => unknown;

const scalarConverters: Record<Exclude<ColumnType, 'text' | 'json' | 'datetime'>, Converter> = {
  date: (value, misfit) => daysSince1970(value) ?? misfit(),
  integer: (value, misfit) => {
    if (typeof value === 'string' && integerPattern.test(value)) return BigInt(value);
    return Number.isSafeInteger(value) ? BigInt(value as number) : misfit();
  },
  number: (value, misfit) => {
    if (typeof value === 'string' && String(Number(value)) === value && Number.isFinite(Number(value)))
      return Number(value);
    return Number.isFinite(value) ? value || 0 : misfit(); // -0 becomes 0.
  },
  boolean: (value, misfit) => {
    if (typeof value === 'boolean') return value;
    return value === 'true' || value === 'false' ? value === 'true' : misfit();
  },
};

/** Returns a converter to the type of a column; a JSON number too large for a double (1e400) counts as null. */
export function createConverter(column: DescribedColumn) {
  const convert = converterOf(column);
  let isLossless = true;
  const misfit = () => {
    isLossless = false;
    return null;
  };
  return {
    /** Returns integers and moments as bigint, dates as days since 1970; null or the nearest value for a misfit. */
    convert(value: Json): unknown {
      isLossless = true;
      return convert(value, misfit);
    },
    /** Whether the last conversion lost nothing. */
    wasLossless: () => isLossless,
  };
}

function converterOf(column: DescribedColumn): Converter {
  const convert = typeConverter(column);
  return (value, misfit) => (value === Infinity || value === -Infinity ? null : convert(value, misfit));
}

function typeConverter({ type = 'text', inside, isReference, isOfMoments = false }: DescribedColumn): Converter {
  if (type === 'text')
    return (value, misfit) => {
      if (typeof value !== 'object') return String(value);
      misfit();
      return isReference ? slugOf(value) : null;
    };
  if (type === 'datetime')
    return (value, misfit) => {
      const milliseconds = parseMoment(value);
      if (milliseconds === null) return misfit();
      const text = shortMoment(milliseconds);
      if (text !== value && (isOfMoments || dayOfMoment(text) !== value)) misfit();
      return BigInt(milliseconds);
    };
  if (type !== 'json') return scalarConverters[type];
  if (!inside) return (value) => value;
  if ('fields' in inside) return fieldsConverter(inside.fields);
  const { list } = inside;
  const convert = list === 'ids' ? converterOf({ name: 'element', type: 'text' }) : fieldsConverter(list);
  return (value, misfit) => {
    if (!Array.isArray(value)) return misfit();
    return value.map((each) => (each === null ? null : convert(each, misfit)) ?? misfit());
  };
}

function fieldsConverter(columns: Column[]): Converter {
  const fieldConverters = columns.map((column) => ({ name: column.name, convert: converterOf(column) }));
  return (value, misfit) => {
    if (!isDocument(value)) return misfit();
    let fieldCount = 0;
    const fittedFields: Document = {};
    for (const { name, convert } of fieldConverters) {
      const field = value[name];
      if (field !== undefined) fieldCount += 1;
      if (field !== undefined && field !== null) fittedFields[name] = convert(field, misfit) as Json;
    }
    if (fieldCount !== Object.keys(value).length) misfit();
    return fittedFields;
  };
}

/** Returns a value as text: a text unchanged, any other as JSON. */
export const rawText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Returns a text column `NAME_raw` for the misfits of a column; adds its name to `usedNames`. */
export function rawColumn(name: string, usedNames: Set<string>) {
  let rawName = `${name}_raw`;
  while (usedNames.has(rawName)) rawName = `${rawName}_`;
  usedNames.add(rawName);
  const description = `What \`${name}\` says where that does not fit its type: the value as it came.`;
  return { name: rawName, type: 'text' as const, description };
}

/** Reverses `rawText`: parses a JSON list or object; returns any other text unchanged. */
export const rawValue = (text: string): Json => (/^[[{]/.test(text) ? (orNull(() => JSON.parse(text)) ?? text) : text);

const dayPattern = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

/** Parses an ISO 8601 day to days since 1970; null for other values. */
export function daysSince1970(value: Json): number | null {
  if (typeof value !== 'string' || !dayPattern.test(value)) return null;
  const moment = Date.parse(value);
  const day = Number(value.slice(8));
  // JavaScript reads 30 February as a day in March.
  return day > 28 && new Date(moment).getUTCDate() !== day ? null : moment / dayMs;
}
