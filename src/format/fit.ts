import { type Document, isDocument, type Json, slugOf } from '../model/document.ts';
import type { Column, ColumnType } from '../model/kinds.ts';

/** A described column: its type is fixed unless it was guessed or only its name is known. */
export type DescribedColumn = Pick<Column, 'name'> &
  Partial<Pick<Column, 'type' | 'inside' | 'isReference' | 'isGuessed' | 'description'>> & {
    /** For `datetime`: true if values are days, false if not; undefined accepts both. */
    isDaily?: boolean;
  };

/** Converts values to a column type: `take` returns null for a misfit, `wasWhole` true after a lossless one. */
export type Fit = { take(value: Json): unknown; wasWhole(): boolean };

/** True for a column whose type is fixed by its description. */
export const isTyped = ({ type, isGuessed }: DescribedColumn): boolean => type !== undefined && !isGuessed;

const digits = /^(0|-?[1-9]\d{0,14})$/;
const moments = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** ISO 8601 in UTC, without `.000`. */
export function shortMoment(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('.000Z', 'Z');
}

/** Shortens a moment at midnight to its day. */
export const dayOfMoment = (moment: string): string => moment.replace(/T00:00:00Z$/, '');

/** Parses ISO 8601 (UTC by default) to milliseconds since 1970; null for other values. */
function momentOf(value: Json): number | null {
  if (typeof value !== 'string' || !moments.test(value) || dayOf(value.slice(0, 10)) === null) return null;
  const isZoned = value.length === 10 || /(Z|[+-]\d\d:?\d\d)$/.test(value);
  const at = Date.parse(isZoned ? value : `${value}Z`);
  return Number.isNaN(at) || at < -62_167_219_200_000 ? null : at;
}

const takes: Record<Exclude<ColumnType, 'text' | 'json' | 'datetime'>, (value: Json) => unknown> = {
  date: (value) => dayOf(value) ?? undefined,
  integer: (value) => {
    if (typeof value === 'string' && digits.test(value)) return BigInt(value);
    return Number.isSafeInteger(value) ? BigInt(value as number) : undefined;
  },
  number: (value) => {
    if (typeof value === 'string' && String(Number(value)) === value && Number.isFinite(Number(value)))
      return Number(value);
    return Number.isFinite(value) ? value : undefined;
  },
  boolean: (value) => {
    if (typeof value === 'boolean') return value;
    return value === 'true' || value === 'false' ? value === 'true' : undefined;
  },
};

/** The converter of a described column; a JSON number too large for a double (1e400) counts as null. */
export function fitOf(column: DescribedColumn): Fit {
  const { take, wasWhole } = typeFit(column);
  let isNumber = true;
  return {
    take(value) {
      isNumber = value !== Infinity && value !== -Infinity;
      return isNumber ? take(value) : null;
    },
    wasWhole: () => !isNumber || wasWhole(),
  };
}

function typeFit({ type = 'text', inside, isReference, isDaily }: DescribedColumn): Fit {
  let isWhole = true;
  const part = inside && partFit('list' in inside ? inside.list : inside.fields);
  const takeText = (value: Json) => {
    isWhole = typeof value !== 'object';
    if (typeof value === 'string') return value;
    if (isWhole) return String(value);
    return isReference ? slugOf(value) : null;
  };
  const takeMoment = (value: Json) => {
    const at = momentOf(value);
    const text = at === null ? null : shortMoment(at);
    isWhole = text !== null && ((!isDaily && text === value) || (isDaily !== false && dayOfMoment(text) === value));
    return at === null ? null : BigInt(at);
  };
  const takeFields = (value: Json) => {
    const fittedValue = isDocument(value) ? part!.take(value) : null;
    isWhole = fittedValue !== null && part!.wasWhole();
    return fittedValue;
  };
  const takeList = (value: Json) => {
    isWhole = Array.isArray(value);
    if (!Array.isArray(value)) return null;
    return value.map((each) => {
      const fittedItem = each === null ? null : part!.take(each);
      isWhole &&= fittedItem !== null && part!.wasWhole();
      return fittedItem;
    });
  };
  const takeScalar = (convert: (value: Json) => unknown) => (value: Json) => {
    const fittedValue = convert(value);
    isWhole = fittedValue !== undefined;
    return fittedValue ?? null;
  };
  const taker = (): Fit['take'] => {
    if (type === 'text') return takeText;
    if (type === 'datetime') return takeMoment;
    if (type !== 'json') return takeScalar(takes[type]);
    if (!inside) return (value) => value;
    return 'list' in inside ? takeList : takeFields;
  };
  return { take: taker(), wasWhole: () => isWhole };
}

function partFit(inside: 'ids' | Column[]): Fit {
  if (inside === 'ids') return fitOf({ name: 'element', type: 'text' });
  const fits = inside.map((column) => ({ name: column.name, fit: fitOf(column) }));
  let isWhole = true;
  return {
    wasWhole: () => isWhole,
    take(value) {
      isWhole = isDocument(value);
      if (!isDocument(value)) return null;
      let fieldCount = 0;
      const fittedFields: Document = {};
      for (const { name, fit } of fits) {
        const field = value[name];
        if (field !== undefined) fieldCount += 1;
        if (field === undefined || field === null) continue;
        fittedFields[name] = fit.take(field) as Json;
        isWhole &&= fit.wasWhole();
      }
      isWhole &&= fieldCount === Object.keys(value).length;
      return fittedFields;
    },
  };
}

/** A misfit as text: itself, or JSON. */
export const rawText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The raw-value column for misfits of a column, under an unused name. */
export function rawColumn(name: string, usedNames: Set<string>) {
  let raw = `${name}_raw`;
  while (usedNames.has(raw)) raw = `${raw}_`;
  usedNames.add(raw);
  return {
    name: raw,
    type: 'text' as const,
    description: `What \`${name}\` says where that does not fit its type: the value as it came.`,
  };
}

/** Parses a text of `rawText`. */
export function rawValue(text: string): Json {
  if (!/^[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const dayMs = 86_400_000;
const days = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

/** Parses an ISO 8601 day to days since 1970; null for other values. */
export function dayOf(value: Json): number | null {
  if (typeof value !== 'string' || !days.test(value)) return null;
  const moment = Date.parse(value);
  const day = Number(value.slice(8));
  // JavaScript reads 30 February as a day in March.
  return day > 28 && new Date(moment).getUTCDate() !== day ? null : moment / dayMs;
}
