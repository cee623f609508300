import type { Json } from './document.ts';

/**
 * What a JSON text says, and the text for it. A whole number that a double may not hold becomes the text of its digits: two
 * ids of a source could become one. With `isOfDoubles` one whose digits are those of a double stays a number: whoever writes
 * doubles wrote it. Throws a SyntaxError as `JSON.parse` does.
 */
export function readExactly(text: string, { isOfDoubles = false } = {}): { value: Json; text: string } {
  const value: Json = JSON.parse(text);
  if (!holdsLongWhole(value)) return { value, text };
  let isChanged = false;
  const exact: Json = JSON.parse(text, (_name, each: Json, { source = '' }: { source?: string } = {}) => {
    if (!isLongWhole(each) || !/^-?\d+$/.test(source) || (isOfDoubles && source === `${each}`)) return each;
    isChanged = true;
    return source;
  });
  return isChanged ? { value: exact, text: JSON.stringify(exact) } : { value, text };
}

const isLongWhole = (value: Json): value is number => Number.isInteger(value) && !Number.isSafeInteger(value);

/** Goes through it without recursion, for its depth may be any; what was parsed costs less to look at than its text. */
function holdsLongWhole(value: Json): boolean {
  const inside: Json[] = [value];
  for (let each = inside.pop(); each !== undefined; each = inside.pop()) {
    if (isLongWhole(each)) return true;
    if (typeof each !== 'object' || each === null) continue;
    for (const field in each) {
      const inner = (each as Record<string, Json>)[field]!;
      if (typeof inner === 'number' ? isLongWhole(inner) : typeof inner === 'object' && inner !== null)
        inside.push(inner);
    }
  }
  return false;
}
