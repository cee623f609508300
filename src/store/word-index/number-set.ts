/** A set of small whole numbers in one byte per number up to the largest: 1 MB for a million, where a Set takes 40. */
export type NumberSet = { add(number: number): void; has(number: number): boolean; readonly size: number };

/** Creates an empty set. */
export function createNumberSet(): NumberSet {
  let flags = new Uint8Array(1024);
  let size = 0;
  return {
    get size() {
      return size;
    },
    has: (number) => flags[number] === 1,
    add(number) {
      if (flags[number] === 1) return;
      if (number >= flags.length) {
        const largerFlags = new Uint8Array(Math.max(number + 1, flags.length * 2));
        largerFlags.set(flags);
        flags = largerFlags;
      }
      flags[number] = 1;
      size += 1;
    },
  };
}
