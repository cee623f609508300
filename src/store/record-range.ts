import { type Kind, kinds } from '../model/kinds.ts';

const span = 2 ** 40;

/** First and last record id that a kind can have: rows of one kind stand together. */
export function recordRange(kind: Kind): { first: number; last: number } {
  return { first: kind.number * span + 1, last: (kind.number + 1) * span - 1 };
}

/** The kind of the record with that id. */
export function kindOfRecord(id: number): Kind {
  const number = Math.floor(id / span);
  const kind = kinds.find((candidate) => candidate.number === number);
  if (!kind) throw new RangeError(`record ${id} is of no known kind`);
  return kind;
}
