import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { BadTargetError } from '../../../src/errors.ts';
import { bucketLocation } from '../../../src/export/bucket.ts';
import { withBucketFolder } from '../../../src/export/bucket-copy.ts';
import { exportFolder } from '../../../src/export/folder.ts';
import { createPart } from '../../../src/export/part.ts';
import { allTables, exportTable } from '../../../src/export/tables.ts';
import { verifyExport, verifyLake } from '../../../src/export/verify.ts';
import { openBucket } from '../../../src/service/bucket.ts';
import { verbatim } from '../../../src/words/speech.ts';
import { type BucketServer, startBucketServer } from '../../helpers/bucket-server.ts';
import { listeningServers } from '../../helpers/loopback-servers.ts';
import { nightAt, takeNight } from '../../helpers/moving-mirror.ts';
import { askProgram, program } from '../../helpers/program.ts';
import { createRandom } from '../../helpers/random.ts';
import { createTemporaryMirror } from '../../helpers/sync-run.ts';

const citation = { name: 'Vitrine', siteUrl: 'https://vitrine.example' };
const network = { userAgent: 'test', now: () => Date.parse('2026-03-01T06:00:00Z'), sleep: async () => {} };

/** True while the kernel has a signal for a process that none of its threads has received yet. */
function isPending(pid: number, signal: 'SIGINT'): boolean {
  const bit = 1n << BigInt(constants.signals[signal] - 1);
  const masks = readFileSync(`/proc/${pid}/status`, 'utf8').matchAll(/^S(?:ig|hd)Pnd:\s*(\w+)$/gm);
  return [...masks].some(([, mask]) => (BigInt(`0x${mask}`) & bit) !== 0n);
}

describe('a folder in a bucket', () => {
  const servers = listeningServers();
  let own: ReturnType<typeof createTemporaryMirror>;
  let bucketServer: BucketServer;
  let env: Record<string, string>;
  const random = createRandom(5);
  beforeEach(async () => {
    own = createTemporaryMirror();
    takeNight(own.mirror, { at: nightAt(0), random });
    ({ bucketServer, env } = await startBucketServer(servers));
  });
  afterEach(() => {
    own.remove();
    servers.closeAll();
  });

  type Asked = {
    isRelease?: boolean;
    night?: number;
    tables?: string[];
    now?: () => number;
    signal?: AbortSignal;
  };
  let read: string[] = [];
  /** Exports into the bucket, or a folder, and returns the outcome. */
  function write(folder: string, { isRelease = false, night = 0, tables }: Asked = {}) {
    read = [];
    const parts = allTables
      .map((table) => exportTable(own.mirror, table, { citation, filter: {} }))
      .filter(({ name }) => tables?.includes(name) ?? true)
      .map((table) => {
        const rows = () => {
          read.push(table.name);
          return table.rows();
        };
        return createPart({ ...table, rows }, { format: 'csv', header: true });
      });
    return exportFolder(parts, folder, { created: nightAt(night), ifChanged: true, maxShrink: 1, isRelease });
  }
  async function send(
    sendOptions: Asked = {},
    work = (folder: string): Promise<unknown> => write(folder, sendOptions),
  ) {
    bucketServer.requests.length = 0;
    const bucket = await openBucket(bucketLocation('s3://open-data/package', env), network);
    try {
      const { now = network.now, signal = new AbortController().signal } = sendOptions;
      const options = { now, signal };
      return (await withBucketFolder(bucket, options, work)).uploadCounts;
    } finally {
      await bucket.close();
    }
  }
  const sentTables = () =>
    bucketServer.requests.flatMap((each) => /^PUT open-data\/package\/(.*\.csv)$/.exec(each)?.[1] ?? []);
  const objects = () =>
    Object.fromEntries(
      [...bucketServer.objects]
        .map(([name, bytes]): [string, string] => [name.slice('open-data/package/'.length), bytes.toString()])
        .filter(([name]) => !name.startsWith('.hemicycle'))
        .sort(),
    );
  function copyOfBucket(): string {
    const folder = join(own.folder, 'taken');
    rmSync(folder, { recursive: true, force: true });
    for (const [name, bytes] of bucketServer.objects) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), bytes);
    }
    return join(folder, 'open-data/package');
  }
  const faults = async (folder = copyOfBucket()) =>
    (await verifyExport(folder)).flatMap((file) => file.faults.map(String));

  it('holds what a folder holds, and is sent nothing where nothing changed', async () => {
    const { written } = await send();
    expect(await faults()).to.deep.equal([]);
    expect(written).to.be.above(20);
    expect(await send()).to.include({ written: 0, removed: 0 });
    expect(read).to.deep.equal([]);
    expect(bucketServer.requests.filter((each) => each.startsWith('PUT'))).to.have.lengthOf(1);
    expect([...bucketServer.objects.keys()].some((name) => name.endsWith('-lock'))).to.equal(false);
  });

  it('is sent the tables that changed, and loses what the export no longer has', async () => {
    await send();
    takeNight(own.mirror, { at: nightAt(1), random, only: 'quote' });
    await send();
    expect(sentTables()).to.include('quotes.csv').and.not.include('votes.csv');
    expect(read).to.not.include('votes');
    expect(await faults()).to.deep.equal([]);
    await send({ tables: ['quotes', 'votes'] });
    expect(Object.keys(objects()).filter((name) => name.endsWith('.csv'))).to.deep.equal(['quotes.csv', 'votes.csv']);
    expect(await faults()).to.deep.equal([]);
  });

  it('holds releases, of which the newest stands under latest, too; what is alike is copied there', async () => {
    await send({ isRelease: true, night: 1 });
    for (const night of [2, 3]) {
      takeNight(own.mirror, { at: nightAt(night), random, only: 'quote' });
      await send({ isRelease: true, night });
    }
    const all = objects();
    const [first, second, third] = [1, 2, 3].map((night) => nightAt(night).slice(0, 10));
    for (const folder of [first!, second!, third!, 'latest'])
      expect(await faults(join(copyOfBucket(), folder)), folder).to.deep.equal([]);
    expect(all['latest/SHA256SUMS']).to.equal(all[`${third}/SHA256SUMS`]);
    expect(all[`${first}/quotes.csv`]).to.not.equal(all[`${third}/quotes.csv`]);
    const index = JSON.parse(all['releases.json']!);
    expect(index.latest).to.equal(third);
    expect(index.releases.every(({ sha256sums }: { sha256sums: unknown }) => typeof sha256sums === 'string')).to.equal(
      true,
    );
    expect(await send({ isRelease: true, night: 4 })).to.include({ written: 0, removed: 0 });
  });

  it('is put right where an object was changed or lost', async () => {
    await send();
    const before = objects();
    bucketServer.objects.set('open-data/package/votes.csv', Buffer.from('x'));
    bucketServer.objects.delete('open-data/package/parties.csv');
    bucketServer.objects.delete('open-data/package/LICENSE.txt');
    expect(await send()).to.include({ written: 3 });
    expect(objects()).to.deep.equal(before);
  });

  it('takes up what a killed run left, and never replaces what no run sent', async () => {
    bucketServer.objects.set('open-data/package/votes.csv', Buffer.from('mine'));
    const error = await send().catch((thrown) => thrown);
    expect(error.message).to.include('votes.csv');
    expect(Object.keys(objects())).to.deep.equal(['votes.csv']);
    bucketServer.objects.clear();
    // Every request of the run fails from the tenth on.
    const listener = bucketServer;
    let puts = 0;
    const forget = bucketServer.objects.set.bind(bucketServer.objects);
    bucketServer.objects.set = (name, bytes) => {
      puts += 1;
      if (puts > 12) listener.cuts = 1000;
      return forget(name, bytes);
    };
    expect(String(await send().catch(String))).to.include('connection was cut');
    listener.cuts = 0;
    bucketServer.objects.set = forget;
    bucketServer.at = '2026-02-28T04:00:00.000Z';
    await send();
    expect(await faults()).to.deep.equal([]);
  });

  it('is written by one run at a time, and a lock that nobody renews is taken over', async () => {
    const [one, other] = await Promise.allSettled([send(), send()]);
    const failed = [one, other].filter(({ status }) => status === 'rejected');
    expect(failed).to.have.lengthOf(1);
    expect(String((failed[0] as PromiseRejectedResult).reason)).to.include('another run is writing');
    expect(await faults()).to.deep.equal([]);
    bucketServer.objects.set('open-data/package/.hemicycle-lock', Buffer.from('killed'));
    expect(String(await send().catch(String))).to.include('another run is writing');
    await send({ now: () => network.now() + 7 * 60 * 60_000 });
    expect(await faults()).to.deep.equal([]);
  });

  it('says what to look at where the storage is not there', async () => {
    env.AWS_ENDPOINT_URL = 'http://127.0.0.1:1';
    const error = await send().catch((thrown) => thrown);
    expect(error.exit).to.equal(6);
    expect(`${error.message} ${error.hint}`).to.match(/the connection was refused.*the address of the storage/);
  });

  it('is checked where it stands: packages, releases with their copy under latest, and a lake', async () => {
    const home = { HOME: own.folder, TMPDIR: own.folder, ...env };
    const run = (...words: string[]) => askProgram(words, { env: home });
    const verify = () => run('export', 'verify', 's3://open-data/package');
    const written: [string[], string, string][] = [
      [['-o', 's3://open-data/package/'], 'votes.csv', 'votes.csv: differs from SHA256SUMS'],
      [['--releases', '-o', 's3://open-data/package/'], 'latest/votes.csv', 'releases.json: latest links to nothing'],
      [['--lake', 's3://open-data/package'], 'votes/data/', 'differs from the hash in votes/_delta_log'],
    ];
    for (const [words, changed, fault] of written) {
      bucketServer.objects.clear();
      const { exit, stderr } = await run('export', 'votes', 'parties', ...words, '--db', own.mirror.path);
      expect(exit, stderr).to.equal(0);
      const whole = await verify();
      expect(whole.exit, whole.stderr).to.equal(0);
      expect(whole.stderr).to.not.include('not part');
      const name = [...bucketServer.objects.keys()].find((each) => each.startsWith(`open-data/package/${changed}`));
      bucketServer.objects.set(name!, Buffer.from('x'));
      const bad = await verify();
      expect(bad.exit).to.equal(12);
      expect(bad.stdout).to.include(fault);
      expect(bad.stderr).to.include('s3://open-data/package: ').and.not.include(own.folder);
    }
    bucketServer.objects.clear();
    expect(await verify()).to.include({ exit: 12, stdout: '' });
    expect(readdirSync(own.folder).filter((name) => name.startsWith('hemicycle'))).to.deep.equal([]);
  });

  for (const isRelease of [false, true])
    it(`is completed by the next run, whichever file of ${isRelease ? 'releases' : 'a package'} was the last one sent`, async () => {
      const tables = ['quotes', 'parties'];
      await send({ isRelease, tables, night: 1 });
      let isEnded = true;
      for (let sent = 0; isEnded; sent += isRelease ? 2 : 1) {
        const night = sent + 2;
        takeNight(own.mirror, { at: nightAt(night), random, only: 'quote' });
        let remainingChecks = sent;
        // Aborted at one of the checks, whichever it is.
        const signal = {
          throwIfAborted() {
            remainingChecks -= 1;
            if (remainingChecks < 0) throw new Error('ended');
          },
        } as AbortSignal;
        const exportOptions = { isRelease, tables, night };
        isEnded = await send({ ...exportOptions, signal }).then(
          () => false,
          () => true,
        );
        await send(exportOptions);
        const shown = isRelease ? join(copyOfBucket(), 'latest') : copyOfBucket();
        expect(await faults(shown), String(sent)).to.deep.equal([]);
      }
      if (!isRelease) return;
      const { releases } = JSON.parse(objects()['releases.json']!);
      const names = readdirSync(copyOfBucket()).filter((name) => /^\d/.test(name));
      expect(releases.map(({ release }: { release: unknown }) => release)).to.deep.equal(names);
      for (const { release, sha256sums } of releases) {
        expect(await faults(join(copyOfBucket(), release)), release).to.deep.equal([]);
        const sums = createHash('sha256').update(objects()[`${release}/SHA256SUMS`]!).digest('hex');
        expect(sha256sums, release).to.equal(sums);
      }
    });

  for (const [kind, words] of [
    ['releases', ['--releases', '-o', 's3://open-data/package/']],
    ['a lake', ['--lake', 's3://open-data/package']],
    ['a package', ['-o', 's3://open-data/package/']],
  ] as const)
    it(`of ${kind} is whole for readers after Ctrl-C, and the next run sends the rest`, async () => {
      const tables = ['votes', 'parties', '--accept-shrink', '--db', own.mirror.path];
      const argv = [program, 'export', ...tables, ...words];
      const run = async (puts: number) => {
        const child = spawn(process.execPath, argv, {
          env: { ...process.env, HOME: own.folder, TMPDIR: own.folder, ...env },
        });
        let stderr = '';
        let put = 0;
        child.stderr.on('data', (chunk) => {
          stderr += chunk;
        });
        bucketServer.beforeAnswer = async () => {
          put += 1;
          if (put !== puts) return;
          child.kill('SIGINT');
          while (isPending(child.pid!, 'SIGINT')) await setImmediate();
        };
        const [exit] = await once(child, 'close');
        return { exit, stderr };
      };
      await run(0);
      const read = () => Object.entries(objects()).filter(([name]) => /^(latest|releases.json)/.test(name));
      const before = read();
      takeNight(own.mirror, { at: nightAt(1), random });
      // The second object, behind the lock: every table is still to come.
      const { exit, stderr } = await run(2);
      expect(exit, stderr).to.equal(130);
      expect(stderr).to.include('interrupted; ');
      expect([...bucketServer.objects.keys()].filter((name) => name.endsWith('-lock'))).to.deep.equal([]);
      expect(readdirSync(own.folder).filter((name) => name.startsWith('hemicycle'))).to.deep.equal([]);
      expect(read()).to.deep.equal(before);
      if (kind === 'a lake')
        expect((await verifyLake(copyOfBucket())).every((file) => file.faults.length === 0)).to.equal(true);
      const { exit: again, stderr: message } = await run(0);
      expect(again, message).to.equal(0);
      const verified = await askProgram(['export', 'verify', 's3://open-data/package'], { env });
      expect(verified.exit, verified.stderr).to.equal(0);
    });

  it('names the bucket, not the folder of this machine, in what it refuses', async () => {
    await send();
    const error = await send({}, async (folder) => {
      throw new BadTargetError(folder, verbatim('no'));
    }).catch((thrown) => thrown);
    expect(error.message).to.equal('s3://open-data/package: no');
    const full = await send({}, async (folder) => {
      throw new BadTargetError(join(folder, 'votes.csv'), verbatim('no space'));
    }).catch((thrown) => thrown);
    expect(`${full.message} ${full.hint}`).to.match(/^\/.*votes.csv: no space .*TMPDIR/);
  });
});
