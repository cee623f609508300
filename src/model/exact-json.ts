import type { Document, Json } from './document.ts';

/** An integer that may exceed a double's precision; matches in strings only cost time. */
const longWhole = /[:,[]\s*-?\d{16,}\s*[,}\]]/;

/**
 * Parses JSON without loss of integer precision: integers beyond a double's range become strings, so that two ids cannot
 * collide. With `isOfDoubles` an integer that prints as the same digits stays a number, since its writer used doubles.
 * Throws a SyntaxError as `JSON.parse` does.
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

/** True if a field of a record, or of a list in it, holds an integer beyond a double's precision. */
export function holdsLongId(record: Document): boolean {
  for (const field in record) {
    const value = record[field]!;
    if (typeof value === 'number' ? isLongWhole(value) : Array.isArray(value) && value.some(isLongWhole)) return true;
  }
  return false;
}
