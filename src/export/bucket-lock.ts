import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LockedError } from '../errors.ts';
import { aimed } from '../format/atomic-file.ts';
import type { Bucket } from '../service/bucket.ts';
import { makeFolder } from '../store/folder.ts';
import { isLocked, takeLock } from '../store/lock.ts';
import { say } from '../words/speech.ts';

/** The lock object of a writing run; an older one belongs to a killed run. */
const lockName = '.hemicycle-lock';
const abandonedMs = 6 * 60 * 60_000;

const stagingPath = (run: string) => join(tmpdir(), `hemicycle-bucket-${run}`);

/** The lock inside a staging folder, released when its process ends. */
const lockPathIn = (staging: string) => join(staging, 'run');

/** Runs `work` on a new locked temporary folder, named after the run. */
export async function withStaging<Result>(work: (folder: string, run: string) => Promise<Result>): Promise<Result> {
  const run = randomUUID();
  const staging = stagingPath(run);
  await aimed(tmpdir(), () => mkdir(staging, { mode: 0o700 }));
  // On a file system without locks, only the age of the lock object shows that a run was killed.
  const lock = await takeLock(lockPathIn(staging), { sleep: async () => {} }).catch(() => null);
  try {
    const folder = join(staging, 'folder');
    makeFolder(folder);
    return await work(folder, run);
  } finally {
    await rm(staging, { recursive: true, force: true });
    lock?.close();
  }
}

/** Moves a killed local run's staging folder into this run's, to be removed with it; false if it may be running. */
async function claimAbandoned(abandonedRun: string, run: string): Promise<boolean> {
  const holder = lockPathIn(stagingPath(abandonedRun));
  if (!/^[\da-f-]{36}$/.test(abandonedRun) || !existsSync(`${holder}.lock`) || isLocked(holder) !== false) return false;
  // Only one of two runs can rename it.
  return rename(stagingPath(abandonedRun), join(stagingPath(run), 'left')).then(
    () => true,
    () => false,
  );
}

/** Runs `work` under the lock of a folder in a bucket; throws a LockedError while another run has it. */
export async function withBucketLock<Result>(
  bucket: Bucket,
  { now, run }: { now: () => number; run: string },
  work: () => Promise<Result>,
): Promise<Result> {
  while (!(await bucket.put(lockName, run, true))) {
    const writtenMs = (await bucket.list()).get(lockName)?.writtenMs;
    if (writtenMs === undefined) continue;
    const holder = Buffer.from(await bucket.read(lockName)).toString('utf8');
    // The response to our own request may have been lost.
    if (holder === run) break;
    if (now() - writtenMs < abandonedMs && !(await claimAbandoned(holder, run)))
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
