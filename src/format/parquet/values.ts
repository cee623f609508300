import type { ColumnEncoder } from './column.ts';
import type { Statistics } from './library.ts';

/** Most texts differ within so many, and calling for a comparison takes longer than making it. */
const fewBytes = 32;

/** Texts as PLAIN lays them, each behind its length, with the smallest and the largest in order of their bytes. */
export function createTexts({ stats: isBounded }: ColumnEncoder) {
  let bytes = Buffer.allocUnsafeSlow(1 << 16);
  let view = new DataView(bytes.buffer);
  let [end, count] = [0, 0];
  // Where the bounds among the bytes lie, and those of what is no longer here.
  let [minBegin, minEnd, maxBegin, maxEnd] = [0, 0, 0, 0];
  let min: Uint8Array | undefined;
  let max: Uint8Array | undefined;

  const size = () => end - 4 * count;

  function makeRoom(most: number) {
    if (end + most <= bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * bytes.length, end + most));
    bytes.copy(larger, 0, 0, end);
    bytes = larger;
    view = new DataView(bytes.buffer);
  }

  /** The order of two texts that are here. */
  function order(begin: number, stop: number, otherBegin: number, otherStop: number): number {
    const length = Math.min(stop - begin, otherStop - otherBegin, fewBytes);
    for (let at = 0; at < length; at += 1) {
      const difference = bytes[begin + at]! - bytes[otherBegin + at]!;
      if (difference !== 0) return difference;
    }
    return bytes.compare(bytes, otherBegin + length, otherStop, begin + length, stop);
  }

  function keepBounds() {
    if (count === 0 || !isBounded) return;
    const [smallest, largest] = [bytes.subarray(minBegin, minEnd), bytes.subarray(maxBegin, maxEnd)];
    if (min === undefined || Buffer.compare(smallest, min) < 0) min = Uint8Array.from(smallest);
    if (max === undefined || Buffer.compare(largest, max) > 0) max = Uint8Array.from(largest);
  }

  return {
    /** Bytes of the texts, their lengths aside. */
    size,
    /** Adds a text; false where all of them would then have a size of `most`, or more. */
    add(text: string, most = Number.POSITIVE_INFINITY): boolean {
      // No UTF-16 unit takes more than three bytes.
      makeRoom(4 + 3 * text.length);
      const begin = end + 4;
      const length = bytes.write(text, begin);
      if (size() + length >= most) return false;
      view.setUint32(end, length, true);
      end = begin + length;
      if (isBounded) {
        if (count === 0 || order(begin, end, minBegin, minEnd) < 0) [minBegin, minEnd] = [begin, end];
        if (count === 0 || order(begin, end, maxBegin, maxEnd) > 0) [maxBegin, maxEnd] = [begin, end];
      }
      count += 1;
      return true;
    },
    bytes: () => bytes.subarray(0, end),
    /** Forgets the texts, but not their bounds. */
    next() {
      keepBounds();
      [end, count] = [0, 0];
    },
    /** Bounds of all texts since they were cleared. */
    statistics(nulls: number): Statistics {
      keepBounds();
      return { min_value: min, max_value: max, null_count: BigInt(nulls) };
    },
    clear() {
      [end, count, min, max] = [0, 0, undefined, undefined];
    },
  };
}
