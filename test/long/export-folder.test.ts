import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { verifyExport, verifyLake } from '../../src/export/verify.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { killsOf, printKills } from '../helpers/kills.ts';
import { asOtherUser, skipUnlessRoot } from '../helpers/other-user.ts';

const program = fileURLToPath(new URL('../../bin/run.js', import.meta.url));

describe('a folder that is exported into', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let out: string;
  beforeEach(async () => {
    demo = await createDemoMirror();
    out = join(demo.folder, 'out');
  });
  afterEach(() => demo.remove());

  const words = (format: string) => [
    ...[process.execPath, program, 'export', '--all', '--db', demo.db, '--format', format],
    ...['-o', `${out}/`, '--accept-shrink', '--quiet'],
  ];
  const env = () => ({
    PATH: process.env.PATH,
    HOME: demo.folder,
    XDG_STATE_HOME: join(demo.folder, 'state'),
  });
  const start = (format: string, ...before: string[]) => {
    const [command, ...programArguments] = [...before, ...words(format)];
    return spawn(command!, programArguments, { env: env(), stdio: 'ignore' });
  };
  const ended = async (child: ChildProcess) => (await once(child, 'close'))[0];
  const faults = async () => (await verifyExport(out)).flatMap((file) => file.faults);

  it('may be a mount, which whoever has it open goes on seeing', async function () {
    if (spawnSync('unshare', ['-m', 'true']).status !== 0) {
      console.log('    skipped: `unshare -m` is not allowed here');
      this.skip();
    }
    const disk = join(demo.folder, 'disk');
    for (const folder of [disk, out]) mkdirSync(folder);
    const script = `mount --bind "${disk}" "${out}" && ${words('csv').join(' ')} && ${words('ndjson').join(' ')} && cd "${out}" && sha256sum --check --quiet SHA256SUMS`;
    const done = spawnSync('unshare', ['-m', 'sh', '-c', script], { env: env(), encoding: 'utf8' });
    expect([done.status, done.stderr]).to.deep.equal([0, '']);
    expect(existsSync(join(disk, 'parties.ndjson'))).to.equal(true);
    expect(existsSync(join(disk, 'parties.csv'))).to.equal(false);
  });

  it("may be one's own in a folder of somebody else, and keeps owner, group and mode", async function () {
    skipUnlessRoot.call(this);
    const parent = join(demo.folder, 'srv');
    out = join(parent, 'export');
    mkdirSync(out, { recursive: true });
    chmodSync(demo.folder, 0o755);
    chownSync(out, 65534, 4242);
    chmodSync(out, 0o2770);
    for (const format of ['csv', 'ndjson']) expect(await ended(start(format, ...asOtherUser))).to.equal(0);
    const { uid, gid, mode } = statSync(out);
    expect([uid, gid, mode & 0o7777]).to.deep.equal([65534, 4242, 0o2770]);
    for (const name of ['parties.ndjson', 'SHA256SUMS']) expect(statSync(join(out, name)).gid).to.equal(4242);
    expect(await faults()).to.deep.equal([]);
    // Of whoever may do anything too.
    expect(await ended(start('ndjson'))).to.equal(0);
    expect(statSync(join(out, 'parties.ndjson')).uid).to.equal(65534);
    expect(statSync(join(out, 'parties.ndjson')).gid).to.equal(4242);
  });

  it('is one export or the next to whoever checks its sums, in 100,000 opens', async () => {
    expect(await ended(start('csv'))).to.equal(0);
    let isOver = false;
    let exports = 0;
    const writing = (async () => {
      for (; !isOver; exports += 1) await ended(start(exports % 2 === 0 ? 'ndjson' : 'csv'));
    })();
    const readCounts = { opens: 0, most: 0, missing: 0 };
    try {
      while (readCounts.opens < 100_000 || exports < 6) {
        const before = exports;
        while (!readAsToldTo(out, readCounts)) await delay(10);
        await setImmediate();
        readCounts.most = Math.max(readCounts.most, exports - before);
      }
    } finally {
      isOver = true;
      await writing;
    }
    console.log(`      ${readCounts.opens} opens, ${exports} exports, at most ${readCounts.most} during one reading`);
    expect(readCounts.missing, 'files that both exports have were always there').to.equal(0);
    expect(readCounts.most, 'exports that one reader had to see the end of').to.be.lessThan(3);
    expect(await faults()).to.deep.equal([]);
  });

  it('is whole, or whole with the next export, wherever it was killed', async function () {
    const kills = killsOf('export between two files');
    this.timeout(900_000 + kills * 6000);
    const begunMs = performance.now();
    expect(await ended(start('csv'))).to.equal(0);
    const wholeMs = performance.now() - begunMs;
    let cut = 0;
    for (let n = 0; n < kills; n += 1) {
      const child = start(n % 2 === 0 ? 'ndjson' : 'csv');
      const end = once(child, 'close');
      // Half of them as soon as files are being put in place.
      if (n % 4 < 2) while (child.exitCode === null && !existsSync(join(out, '.hemicycle-switch'))) await delay(0);
      else await Promise.race([end, delay(wholeMs * (0.2 + (n % 16) / 20))]);
      child.kill('SIGKILL');
      await end;
      if (existsSync(join(out, '.hemicycle-switch'))) {
        cut += 1;
        // One that is refused, since it lacks tables, heals all the same.
        const refused = spawnSync(
          process.execPath,
          [program, 'export', 'parties', '--db', demo.db, '-o', `${out}/`, '--quiet'],
          { env: env(), encoding: 'utf8' },
        );
        expect(refused.status, refused.stderr).to.equal(12);
      }
      expect(await faults(), `kill ${n}`).to.deep.equal([]);
    }
    console.log(`      ${cut} of ${kills} kills between two files`);
    printKills('export between two files', kills);
    expect(await ended(start('csv'))).to.equal(0);
    expect(await faults()).to.deep.equal([]);
  });

  it('as a lake is whole with the next export after 10 kills, whatever was taken back meanwhile', async () => {
    const lake = join(demo.folder, 'lake');
    const argv = ['export', '--all', '--lake', lake, '--db', demo.db, '--accept-shrink', '--quiet'];
    const run = () => spawn(process.execPath, [program, ...argv], { env: env(), stdio: 'ignore' });
    const mirror = openWritableMirror(demo.db);
    const withdrawn = mirror.sql("UPDATE record SET withdrawn = ? WHERE kind IN ('ballot', 'quote') AND id % 3 = 0");
    const files = () => readdirSync(lake, { recursive: true }).length;
    expect(await ended(run())).to.equal(0);
    let cut = 0;
    for (let n = 0; n < 10; n += 1) {
      withdrawn.run(n % 2 === 0 ? '2026-11-22T00:00:00.000Z' : null);
      // A file gone makes the run write, whatever the journal says.
      for (const name of readdirSync(join(lake, 'ballots/data'))) rmSync(join(lake, 'ballots/data', name));
      const before = files();
      const child = run();
      const end = once(child, 'close');
      // Between two puts: one has come, and the run goes on.
      while (child.exitCode === null && files() <= before + (n % 5)) await delay(0);
      child.kill('SIGKILL');
      await end;
      if (child.signalCode === 'SIGKILL') cut += 1;
      expect(await ended(run())).to.equal(0);
      expect(
        (await verifyLake(lake)).flatMap(({ faults }) => faults),
        `kill ${n}`,
      ).to.deep.equal([]);
    }
    mirror.close();
    console.log(`      ${cut} of 10 runs killed between two files`);
  });
});

/** Reads as the guide tells readers to: the sums, then the files; false where they have to begin again. */
function readAsToldTo(folder: string, readCounts: { opens: number; missing: number }): boolean {
  const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trim().split('\n');
  readCounts.opens += 1;
  for (const line of sums) {
    const [sum, name] = line.split('  ') as [string, string];
    readCounts.opens += 1;
    const bytes = readOrNull(join(folder, name));
    if (bytes === null && !/\.(csv|ndjson)$/.test(name)) readCounts.missing += 1;
    if (bytes === null || createHash('sha256').update(bytes).digest('hex') !== sum) return false;
  }
  return true;
}

function readOrNull(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
