import { InterruptedError } from '../errors.ts';
import { bucketPlace, isBucket } from '../export/bucket-place.ts';
import type { BucketOptions } from '../service/bucket.ts';
import { figure, say, type UserText } from '../words/speech.ts';
import { onEndSignal } from './process.ts';

type Outlets = { network: BucketOptions; tell: (line: UserText) => void };

/** Lets `work` write into the folder that was named, or into one that is then sent to the bucket that was. */
export async function intoPlace<Result>(
  place: string,
  { network, tell }: Outlets,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  if (!isBucket(place)) return work(place);
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
    tell(say`${bucket.shown}: ${figure(sent)} files sent, ${figure(removed)} removed`);
    return result;
  } finally {
    await bucket.close();
  }
}
