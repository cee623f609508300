import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { readEditionMark } from '../../../src/store/edition-mark.ts';
import { type BucketServer, startBucketServer } from '../../helpers/bucket-server.ts';
import { listeningServers } from '../../helpers/loopback-servers.ts';
import { createMarkedMirror, markedPaths } from '../../helpers/marked-mirror.ts';
import { askProgram, runProgram } from '../../helpers/program.ts';
import { type ServedProgram, startServedProgram } from '../../helpers/served-program.ts';

const location = 's3://open-data/editions/mirror.tar.zst';
const object = 'open-data/editions/mirror.tar.zst';

type EditionStatus = { tag: string; made_at: string; age_seconds: number };

describe('servers of one edition in a bucket', () => {
  let folder: string;
  let listening: ReturnType<typeof listeningServers>;
  let bucketServer: BucketServer;
  let env: Record<string, string>;
  let servers: ServedProgram[];
  const at = (name: string) => join(folder, name);

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-edition-'));
    listening = listeningServers();
    const started = await startBucketServer(listening);
    bucketServer = started.bucketServer;
    env = { HOME: folder, ...started.env };
    servers = [];
    createMarkedMirror(at('ancien.db'), 'ancien');
    createMarkedMirror(at('nouveau.db'), 'nouveau', { more: 300 });
  });
  afterEach(async () => {
    for (const server of servers) await server.stop();
    listening.closeAll();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (...argv: string[]) => askProgram(argv, { env });
  async function publish(word: string) {
    const ended = await run('backup', '-o', location, '--without-secrets', '--db', at(`${word}.db`));
    expect(ended.exit, ended.stderr).to.equal(0);
  }
  async function start(name: string, ...argv: string[]) {
    const words = ['--edition', location, '--edition-every', '1', '--rate-limit', 'off', '--db', at(name), ...argv];
    const server = await startServedProgram(words, env);
    servers.push(server);
    return server;
  }
  const edition = async ({ origin }: ServedProgram) =>
    ((await (await fetch(`${origin}/statusz`)).json()) as { edition: EditionStatus }).edition;
  // Polls: asking without a pause takes the processor from the servers that are to fetch.
  async function until(isReached: () => Promise<boolean>) {
    while (!(await isReached())) await delay(20);
  }
  /** Of an answer on a connection of its own, its status and the word in it. */
  const ask = async ({ origin }: ServedProgram, path: string) => {
    const answer = await fetch(`${origin}${path}`, { headers: { connection: 'close' } });
    const [word = ''] = /ancien|nouveau/.exec(await answer.text()) ?? [];
    return `${answer.status} ${word}`.trim();
  };
  const serves = async (server: ServedProgram, word: string) =>
    (await ask(server, '/api/v1/parties/parti')) === `200 ${word}`;

  it('serve what is published, each from a file of its own, and switch without a failed request', async () => {
    await publish('ancien');
    const both = [await start('one.db', '--workers', '2'), await start('two.db')];
    const first = readEditionMark(at('one.db'))!;
    expect(first).to.include({ location });
    const { tag, made_at } = first;
    for (const server of both)
      expect(await edition(server))
        .to.include({ tag, made_at })
        .and.not.have.property('location');
    const former = bucketServer.objects.get(object)!;
    await publish('nouveau');
    const archives = [bucketServer.objects.get(object)!, former];
    const answers = new Set<string>();
    let isLoaded = true;
    const load = both.flatMap((server) =>
      markedPaths.map(async (path) => {
        for (; isLoaded; await delay(20)) answers.add(await ask(server, path));
      }),
    );
    for (let switches = 0; switches < 3; switches += 1) {
      bucketServer.objects.set(object, archives[switches % 2]!);
      const word = switches % 2 === 0 ? 'nouveau' : 'ancien';
      for (const server of both) await until(() => serves(server, word));
    }
    isLoaded = false;
    await Promise.all(load);
    expect([...answers].sort()).to.deep.equal(['200 ancien', '200 nouveau']);
    for (const server of both) expect(server.stderr()).not.to.match(/Error|failed/);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).to.deep.equal([]);
  });

  it('refuse a damaged archive, which they fetch once, and keep the last edition', async () => {
    await publish('ancien');
    const server = await start('one.db');
    const last = await edition(server);
    const whole = bucketServer.objects.get(object)!;
    bucketServer.objects.set(object, whole.subarray(0, whole.length / 2));
    await server.output(
      /no newer edition: s3:\/\/open-data\/editions\/mirror\.tar\.zst: it is not a complete tar file/,
    );
    bucketServer.requests.length = 0;
    await until(async () => bucketServer.requests.length >= 2);
    expect(server.stderr().match(/no newer edition/g)).to.have.length(1);
    expect((await edition(server)).tag).to.equal(last.tag);
    expect(await ask(server, '/api/v1/parties/parti')).to.equal('200 ancien');
    await publish('nouveau');
    await until(() => serves(server, 'nouveau'));
  });

  it('go on without their bucket, also when started again, and state the age', async () => {
    await publish('ancien');
    const former = await start('one.db');
    bucketServer.cuts = Number.POSITIVE_INFINITY;
    await former.stop();
    const server = await start('one.db');
    expect(await ask(server, '/api/v1/parties/parti')).to.equal('200 ancien');
    expect((await edition(server)).age_seconds).to.be.within(0, 600);
    await server.output(/no newer edition: http:.*\nserving that of \d{4}-/);
    bucketServer.cuts = 0;
    await publish('nouveau');
    await until(() => serves(server, 'nouveau'));
  });

  it('refuse to begin without an edition, or over a mirror of one’s own', async () => {
    // A server is a process: its end is that of its process.
    const serve = (db: string, ...argv: string[]) =>
      runProgram(['serve', '--port', '0', '--db', at(db), ...argv], { env });
    const missing = await serve('new.db', '--edition', location);
    expect([missing.exit, missing.stderr]).to.satisfy(
      ([exit, stderr]: [number, string]) => exit === 10 && stderr.includes(`${location}: NoSuchKey`),
    );
    const own = await serve('ancien.db', '--edition', location);
    expect(own.exit).to.equal(10);
    expect(own.stderr).to.include('is no edition but a mirror of its own');
    expect((await serve('new.db', '--edition', 's3://open-data')).exit).to.equal(2);
    expect((await serve('new.db', '--edition', location, '--check-config')).exit).to.equal(0);
    expect((await serve('new.db', '--edition', 's3://open-data', '--check-config')).exit).to.equal(2);
    env = { HOME: folder };
    const noKeys = await serve('new.db', '--edition', location, '--check-config');
    expect(noKeys.exit).to.equal(10);
  });

  it('fetch the edition again for a server that was killed while it installed its first one', async () => {
    await publish('ancien');
    const mark = { location, tag: '', made_at: '2026-11-01T00:00:00.000Z' };
    writeFileSync(`${at('killed.db')}.edition`, JSON.stringify(mark));
    const archive = at('backup.tar');
    await run('backup', '-o', archive, '--db', at('nouveau.db'));
    expect((await run('import', archive, '--db', at('killed.db'))).exit).to.equal(10);
    expect(existsSync(at('killed.db'))).to.equal(false);
    expect(await serves(await start('killed.db'), 'ancien')).to.equal(true);
  });

  it('let nothing else write to an edition', async () => {
    await publish('ancien');
    const archive = at('kept.tar');
    await run('backup', '-o', archive, '--db', at('nouveau.db'));
    const server = await start('one.db');
    for (const argv of [
      ['import', archive],
      ['restore', archive, '--replace'],
      ['withhold', 'party:parti', '--reason', 'objection'],
    ]) {
      const { exit, stderr } = await run(...argv, '--db', at('one.db'));
      expect([argv[0], exit, /is an edition/.test(stderr)], stderr).to.deep.equal([argv[0], 10, true]);
    }
    expect(await ask(server, '/api/v1/parties/parti')).to.equal('200 ancien');
  });

  it('publish over no archive of another run', async () => {
    await publish('ancien');
    bucketServer.afterHead = () => void bucketServer.objects.set(object, Buffer.from('of another run'));
    const { exit, stderr } = await run('backup', '-o', location, '--db', at('nouveau.db'));
    expect([exit, stderr.includes(`another run wrote ${location} meanwhile`)], stderr).to.deep.equal([9, true]);
    expect(String(bucketServer.objects.get(object))).to.equal('of another run');
  });
});
