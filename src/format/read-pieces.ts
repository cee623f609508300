import { closeSync, openSync, readSync } from 'node:fs';

/** The bytes of a file in pieces of that size at most; a piece holds until the next one is asked for. */
export function* readPieces(path: string, size: number): Generator<Uint8Array> {
  // One buffer for all: buffers of their own would wait for a collection, many of them at once.
  const buffer = Buffer.allocUnsafe(size);
  const file = openSync(path, 'r');
  try {
    for (;;) {
      const length = readSync(file, buffer, 0, size, null);
      if (length === 0) return;
      yield buffer.subarray(0, length);
    }
  } finally {
    closeSync(file);
  }
}
