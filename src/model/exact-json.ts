import type { Document, Json } from './document.ts';

/** A whole number that a double may not hold; one within a string only costs a closer look. */
const longWhole = /[:,[]\s*-?\d{16,}\s*[,}\]]/;

/**
 * What a JSON text says, and the text for it. A whole number that a double may not hold becomes the text of its digits: two
 * ids of a source could become one. With `isOfDoubles` one whose digits are those of a double stays a number: whoever writes
 * doubles wrote it. Throws a SyntaxError as `JSON.parse` does.
 */
export function readExactly(text: string, { isOfDoubles = false } = {}): { value: Json; text: string } {
  if (!longWhole.test(text)) return { value: JSON.parse(text), text };
  let isChanged = false;
  const exact: Json = JSON.parse(text, (_name, each: Json, { source = '' }: { source?: string } = {}) => {
    if (!isLongWhole(each) || !/^-?\d+$/.test(source) || (isOfDoubles && source === `${each}`)) return each;
    isChanged = true;
    return source;
  });
  return { value: exact, text: isChanged ? JSON.stringify(exact) : text };
}

const isLongWhole = (value: Json): value is number => Number.isInteger(value) && !Number.isSafeInteger(value);

/** True where a field of a record, or a list in one, holds a whole number that is not read exactly: where its ids stand. */
export function holdsLongId(record: Document): boolean {
  for (const field in record) {
    const value = record[field]!;
    if (typeof value === 'number' ? isLongWhole(value) : Array.isArray(value) && value.some(isLongWhole))
      return true;
  }
  return false;
}
