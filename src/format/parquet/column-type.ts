import type { Document, Json } from '../../model/document.ts';
import type { ColumnType } from '../../model/kinds.ts';
import { cellReader } from '../rows.ts';

/** The Parquet type of a column. */
export type PhysicalType = 'BOOLEAN' | 'INT64' | 'DOUBLE' | 'DATE' | 'STRING' | 'JSON';

const boolean = 1;
const integer = 2;
const fraction = 4;
const text = 8;
const nested = 16;
const day = 32;

const dayMs = 86_400_000;

/**
 * The type that holds every value of each column, from all rows: what mixes or nests is JSON. A column that is described
 * as dates is DATE where every value is a whole day. What is null throughout has the type of its description: STRING
 * where that is no date, integer or boolean.
 */
export function columnTypes(
  rows: Iterable<Document>,
  described: { name: string; type?: ColumnType }[],
): PhysicalType[] {
  const columns = described.map(({ name }) => name);
  const dated = described.map(({ type }) => type === 'date');
  const read = cellReader(columns);
  const seen = new Uint8Array(columns.length);
  let open = columns.map((_, at) => at);
  for (const row of rows) {
    let decided = false;
    for (const at of open) {
      const value = read(row, columns[at]!);
      // Most cells are texts in a column of texts, or empty: nothing new is learnt from those.
      if (value === null || value === undefined || (seen[at] === text && typeof value === 'string')) continue;
      seen[at] = seen[at]! | (dated[at] && dayOf(value) !== null ? day : classOf(value));
      if (typeOf(seen[at]!) === 'JSON') decided = true;
    }
    if (decided) open = open.filter((at) => typeOf(seen[at]!) !== 'JSON');
    if (open.length === 0) break;
  }
  return [...seen].map((classes, at) => (classes === 0 ? emptyType(described[at]!.type) : typeOf(classes)));
}

function emptyType(described: ColumnType | undefined): PhysicalType {
  if (described === 'date') return 'DATE';
  if (described === 'integer') return 'INT64';
  if (described === 'number') return 'DOUBLE';
  return described === 'boolean' ? 'BOOLEAN' : 'STRING';
}

function classOf(value: Json): number {
  if (typeof value === 'string') return text;
  if (typeof value === 'boolean') return boolean;
  if (typeof value !== 'number') return nested;
  if (Number.isSafeInteger(value)) return integer;
  return Number.isFinite(value) ? fraction : nested;
}

function typeOf(seen: number): PhysicalType {
  if (seen === text || seen === 0 || seen === (day | text)) return 'STRING';
  if (seen === day) return 'DATE';
  if (seen === boolean) return 'BOOLEAN';
  if (seen === integer) return 'INT64';
  return seen === fraction || seen === (integer | fraction) ? 'DOUBLE' : 'JSON';
}

/** The calendar repeats after so many years, of so many days. */
const [cycleYears, cycleDays] = [400, 146_097];

/** A day as ISO 8601 writes it, counted from 1970; null for anything else, and for a day that there is not. */
export function dayOf(value: Json): number | null {
  if (typeof value !== 'string' || value.length !== 10 || value[4] !== '-' || value[7] !== '-') return null;
  const [year, month, day] = [
    100 * twoDigits(value, 0) + twoDigits(value, 2),
    twoDigits(value, 5),
    twoDigits(value, 8),
  ];
  // A cycle later, since years below 100 are taken for those of the last century.
  const moment = Date.UTC(year + cycleYears, month - 1, day);
  if (Number.isNaN(moment) || month < 1 || month > 12 || day < 1) return null;
  // A day that a month has not is read as one of the next.
  if (day > 28 && new Date(moment).getUTCDate() !== day) return null;
  return moment / dayMs - cycleDays;
}

/** NaN where there are no two digits. */
function twoDigits(text: string, at: number): number {
  const [tens, ones] = [text.charCodeAt(at) - 48, text.charCodeAt(at + 1) - 48];
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? 10 * tens + ones : Number.NaN;
}
