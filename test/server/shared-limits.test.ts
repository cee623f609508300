import { expect } from 'chai';
import { openRedisLog, type SharedLog } from '../../src/server/run/redis-log.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { runProgram } from '../helpers/program.ts';
import { hasRedis, type RunningRedis, startRedis } from '../helpers/redis-server.ts';
import { type ServedProgram, startServedProgram } from '../helpers/served-program.ts';

describe('limits that several servers share', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let env: Record<string, string>;
  let redis: RunningRedis;
  let opened: { stop(): Promise<unknown> }[];
  before(async function () {
    if (!hasRedis()) this.skip();
    demo = await createDemoMirror();
    env = { HEMICYCLE_DB: demo.db, HOME: demo.folder };
  });
  after(() => demo?.remove());
  beforeEach(async () => {
    redis = await startRedis();
    opened = [redis];
  });
  afterEach(async () => {
    for (const each of opened.reverse()) await each.stop();
  });

  const start = async (...argv: string[]): Promise<ServedProgram> => {
    const server = await startServedProgram(['--limit-store', redis.url, ...argv], env);
    opened.push(server);
    return server;
  };
  const open = async (url = redis.url): Promise<SharedLog> => {
    const log = await openRedisLog(url, () => {});
    opened.push({ stop: async () => log.close() });
    return log;
  };
  const statuses = async (server: ServedProgram, count: number) =>
    Promise.all(
      Array.from({ length: count }, async () => (await fetch(`${server.origin}/api/v1/parties`)).status),
    );
  const admitted = (all: number[]) => all.filter((status) => status === 200).length;

  it('are one budget over two processes', async () => {
    const [one, other] = [await start(), await start()];
    const answers = await Promise.all([statuses(one, 50), statuses(other, 50)]);
    expect(admitted(answers.flat())).to.equal(60);
    const refused = await fetch(`${other.origin}/api/v1/feed`);
    expect(refused.status).to.equal(429);
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 61);
    expect(refused.headers.get('ratelimit')).to.match(/^"anonymous";r=0;t=\d+$/);
  });

  it('outlive a process that is started anew', async () => {
    const one = await start();
    await statuses(one, 60);
    await one.stop();
    const other = await start();
    expect((await fetch(`${other.origin}/api/v1/parties`)).status).to.equal(429);
  });

  it('admit no more than the number in any window, however the requests come', async () => {
    const windowMs = 400;
    const most = 10;
    const logs = [await open(), await open()];
    const admissions: { sent: number; came: number }[] = [];
    const until = performance.now() + 4 * windowMs;
    const ask = async (log: SharedLog) => {
      while (performance.now() < until) {
        const sent = performance.now();
        const { current } = await log.admit('one caller', windowMs, most);
        if (current <= most) admissions.push({ sent, came: performance.now() });
      }
    };
    await Promise.all(logs.map(ask));
    // Each was admitted between its sending and its answer: those that surely fell into one window are counted.
    const crowds = admissions.map(
      ({ sent: first }) =>
        admissions.filter(({ sent, came }) => sent >= first && came < first + windowMs).length,
    );
    expect(Math.max(...crowds)).to.be.at.most(most);
    expect(admissions.length).to.be.above(most);
  });

  it('count callers apart, and say when the next request is possible', async () => {
    const log = await open();
    expect(await log.admit('a', 60_000, 1)).to.deep.include({ current: 1 });
    expect(await log.admit('b', 60_000, 1)).to.deep.include({ current: 1 });
    const refused = await log.admit('a', 60_000, 1);
    expect(refused.current).to.equal(2);
    expect(refused.ttl).to.be.within(1, 60_002);
  });

  it('are counted by each process alone while the store is down, and shared again once it is back', async () => {
    const server = await start();
    const port = Number(new URL(redis.url).port);
    await redis.stop();
    opened.shift();
    expect(admitted(await statuses(server, 70))).to.equal(60);
    await server.said(/the limit store at 127\.0\.0\.1:\d+ cannot be used/);
    const back = await startRedis(port);
    opened.unshift(back);
    let status = 429;
    // The process connects again by itself; its own log stays full for a minute.
    while (status !== 200) status = (await fetch(`${server.origin}/api/v1/parties`)).status;
    expect(status).to.equal(200);
  });

  it('refuse while the store is down, if that is wanted', async () => {
    const server = await start('--limit-store-down', 'closed');
    await redis.stop();
    opened.shift();
    const answer = await fetch(`${server.origin}/api/v1/parties`);
    expect(answer.status).to.equal(503);
    expect(answer.headers.get('retry-after')).to.equal('5');
    expect(await answer.json()).to.include({ status: 503 });
    expect((await fetch(`${server.origin}/healthz`)).status).to.equal(200);
  });

  it('make nobody wait for a store that hangs', async () => {
    const server = await start();
    redis.pause();
    expect((await fetch(`${server.origin}/api/v1/parties`)).status).to.equal(200);
    await server.said(/did not answer in time/);
    redis.resume();
  });

  it('let a server start while the store is down', async () => {
    await redis.stop();
    opened.shift();
    const server = await start();
    expect(admitted(await statuses(server, 70))).to.equal(60);
  });

  it('refuse an address that is none, without showing its password', async () => {
    const { exit, stderr } = await runProgram(
      ['serve', '--port', '0', '--limit-store', 'http://user:secret@h/'],
      { env },
    );
    expect(exit).to.equal(10);
    expect(stderr)
      .to.match(/redis:\/\//)
      .and.not.match(/secret/);
  });
});
