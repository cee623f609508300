import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { LockedError } from '../../src/errors.ts';
import { isLocked, takeLock, withLockFile } from '../../src/store/lock.ts';

const child = fileURLToPath(new URL('../helpers/lock-child.ts', import.meta.url));

describe('a lock file', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-lock-'));
    path = join(folder, 'turn');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('lets one process at a time in, though each removes the file of the one before', async () => {
    const runs = Array.from({ length: 3 }, () => promisify(execFile)(process.execPath, [child, path, '300']));
    expect((await Promise.all(runs)).map(({ stdout }) => stdout)).to.deep.equal(['0', '0', '0']);
    expect(existsSync(path)).to.equal(false);
  });

  for (const [waitMs, sleeps] of [
    [0, 0],
    [19, 1],
    [20, 1],
    [21, 2],
  ] as const)
    it(`that is held is waited for ${waitMs} ms in steps of 20`, async () => {
      let slept = 0;
      const sleep = async () => {
        slept += 1;
      };
      const held = withLockFile(path, () => withLockFile(path, async () => 'in', { lockedPath: 'it', waitMs, sleep }), {
        ...{ lockedPath: 'it', waitMs: 0, sleep },
      });
      await held.then(
        () => expect.fail('the lock was taken twice'),
        (error) => expect(error).to.be.instanceOf(LockedError),
      );
      expect(slept).to.equal(sleeps);
      expect(existsSync(path)).to.equal(false);
    });

  for (const [waitMs, sleeps] of [
    [0, 0],
    [249, 1],
    [250, 1],
    [251, 2],
  ] as const)
    it(`of a mirror that is held is waited for ${waitMs} ms in steps of 250`, async () => {
      let slept = 0;
      const sleep = async () => {
        slept += 1;
      };
      const lock = await takeLock(path, { sleep });
      const other = await takeLock(path, { waitMs, sleep }).catch((error: unknown) => error);
      expect(other).to.be.instanceOf(LockedError);
      expect([slept, isLocked(path)]).to.deep.equal([sleeps, true]);
      lock.close();
      expect(isLocked(path)).to.equal(false);
      (await takeLock(path, { sleep })).close();
    });

  it('that is damaged is removed, and gives its turn', async () => {
    writeFileSync(path, 'no database\n'.repeat(3000));
    const options = { lockedPath: path, waitMs: 0, sleep: async () => {} };
    expect(await withLockFile(path, async () => 'in', options)).to.equal('in');
    expect(existsSync(path)).to.equal(false);
  });

  it('is given up by work that fails', async () => {
    const options = { lockedPath: path, waitMs: 0, sleep: async () => {} };
    const failing = withLockFile(path, () => Promise.reject(new Error('no')), options);
    expect(await failing.catch(({ message }: Error) => message)).to.equal('no');
    expect(existsSync(path)).to.equal(false);
    expect(await withLockFile(path, async () => 'in', options)).to.equal('in');
  });
});
