import { UsageError } from '../errors.ts';

/** An opaque keyset cursor: where the last page ended, in the terms of its order. */
export function encodeCursor(order: string, position: (string | number)[]): string {
  return Buffer.from(JSON.stringify([order, ...position])).toString('base64url');
}

/** The position that a cursor names; throws a UsageError on one that is damaged or of another order. */
export function decodeCursor(order: string, cursor: string): [string, number] {
  let decoded: unknown;
  try {
    decoded = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    decoded = null;
  }
  if (
    Array.isArray(decoded) &&
    decoded[0] === order &&
    typeof decoded[1] === 'string' &&
    Number.isSafeInteger(decoded[2])
  ) {
    return [decoded[1], decoded[2]];
  }
  throw new UsageError(
    'the cursor is not one of this list',
    'take it from next_cursor, with the same sort, or leave it out',
  );
}
