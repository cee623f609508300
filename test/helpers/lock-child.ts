import { mkdirSync, rmdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { withLockFile } from '../../src/store/lock.ts';

// Takes turns under a lock file, each of them in a folder that only one process can make. Prints how many it shared.
const [path, turns] = process.argv.slice(2) as [string, string];
let shared = 0;
for (let n = 0; n < Number(turns); n += 1)
  await withLockFile(
    path,
    async () => {
      try {
        mkdirSync(`${path}.inside`);
      } catch {
        shared += 1;
        return;
      }
      await setImmediate();
      rmdirSync(`${path}.inside`);
    },
    { lockedPath: path, waitMs: Number.POSITIVE_INFINITY, sleep: () => setImmediate() },
  );
process.stdout.write(String(shared));
