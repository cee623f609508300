import { isBucketAddress, withBucket, withObject } from '../export/bucket.ts';
import type { BucketOptions } from '../service/bucket.ts';
import { say } from '../words/speech.ts';
import { stopSignal } from './process.ts';

/** Runs `work` on the folder; for a bucket, on a temporary folder that is then uploaded (`uploadCounts`, else null). */
export async function withTargetFolder<Result>(
  location: string,
  network: BucketOptions,
  work: (folder: string) => Promise<Result>,
): Promise<{ result: Result; uploadCounts: { written: number; removed: number } | null }> {
  if (!isBucketAddress(location)) return { result: await work(location), uploadCounts: null };
  const { withBucketFolder } = await import('../export/bucket-copy.ts');
  const message = say`interrupted; what was sent to ${location} is kept`;
  const signal = stopSignal(message, say`run it again to send the rest`);
  return withBucket(location, bucketAccess(network), (bucket) =>
    withBucketFolder(bucket, { now: network.now, signal }, work),
  );
}

/** Runs `work` on the folder, or on a temporary download of the bucket. */
export async function withSourceFolder(
  location: string,
  network: BucketOptions,
  work: (folder: string) => Promise<void>,
) {
  if (!isBucketAddress(location)) return work(location);
  const { withBucketCopy } = await import('../export/bucket-copy.ts');
  const signal = stopSignal(say`interrupted; ${location} was not checked`, say`run it again`);
  return withBucket(location, bucketAccess(network), (bucket) => withBucketCopy(bucket, signal, work));
}

/** Runs `work` on the file; for an object of a bucket, on a temporary file, downloaded before or uploaded after it. */
export async function withFile<Result>(
  location: string,
  { network, isUpload }: { network: BucketOptions; isUpload: boolean },
  work: (file: string) => Promise<Result>,
): Promise<Result> {
  if (!isBucketAddress(location)) return work(location);
  const { withDownloadedFile, withUploadedFile } = await import('../export/bucket-copy.ts');
  const transfer = isUpload ? withUploadedFile : withDownloadedFile;
  return (await withObject(location, bucketAccess(network), (object) => transfer(object, work)))!;
}

const bucketAccess = (network: BucketOptions) => ({ network, env: process.env });
