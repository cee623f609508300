import { InterruptedError } from '../errors.ts';
import { bucketPlace, isBucket } from '../export/bucket-place.ts';
import type { Interruption } from '../export/part.ts';
import type { Bucket, BucketOptions } from '../service/bucket.ts';
import { type Phrase, say } from '../words/speech.ts';
import { onEndSignal } from './process.ts';

/** Runs `work` on the named folder, or on a temporary one that is then uploaded to the named bucket; logs uploads. */
export async function intoPlace<Result>(
  location: string,
  network: BucketOptions,
  work: (folder: string) => Promise<Result>,
): Promise<{ result: Result; moved: { written: number; removed: number } | null }> {
  if (!isBucket(location)) return { result: await work(location), moved: null };
  const { inBucket } = await import('../export/bucket-copy.ts');
  const message = say`interrupted; what was sent to ${location} is kept`;
  const advice = say`run it again to send the rest`;
  return onBucket(location, { network, message, advice }, (bucket, interruption) =>
    inBucket(bucket, { now: network.now, interruption }, work),
  );
}

/** Runs `work` on the named folder, or on a temporary download of the named bucket. */
export async function fromPlace(location: string, network: BucketOptions, work: (folder: string) => Promise<void>) {
  if (!isBucket(location)) return work(location);
  const { fromBucket } = await import('../export/bucket-copy.ts');
  const message = say`interrupted; ${location} was not checked`;
  return onBucket(location, { network, message, advice: say`run it again` }, (bucket, interruption) =>
    fromBucket(bucket, interruption, work),
  );
}

async function onBucket<Result>(
  location: string,
  { network, message, advice }: { network: BucketOptions; message: Phrase; advice: Phrase },
  work: (bucket: Bucket, interruption: Interruption) => Promise<Result>,
): Promise<Result> {
  const { openBucket } = await import('../service/bucket.ts');
  const bucket = await openBucket(bucketPlace(location, process.env), network);
  let stopped: InterruptedError | null = null;
  onEndSignal((exit) => {
    stopped = new InterruptedError(exit, message, advice);
  });
  try {
    return await work(bucket, () => stopped);
  } finally {
    await bucket.close();
  }
}
