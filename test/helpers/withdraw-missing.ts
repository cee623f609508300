import { type Kind, recordRange } from '../../src/model/kinds.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { withdraw } from '../../src/store/saving/withdrawals.ts';
import type { NumberSet } from '../../src/store/word-index/number-set.ts';

/** Withdraws all current records of a kind that an enumeration lacks; returns how many. Call it in a transaction. */
export function withdrawMissing(
  mirror: Mirror,
  kind: Kind,
  { seenNumbers, at }: { seenNumbers: NumberSet; at: string },
): number {
  const { first, last } = recordRange(kind);
  const current = mirror.column<number>('SELECT id FROM record WHERE id BETWEEN ? AND ? AND withdrawn IS NULL');
  const missing = current.all(first, last).filter((id) => !seenNumbers.has(id - first));
  for (const id of missing) withdraw(mirror, id, at);
  return missing.length;
}
