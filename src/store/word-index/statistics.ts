import type { Mirror } from '../mirror.ts';
import { columns } from './segment-pages.ts';
import { varint } from './varints.ts';

/** What was counted in the index of a mirror, kept as long as nobody saves anything there: a page asks what the one before did. */
export type Statistics = {
  /** What `count` counts; the name stands for it. */
  counted<Value>(name: string, count: () => Value): Value;
  /** How many words each of some records has, as the index keeps that. */
  lengths(ids: readonly number[]): number[];
};

type Kept = { counts: Map<string, unknown>; lengths: Map<number, Uint32Array> };

const [mostCounts, longestName] = [1000, 1000];

/** The statistics of a mirror; one that is written to, or read as of a day, keeps none. */
export function statisticsOf(mirror: Mirror): Statistics {
  const { counts, lengths } = mirror.pastOf === null ? mirror.readOnce('statistics', nothing) : nothing();
  return {
    counted<Value>(name: string, count: () => Value): Value {
      if (name.length > longestName) return count();
      if (!counts.has(name)) {
        if (counts.size >= mostCounts) counts.clear();
        counts.set(name, count());
      }
      return counts.get(name) as Value;
    },
    lengths(ids) {
      const missing = lengthsIn(lengths, ids).flatMap((length, at) => (length === 0 ? [ids[at]!] : []));
      if (missing.length > 0) readLengths(mirror, missing, lengths);
      return lengthsIn(lengths, ids).map((length) => length - 1);
    },
  };
}

const nothing = (): Kept => ({ counts: new Map(), lengths: new Map() });

/** Lengths stand side by side, each one more than it is: 0 where it is not known. */
const blockLength = 2 ** 14;

function blockOf(lengths: Kept['lengths'], id: number): Uint32Array {
  const number = Math.floor(id / blockLength);
  let block = lengths.get(number);
  if (block === undefined) {
    block = new Uint32Array(blockLength);
    lengths.set(number, block);
  }
  return block;
}

/** What is kept of some records, many of which stand side by side. */
function lengthsIn(lengths: Kept['lengths'], ids: readonly number[]): number[] {
  let number = -1;
  let block: Uint32Array | null = null;
  return ids.map((id) => {
    const own = Math.floor(id / blockLength);
    if (block === null || own !== number) block = blockOf(lengths, id);
    number = own;
    return block[id % blockLength]!;
  });
}

function readLengths(mirror: Mirror, ids: readonly number[], lengths: Kept['lengths']): void {
  // One text for all: a row for each would take as long as to rank them.
  const text = mirror
    .column<string | null>(
      "SELECT group_concat(hex(sz), '') FROM json_each(?) CROSS JOIN search_docsize ON search_docsize.id = value",
    )
    .get(JSON.stringify(ids));
  const sizes = { bytes: Buffer.from(text ?? '', 'hex'), at: 0 };
  for (const id of ids) {
    let words = 0;
    for (let column = 0; column < columns; column += 1) words += varint(sizes);
    blockOf(lengths, id)[id % blockLength] = words + 1;
  }
}
