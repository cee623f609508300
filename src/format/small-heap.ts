import { setFlagsFromString } from 'node:v8';

/**
 * For runs through which records, or answers, only pass: a nursery of so many MB at most. A larger one would put off
 * the collection of what is long done with, and double the memory that such a run takes. Where `growthPercent` is given,
 * the heap grows by no more than that between collections of the whole; threads begun later have a nursery of that size
 * at once.
 */
export function keepHeapSmall(nurseryMb: number, { growthPercent }: { growthPercent?: number } = {}): void {
  setFlagsFromString(`--max-semi-space-size=${nurseryMb}`);
  setFlagsFromString('--semi-space-growth-factor=1');
  if (growthPercent === undefined) return;
  setFlagsFromString(`--min-semi-space-size=${nurseryMb}`);
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
}
