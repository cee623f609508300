import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { type BucketServer, startBucketServer } from '../helpers/bucket-server.ts';
import { listeningServers } from '../helpers/loopback-servers.ts';
import { createMarkedMirror, markedPaths } from '../helpers/marked-mirror.ts';
import { program, runProgram, testHome } from '../helpers/program.ts';
import { isLong } from '../helpers/random.ts';
import { type ServedProgram, startServedProgram } from '../helpers/served-program.ts';

const location = 's3://open-data/mirror.tar.zst';
const object = 'open-data/mirror.tar.zst';
const words = ['ancien', 'nouveau'] as const;
const switches = isLong ? 200 : 8;

describe('three servers of one bucket, of which some are killed', () => {
  const listening = listeningServers();
  let folder: string;
  let bucketServer: BucketServer;
  let env: Record<string, string>;
  /** Undefined while it is killed and started again. */
  let servers: (ServedProgram | undefined)[];
  const at = (name: string) => join(folder, name);

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-editions-'));
    const started = await startBucketServer(listening);
    bucketServer = started.bucketServer;
    env = { HOME: folder, TMPDIR: folder, ...started.env };
    servers = [];
    for (const word of words) createMarkedMirror(at(`${word}.db`), word, { more: word === 'ancien' ? 0 : 200 });
  });
  after(async () => {
    for (const server of servers) await server?.stop();
    listening.closeAll();
    rmSync(folder, { recursive: true, force: true });
  });

  const backup = (word: string) => ['backup', '-o', location, '--without-secrets', '--db', at(`${word}.db`)];
  async function start(place: number) {
    const argv = [
      '--edition',
      location,
      '--edition-every',
      '1',
      '--rate-limit',
      'off',
      '--db',
      at(`served-${place}.db`),
    ];
    servers[place] = await startServedProgram([...argv, '--workers', place === 0 ? '2' : '1'], env);
  }
  async function ask(server: ServedProgram, path: string) {
    const answer = await fetch(`${server.origin}${path}`, { headers: { connection: 'close' } });
    const [word = ''] = /ancien|nouveau/.exec(await answer.text()) ?? [];
    return `${answer.status} ${word}`;
  }
  const serves = async (place: number, word: string) =>
    (await ask(servers[place]!, '/api/v1/parties/parti')) === `200 ${word}`;

  /** Kills a run that publishes once it has asked for the tag: while it writes the archive, or sends it. */
  async function killWriter(word: string) {
    bucketServer.requests.length = 0;
    const writer = spawn(process.execPath, [program, ...backup(word)], {
      env: { PATH: process.env.PATH, XDG_CACHE_HOME: join(testHome, '.cache'), ...env },
      stdio: 'ignore',
    });
    while (!bucketServer.requests.some((each) => each.startsWith('HEAD'))) await setImmediate();
    writer.kill('SIGKILL');
    await once(writer, 'close');
  }

  it(`answer every request during ${switches} switches`, async () => {
    const archives = new Map<string, Buffer>();
    for (const word of words) {
      const ended = await runProgram(backup(word), { env });
      expect(ended.exit, ended.stderr).to.equal(0);
      archives.set(word, bucketServer.objects.get(object)!);
    }
    await Promise.all([0, 1, 2].map(start));
    const answers = new Map<string, number>();
    let isLoaded = true;
    // Two requests at a time to each server: more of them would only slow down the starts and the runs that publish.
    const load = [0, 1, 2, 0, 1, 2].map(async (place, first) => {
      for (let next = first; isLoaded; next += 1) {
        const server = servers[place];
        const path = markedPaths[next % markedPaths.length]!;
        const answer = server && (await ask(server, path).catch((error: Error) => String(error.cause ?? error)));
        // A killed server cuts the requests to it.
        if (answer !== undefined && servers[place] === server) answers.set(answer, (answers.get(answer) ?? 0) + 1);
        await setImmediate();
      }
    });
    for (let turn = 0; turn < switches; turn += 1) {
      const word = words[turn % 2]!;
      if (turn % 4 === 1) await killWriter(word);
      bucketServer.objects.set(object, archives.get(word)!);
      if (turn % 4 === 3) {
        const place = turn % 3;
        const killed = servers[place]!;
        servers[place] = undefined;
        killed.signal('SIGKILL');
        await killed.ended;
        await start(place);
      }
      for (const place of [0, 1, 2]) while (!(await serves(place, word))) await setImmediate();
    }
    isLoaded = false;
    await Promise.all(load);
    console.log(`      ${[...answers.values()].reduce((sum, count) => sum + count, 0)} requests`);
    expect([...answers.keys()].sort()).to.deep.equal(['200 ancien', '200 nouveau']);
    expect(
      readdirSync(folder).filter((name) => /\.before|-wal$|-shm$/.test(name) && name.startsWith('served')),
    ).to.deep.equal([]);
  });
});
