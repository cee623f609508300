import type { Json } from './document.ts';

/** An integer that may exceed a double's precision; a match inside a string only costs time. */
const longIntegerPattern = /[:,[]\s*-?\d{16,}\s*[,}\]]/;

/** Parses JSON with integers beyond a double's precision as strings, so that ids stay distinct. Throws SyntaxError. */
export function parseExactJson(text: string, { isOfDoubles = false } = {}): { value: Json; text: string } {
  // With `isOfDoubles`, an integer that prints with the same digits stays a number, since its writer used doubles.
  if (!longIntegerPattern.test(text)) return { value: JSON.parse(text), text };
  let isChanged = false;
  const exact: Json = JSON.parse(text, (_name, each: Json, { source = '' }: { source?: string } = {}) => {
    if (!isLongWhole(each) || !/^-?\d+$/.test(source) || (isOfDoubles && source === `${each}`)) return each;
    isChanged = true;
    return source;
  });
  return { value: exact, text: isChanged ? JSON.stringify(exact) : text };
}

const isLongWhole = (value: Json): value is number => Number.isInteger(value) && !Number.isSafeInteger(value);
