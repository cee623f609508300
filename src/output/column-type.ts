import type { Document, Json } from '../model/document.ts';
import { cellReader } from './row-format.ts';

/** The Parquet type of a column. */
export type PhysicalType = 'BOOLEAN' | 'INT64' | 'DOUBLE' | 'STRING' | 'JSON';

const boolean = 1;
const integer = 2;
const fraction = 4;
const text = 8;
const nested = 16;

/**
 * The type that holds every value of each column, from all rows: what mixes or nests is JSON, what is null
 * throughout is STRING.
 */
export function columnTypes(rows: Iterable<Document>, columns: string[]): PhysicalType[] {
  const read = cellReader(columns);
  const seen = new Uint8Array(columns.length);
  let open = columns.map((_, at) => at);
  for (const row of rows) {
    let decided = false;
    for (const at of open) {
      const value = read(row, columns[at]!);
      // Most cells are texts in a column of texts, or empty: nothing new is learnt from those.
      if (value === null || value === undefined || (seen[at] === text && typeof value === 'string')) continue;
      seen[at] = seen[at]! | classOf(value);
      if (typeOf(seen[at]!) === 'JSON') decided = true;
    }
    if (decided) open = open.filter((at) => typeOf(seen[at]!) !== 'JSON');
    if (open.length === 0) break;
  }
  return [...seen].map(typeOf);
}

function classOf(value: Json): number {
  if (typeof value === 'string') return text;
  if (typeof value === 'boolean') return boolean;
  if (typeof value !== 'number') return nested;
  if (Number.isSafeInteger(value)) return integer;
  return Number.isFinite(value) ? fraction : nested;
}

function typeOf(seen: number): PhysicalType {
  if (seen === text || seen === 0) return 'STRING';
  if (seen === boolean) return 'BOOLEAN';
  if (seen === integer) return 'INT64';
  return seen === fraction || seen === (integer | fraction) ? 'DOUBLE' : 'JSON';
}
