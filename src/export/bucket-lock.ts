import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LockedError } from '../errors.ts';
import { aimed, createTemporaryPath, discard, removeAbandonedFiles } from '../format/atomic-file.ts';
import type { Bucket } from '../service/bucket.ts';
import { createFolder } from '../store/folder.ts';
import { say } from '../words/speech.ts';

/** The lock object of a writing run; an older one belongs to a killed run. */
const lockName = '.hemicycle-lock';
const abandonedMs = 6 * 60 * 60_000;

/** Runs `work` on a new temporary folder; removes those of killed runs. */
export async function withStaging<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  await removeAbandonedFiles(tmpdir());
  const stagingPath = createTemporaryPath(tmpdir());
  await aimed(tmpdir(), () => mkdir(stagingPath, { mode: 0o700 }));
  try {
    const folder = join(stagingPath, 'folder');
    createFolder(folder);
    return await work(folder);
  } finally {
    await discard(stagingPath);
  }
}

/** Runs `work` under the lock of a folder in a bucket; throws a LockedError while another run has it. */
export async function withBucketLock<Result>(bucket: Bucket, now: () => number, work: () => Promise<Result>) {
  while (!(await bucket.put(lockName, '', null))) {
    const writtenMs = (await bucket.list()).get(lockName)?.writtenMs;
    if (writtenMs === undefined) continue;
    if (now() - writtenMs < abandonedMs)
      throw new LockedError(
        bucket.shown,
        undefined,
        say`wait for it and run this again; if it was killed, remove ${bucket.shown}/${lockName}, which expires after six hours`,
      );
    await bucket.remove(lockName);
  }
  // An error of `work` matters more than a lock that could not be removed.
  return work().finally(() => bucket.remove(lockName).catch(() => {}));
}
