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

/** The object of a run that writes; one that is older (milliseconds) is of a run that was killed. */
const lockName = '.hemicycle-lock';
const abandonedMs = 6 * 60 * 60_000;

const stagingOf = (run: string) => join(tmpdir(), `hemicycle-bucket-${run}`);

/** The lock in such a folder, which ends with its process. */
const holderIn = (staging: string) => join(staging, 'run');

/** Runs `work` on a folder of its own among the temporary files, which holds a lock and is named after the run. */
export async function inStaging<Result>(work: (folder: string, run: string) => Promise<Result>): Promise<Result> {
  const run = randomUUID();
  const staging = stagingOf(run);
  await aimed(tmpdir(), () => mkdir(staging, { mode: 0o700 }));
  // A file system without locks leaves only the six hours to tell that a run was killed.
  const lock = await takeLock(holderIn(staging), { sleep: async () => {} }).catch(() => null);
  try {
    const folder = join(staging, 'folder');
    makeFolder(folder);
    return await work(folder, run);
  } finally {
    await rm(staging, { recursive: true, force: true });
    lock?.close();
  }
}

/** Takes the folder of another run of this machine that was killed, to be removed with one's own; false if it may be running. */
async function takeLeft(abandonedRun: string, run: string): Promise<boolean> {
  const holder = holderIn(stagingOf(abandonedRun));
  if (!/^[\da-f-]{36}$/.test(abandonedRun) || !existsSync(`${holder}.lock`) || isLocked(holder) !== false) return false;
  // Of two runs that see it, one can take it.
  return rename(stagingOf(abandonedRun), join(stagingOf(run), 'left')).then(
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
    const since = (await bucket.list()).get(lockName)?.writtenMs;
    if (since === undefined) continue;
    const holder = Buffer.from(await bucket.read(lockName)).toString('utf8');
    // The answer to our own request may have been lost.
    if (holder === run) break;
    if (now() - since < abandonedMs && !(await takeLeft(holder, run)))
      throw new LockedError(
        bucket.shown,
        undefined,
        say`wait for it and run this again; if it was killed, remove ${bucket.shown}/${lockName}, which is forgotten after six hours`,
      );
    await bucket.remove(lockName);
  }
  try {
    return await work();
  } finally {
    // What failed is told, not that the lock stays.
    await bucket.remove(lockName).catch(() => {});
  }
}
