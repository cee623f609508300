import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, watch, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { dialects } from '../helpers/dialects.ts';
import { type FakeService, startFakeService } from '../helpers/fake-service.ts';
import { killsOf, printKills, shares } from '../helpers/kills.ts';
import { contentsOf, lookInto } from '../helpers/mirror-contents.ts';
import { runProgram } from '../helpers/program.ts';
import { createRandom, seedOf } from '../helpers/random.ts';
import { startDemoServer } from '../server/demo-server.ts';

const demoFolder = fileURLToPath(new URL('../../fixtures/demo', import.meta.url));
const program = fileURLToPath(new URL('../../bin/run.js', import.meta.url));
const seed = seedOf('CRASH_SEED');
const killsWanted = killsOf('sync');

describe('a sync that is killed', () => {
  let folder: string;
  const running = new Set<ChildProcess>();
  const services: FakeService[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
  });
  afterEach(async () => {
    for (const child of running) child.kill('SIGKILL');
    for (const service of services.splice(0)) await service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(): Promise<FakeService> {
    const service = await startFakeService(dialects[0]!);
    services.push(service);
    return service;
  }

  const sync = (service: FakeService, db: string, ...more: string[]) =>
    begin(db, ['sync', '--from', service.baseUrl, ...fast, '--ballots', 'AN:VAL1V1..VAL1V20', ...more]);
  const fast = ['--rate', '1000000'];

  function begin(db: string, argv: string[]): Started {
    const child = spawn(process.execPath, [program, ...argv, '--db', db, '--quiet'], {
      env: { PATH: process.env.PATH, HOME: folder, XDG_STATE_HOME: `${db}.state` },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    running.add(child);
    let stderr = '';
    child.stderr!.setEncoding('utf8').on('data', (chunk) => {
      stderr += chunk;
    });
    const ended = once(child, 'close').then(([exit, signal]) => {
      running.delete(child);
      return { exit, signal, stderr };
    });
    return { child, ended };
  }

  /** Kills one sync after another until one comes through, again and again on new mirrors, up to that many kills. */
  async function chain(name: string, random: () => number, kills: number): Promise<number> {
    const service = await start();
    const undisturbed = join(folder, `${name}-undisturbed.db`);
    expect(await sync(service, undisturbed).ended).to.deep.equal({ exit: 0, signal: null, stderr: '' });
    const expected = contentsOf(undisturbed);
    expect(expected.records.length).to.be.greaterThan(400);
    let done = 0;
    for (let mirror = 1; done < kills; mirror += 1) {
      const db = join(folder, `${name}-${mirror}.db`);
      let storedKeys = new Set<string>();
      for (;;) {
        const point = pointOf(random);
        const where = `CRASH_SEED=${seed}, ${name}, mirror ${mirror}, kill ${done + 1} at ${JSON.stringify(point)}`;
        const started = sync(service, db);
        const disarm = armed(service, db, started.child, point);
        const { exit, signal, stderr } = await started.ended;
        disarm();
        if (signal === null) {
          expect({ exit, stderr }, where).to.deep.equal({ exit: 0, stderr: '' });
          expect(contentsOf(db), where).to.deep.equal(expected);
          expect(existsSync(`${db}.incoming`), where).to.equal(false);
          break;
        }
        done += 1;
        const { integrity, keys } = lookInto(db);
        expect(integrity, where).to.equal('ok');
        expect(
          [...storedKeys].filter((key) => !keys.has(key)),
          where,
        ).to.deep.equal([]);
        storedKeys = keys;
      }
    }
    expect(service.unexpected).to.deep.equal([]);
    return done;
  }

  it(`loses nothing and doubles nothing, wherever it was killed (CRASH_SEED=${seed})`, async function () {
    this.timeout(900_000 + killsWanted * 6000);
    const each = Math.ceil(killsWanted / 2);
    const kills = await Promise.all([chain('first', seeded(seed), each), chain('second', seeded(seed + 1), each)]);
    expect(kills[0]! + kills[1]!).to.be.at.least(killsWanted);
    printKills('sync', kills[0]! + kills[1]!);
  });

  /** Kills that command at moments drawn by chance, until one comes through, again and again on new mirrors. */
  async function killedByChance(argv: string[], kills: number): Promise<number> {
    const random = createRandom(seed);
    const whole = join(folder, 'undisturbed.db');
    const begunMs = performance.now();
    expect(await begin(whole, argv).ended).to.deep.equal({ exit: 0, signal: null, stderr: '' });
    const wholeMs = performance.now() - begunMs;
    // How far it is remembers the number of the run.
    const contentsWithoutProgress = (db: string) => ({ ...contentsOf(db), progress: null });
    const expected = contentsWithoutProgress(whole);
    let done = 0;
    for (let mirror = 1; done < kills; mirror += 1) {
      const db = join(folder, `${mirror}.db`);
      let before = new Set<string>();
      // Every third is left to come through, and more of them each time, where the machine became busier.
      for (let mostMs = wholeMs * 1.5; ; mostMs *= 1.2) {
        const { child, ended } = begin(db, argv);
        const timer = setTimeout(() => child.kill('SIGKILL'), random.integer(Math.ceil(mostMs)));
        const { signal, ...end } = await ended;
        clearTimeout(timer);
        const where = `CRASH_SEED=${seed}, mirror ${mirror}, kill ${done + 1}`;
        if (signal === null) {
          expect(end, where).to.deep.equal({ exit: 0, stderr: '' });
          expect(contentsWithoutProgress(db), where).to.deep.equal(expected);
          break;
        }
        done += 1;
        if (!existsSync(db)) continue;
        const { integrity, keys } = lookInto(db);
        expect([integrity, [...before].filter((key) => !keys.has(key))], where).to.deep.equal(['ok', []]);
        before = keys;
      }
    }
    return done;
  }

  it('loses nothing and doubles nothing, wherever an import was killed', async function () {
    this.timeout(900_000 + killsOf('import') * 6000);
    printKills('import', await killedByChance(['import', demoFolder], killsOf('import')));
  });

  it('loses nothing and doubles nothing, wherever one was killed that follows another mirror', async function () {
    this.timeout(900_000 + killsOf('follower') * 6000);
    const server = await startDemoServer();
    const argv = ['sync', '--from', `${server.url}/api/v1`, ...fast];
    printKills('follower', await killedByChance(argv, killsOf('follower')).finally(() => server.close()));
  });

  it('is one of a thousand runs killed in a long run, of all commands that write', () => {
    expect(Object.values(shares).reduce((sum, share) => sum + share, 0)).to.equal(1000);
  });

  it('leaves no mirror yet where it was killed as it made the file, and makes it next time', async () => {
    const service = await start();
    const db = join(folder, 'mirror.db');
    // What is begun is begun under another name.
    for (const ending of ['', '-journal']) writeFileSync(`${db}.new${ending}`, 'cut off');
    const read = await runProgram(['politicians', '--source', 'mirror', '--db', db], {
      env: { HOME: folder },
    });
    expect(read.exit).to.equal(10);
    expect(read.stderr).to.match(/^Error: there is no mirror at /);
    expect(await sync(service, db).ended).to.deep.equal({ exit: 0, signal: null, stderr: '' });
    expect(contentsOf(db).records.length).to.be.greaterThan(400);
    expect(readdirSync(folder).filter((name) => name.includes('.new'))).to.deep.equal([]);
  });

  it('frees the lock that kept a second one out', async () => {
    const service = await start();
    const db = join(folder, 'mirror.db');
    const pendingRequest = heldRequest(service);
    const first = sync(service, db);
    await pendingRequest.arrived;
    const second = await sync(service, db).ended;
    expect(second.exit).to.equal(9);
    expect(second.stderr).to.match(/^Error: another run is writing to .*mirror\.db\n.*--wait-lock/);
    first.child.kill('SIGKILL');
    pendingRequest.release();
    expect((await first.ended).signal).to.equal('SIGKILL');
    expect(await sync(service, db).ended).to.deep.equal({ exit: 0, signal: null, stderr: '' });
  });

  it('is what one with --wait-lock waits for, as it waits for one that ends by itself', async () => {
    const service = await start();
    for (const end of ['killed', 'answered']) {
      const db = join(folder, `${end}.db`);
      const pendingRequest = heldRequest(service);
      const first = sync(service, db);
      await pendingRequest.arrived;
      const waiting = sync(service, db, '--wait-lock', '30s');
      await opened(waiting.child, `${db}.lock`);
      const requestCount = service.requests.length;
      expect((await sync(service, db).ended).exit, end).to.equal(9);
      expect(service.requests.length, end).to.equal(requestCount);
      expect(waiting.child.exitCode, end).to.equal(null);
      if (end === 'killed') first.child.kill('SIGKILL');
      pendingRequest.release();
      expect((await first.ended).exit, end).to.equal(end === 'killed' ? null : 0);
      expect(await waiting.ended, end).to.deep.equal({ exit: 0, signal: null, stderr: '' });
      expect(lookInto(db).integrity, end).to.equal('ok');
    }
  });
});

type Started = {
  child: ChildProcess;
  ended: Promise<{ exit: number | null; signal: NodeJS.Signals | null; stderr: string }>;
};

/** Kill when that request arrives, that much later; request 0 is the first sign of the run in the mirror's folder. */
type Point = { request: number; delayMs: number };

/** The datasets and the opening of the mirror are few requests and most of the writing. */
function pointOf(random: () => number): Point {
  const isEarly = random() < 0.4;
  const request = Math.floor(random() * (isEarly ? 9 : 71));
  return { request, delayMs: Math.floor(random() * (request === 0 ? 40 : 9)) };
}

function armed(service: FakeService, db: string, child: ChildProcess, { request, delayMs }: Point): () => void {
  let timer: NodeJS.Timeout | undefined;
  const kill = () => {
    timer ??= setTimeout(() => child.kill('SIGKILL'), delayMs);
  };
  service.requests.length = 0;
  service.onRequest = (count) => {
    if (count === request) kill();
  };
  const name = db.split('/').at(-1)!;
  const watcher = request === 0 ? watch(join(db, '..')) : null;
  watcher?.on('change', (_, file) => {
    if (String(file).startsWith(name) && !String(file).includes('.state')) kill();
  });
  return () => {
    clearTimeout(timer);
    watcher?.close();
    service.onRequest = () => {};
  };
}

/** The next request for a profile is not answered until it is released. */
function heldRequest(service: FakeService): { arrived: Promise<void>; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const pendingResponses: ServerResponse[] = [];
  // Several profiles are asked for at a time: while one is held, so are those beside it.
  const fault = {
    path: /^\/politicians\//,
    times: Number.POSITIVE_INFINITY,
    answer: (_: unknown, response: ServerResponse) => {
      pendingResponses.push(response);
      resolve();
    },
  };
  service.faults.push(fault);
  const release = () => {
    service.faults.splice(service.faults.indexOf(fault), 1);
    for (const response of pendingResponses) response.writeHead(404).end();
  };
  return { arrived: promise, release };
}

/** Resolves when the child has that file open. */
async function opened(child: ChildProcess, file: string): Promise<void> {
  const folder = `/proc/${child.pid}/fd`;
  while (!readdirSync(folder).some((fd) => linkOf(join(folder, fd)) === file)) await sleep(10);
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function seeded(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
