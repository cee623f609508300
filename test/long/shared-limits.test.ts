import { createClient } from '@redis/client';
import { expect } from 'chai';
import { openRedisCounter } from '../../src/server/run/limit-store.ts';
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
  const open = async () => {
    const counter = await openRedisCounter(redis.url, { onUnavailable() {}, onRecovered() {} });
    opened.push({ stop: async () => counter.close() });
    return counter;
  };
  /** Asks on connections of their own, so that all workers are asked. */
  const statuses = async (server: ServedProgram, count: number, caller = '203.0.113.1') =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const headers = { 'x-forwarded-for': caller, connection: 'close' };
        return (await fetch(`${server.origin}/api/v1/parties`, { headers })).status;
      }),
    );
  const stopRedis = async () => {
    await redis.stop();
    opened.shift();
  };
  /** Starts it anew, empty, where it was. */
  const startAgain = async () => {
    redis = await startRedis(Number(new URL(redis.url).port));
    opened.unshift(redis);
  };
  const lost = /the limit store at 127\.0\.0\.1:\d+ cannot be used/;
  const recovered = /the limit store at 127\.0\.0\.1:\d+ answers again/;
  const admitted = (all: number[]) => all.filter((status) => status === 200).length;

  it('are one budget over two processes', async () => {
    const one = await start();
    const other = await start();
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

  it('count callers apart, and say when the next request is possible', async () => {
    const [one, other] = [await open(), await open()];
    expect(await one.count('a')).to.deep.include({ current: 1 });
    expect(await other.count('b')).to.deep.include({ current: 1 });
    const { current, ttl } = await other.count('a');
    expect(current).to.equal(2);
    expect(ttl).to.be.within(50_000, 60_000);
  });

  for (const workers of ['1', '2']) {
    it(`are counted by a server alone while the store is down (workers: ${workers})`, async () => {
      const server = await start('--workers', workers);
      await stopRedis();
      expect(admitted(await statuses(server, 150))).to.equal(60);
      await server.output(lost);
      expect(server.stderr()).to.match(/this server counts alone/);
    });

    it(`are nobody's second quota when the store goes (workers: ${workers})`, async () => {
      const server = await start('--workers', workers, '--trust-proxy', '127.0.0.1');
      expect(admitted(await statuses(server, 70, '203.0.113.1'))).to.equal(60);
      await stopRedis();
      await server.output(lost);
      expect(admitted(await statuses(server, 70, '203.0.113.1'))).to.equal(0);
      expect(admitted(await statuses(server, 70, '203.0.113.2'))).to.equal(60);
    });

    it(`refuse while the store is down, if that is wanted (workers: ${workers})`, async () => {
      const server = await start('--workers', workers, '--limit-store-down', 'closed');
      await stopRedis();
      const answer = await fetch(`${server.origin}/api/v1/parties`);
      expect(answer.status).to.equal(503);
      expect(answer.headers.get('retry-after')).to.equal('5');
      expect(await answer.json()).to.include({ status: 503 });
      expect((await fetch(`${server.origin}/healthz`)).status).to.equal(200);
    });
  }

  it('are one budget again once the store is back, and each server says both once', async () => {
    const servers = [await start('--trust-proxy', '127.0.0.1'), await start('--trust-proxy', '127.0.0.1')];
    await stopRedis();
    for (const server of servers) {
      await statuses(server, 10);
      await server.output(lost);
    }
    await startAgain();
    for (const server of servers) await server.output(recovered);
    const answers = await Promise.all(servers.map((server) => statuses(server, 50, '203.0.113.2')));
    expect(admitted(answers.flat())).to.equal(60);
    for (const server of servers) {
      expect(server.stderr().match(new RegExp(lost, 'g'))).to.have.length(1);
      expect(server.stderr().match(new RegExp(recovered, 'g'))).to.have.length(1);
    }
  });

  it('leave a store that hangs alone after the first request, until it answers', async () => {
    const server = await start();
    redis.pause();
    expect((await fetch(`${server.origin}/api/v1/parties`)).status).to.equal(200);
    await server.output(/it did not answer in time/);
    for (let n = 0; n < 40; n += 1) await fetch(`${server.origin}/api/v1/parties`);
    redis.resume();
    await server.output(recovered);
    // What was sent while it hung was done since: one request, and one probe a second.
    expect(await countings(redis.url)).to.be.at.most(20);
  });

  it('let a server start while the store is down', async () => {
    await stopRedis();
    const server = await start();
    expect(admitted(await statuses(server, 70))).to.equal(60);
  });

  it('let a server start while the store hangs', async () => {
    redis.pause();
    const server = await start();
    expect(admitted(await statuses(server, 70))).to.equal(60);
    redis.resume();
  });

  it('refuse an address that is none, without showing its password', async () => {
    const { exit, stderr } = await runProgram(['serve', '--port', '0', '--limit-store', 'http://user:secret@h/'], {
      env,
    });
    expect(exit).to.equal(10);
    expect(stderr)
      .to.match(/redis:\/\//)
      .and.not.match(/secret/);
  });
});

/** How many times a Redis was asked to count. */
async function countings(url: string): Promise<number> {
  const client = createClient({ url });
  await client.connect();
  const stats = await client.info('commandstats');
  client.destroy();
  return Number(/cmdstat_eval:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}
