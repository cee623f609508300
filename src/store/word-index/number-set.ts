/** A set of small whole numbers: one byte for each number up to the largest, 1 MB for a million instead of 40. */
export type NumberSet = { add(number: number): void; has(number: number): boolean; readonly size: number };

/** Creates an empty set. */
export function createNumberSet(): NumberSet {
  let marks = new Uint8Array(1024);
  let size = 0;
  return {
    get size() {
      return size;
    },
    has: (number) => marks[number] === 1,
    add(number) {
      if (marks[number] === 1) return;
      if (number >= marks.length) {
        const grown = new Uint8Array(Math.max(number + 1, marks.length * 2));
        grown.set(marks);
        marks = grown;
      }
      marks[number] = 1;
      size += 1;
    },
  };
}
