import { InterruptedError } from '../errors.ts';
import { bucketPlace, isBucket } from '../export/bucket-place.ts';
import type { BucketOptions } from '../service/bucket.ts';
import { say } from '../words/speech.ts';
import { onEndSignal } from './process.ts';

/** Lets `work` write into the folder that was named, or into one that is then sent to the bucket that was; tells what was sent. */
export async function intoPlace<Result>(
  place: string,
  network: BucketOptions,
  work: (folder: string) => Promise<Result>,
): Promise<{ result: Result; moved: { written: number; removed: number } | null }> {
  if (!isBucket(place)) return { result: await work(place), moved: null };
  const [{ openBucket }, { inBucket }] = await Promise.all([
    import('../service/bucket.ts'),
    import('../export/bucket-copy.ts'),
  ]);
  const bucket = await openBucket(bucketPlace(place, process.env), network);
  let stopped: InterruptedError | null = null;
  onEndSignal((exit) => {
    stopped = new InterruptedError(
      exit,
      say`interrupted; what was sent to ${bucket.shown} stays`,
      say`run it again: it sends the rest`,
    );
  });
  try {
    const options = { now: network.now, interruption: () => stopped };
    const { result, sent, removed } = await inBucket(bucket, options, work);
    return { result, moved: { written: sent, removed } };
  } finally {
    await bucket.close();
  }
}
