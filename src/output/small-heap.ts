import { setFlagsFromString } from 'node:v8';

/**
 * For runs through which records, or answers, only pass: a nursery of so many MB at most. A larger one would put off the collection
 * of what is long done with, and double the memory that such a run takes.
 */
export function keepHeapSmall(nurseryMb: number): void {
  setFlagsFromString(`--max-semi-space-size=${nurseryMb}`);
  setFlagsFromString('--semi-space-growth-factor=1');
}
