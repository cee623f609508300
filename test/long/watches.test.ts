import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { countMessages } from '../../src/store/outbox.ts';
import type { MessageBody } from '../../src/watches/message.ts';
import { killsOf, printKills } from '../helpers/kills.ts';
import { createRandom, seedOf } from '../helpers/random.ts';
import { openDesk, promise, type WatchDesk } from '../watches/watch-desk.ts';

const program = fileURLToPath(new URL('../../bin/run.js', import.meta.url));
const seed = seedOf('WATCH_SEED');
const kills = Number(process.env.WATCH_KILLS ?? killsOf('watch'));

/** A program that appends what it is told to a file, one line in one write. */
const appender = `
const { appendFileSync, readFileSync } = require('node:fs');
appendFileSync(process.argv[1], readFileSync(0));`;

/** A receiver that keeps each message before it says so; it may be killed in between. */
const receiver = `
const { appendFileSync } = require('node:fs');
const { createServer } = require('node:http');
const [file, port] = process.argv.slice(1);
createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  appendFileSync(file, text + '\\n');
  response.end();
}).listen(Number(port), '127.0.0.1', function () { console.log(this.address().port); });`;

describe('watches', () => {
  let desk: WatchDesk;
  const started = new Set<ChildProcess>();
  beforeEach(() => {
    desk = openDesk();
    // The program counts by its own clock.
    desk.clock.nowMs = Date.now() - 3_600_000;
  });
  afterEach(() => {
    for (const child of started) child.kill('SIGKILL');
    desk.remove();
  });

  const env = () => ({ PATH: process.env.PATH, HOME: desk.folder, HEMICYCLE_DB: desk.db });

  /** A run of the program that is killed after so long; without a time it is left to end. True if it was killed. */
  async function run(killMs: number | null, ...more: string[]): Promise<boolean> {
    const child = spawn(process.execPath, [program, 'watch', 'run', '--quiet', ...more], {
      env: env(),
      stdio: 'ignore',
    });
    const closed = once(child, 'close');
    if (killMs !== null) {
      await Promise.race([closed, sleep(killMs)]);
      child.kill('SIGKILL');
    }
    const [, signal] = await closed;
    return signal !== null;
  }

  /** Starts a receiver that writes to a file; resolves with it and its port. */
  async function receive(file: string, port = 0): Promise<{ child: ChildProcess; port: number }> {
    const child = spawn(process.execPath, ['-e', receiver, file, String(port)], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    started.add(child);
    const [portLine] = await once(child.stdout!, 'data');
    return { child, port: Number(portLine) };
  }

  it(`tell each change once in each channel, whatever run or receiver is killed (WATCH_SEED=${seed})`, async function () {
    this.timeout(900_000 + kills * 6000);
    const random = createRandom(seed);
    desk.fill('promise', [promise('p0', 'Zéro')]);
    const out = desk.path('told.ndjson');
    const posted = desk.path('posted.ndjson');
    let receiving = await receive(posted);
    const { port } = receiving;
    const plain = { secret: null, isPrivate: true };
    const command = { ...plain, kind: 'command', target: [process.execPath, '-e', appender, out] };
    const file = { ...plain, kind: 'file', target: [desk.path('feed.atom')] };
    const hook = { ...plain, kind: 'webhook', target: [`http://127.0.0.1:${port}/hook`] };
    await desk.add('changes', 'changes --kind promise', { channels: [command, file, hook] });
    await desk.add('liste', 'feed --types promise', { channels: [command, hook] });
    const startedAtMs = performance.now();
    expect(await run(null)).to.equal(false);
    const wholeMs = performance.now() - startedAtMs;
    const soon = () => random.integer(Math.ceil(wholeMs * 1.2));
    const records = [promise('p0', 'Zéro')];
    // What waits is due at once, as after hours.
    const letTimePass = () =>
      desk.book.database.exec("UPDATE message SET next_at = '2000-01-01', attempts = 0 WHERE state = 'waiting'");
    const killed = { run: 0, resident: 0, receiver: 0 };
    const victims: Record<keyof typeof killed, () => Promise<number>> = {
      run: async () => Number(await run(soon())),
      // Its runs wait for another's, as those of a resident watcher for one that cron began.
      resident: async () => {
        const both = await Promise.all([run(soon(), '--wait-lock', '1m'), run(soon(), '--wait-lock', '1m')]);
        return both.filter(Boolean).length;
      },
      receiver: async () => {
        const running = run(null);
        await sleep(soon());
        receiving.child.kill('SIGKILL');
        await once(receiving.child, 'close');
        started.delete(receiving.child);
        await running;
        receiving = await receive(posted, port);
        return 1;
      },
    };
    const total = () => Object.values(killed).reduce((sum, each) => sum + each);
    for (let round = 1; total() < kills; round += 1) {
      desk.clock.nowMs += 1000;
      records.push(promise(`p${round}`, `Numéro ${round}`));
      desk.fill('promise', records);
      letTimePass();
      const victim = random.pick(['run', 'resident', 'receiver'] as const);
      killed[victim] += await victims[victim]();
    }
    printKills('watch', total());
    console.log(
      `      ${Object.entries(killed)
        .map((each) => each.join(' '))
        .join(', ')}`,
    );
    // A message that failed in this run is due in the next.
    for (let n = 0; n < 2; n += 1) {
      letTimePass();
      expect(await run(null)).to.equal(false);
    }
    expect(countMessages(desk.book, 'waiting') + countMessages(desk.book, 'dead')).to.equal(0);
    const wanted = records
      .slice(1)
      .map(({ id }) => String(id))
      .sort();
    for (const path of [out, posted]) {
      const lines = readFileSync(path, 'utf8').trim().split('\n');
      const messages = lines.map((line): MessageBody => JSON.parse(line));
      const byKey = new Map(messages.map((message) => [message.id, message]));
      for (const message of messages) expect(message).to.deep.equal(byKey.get(message.id));
      for (const name of ['changes', 'liste']) {
        const of = [...byKey.values()].filter(({ data }) => data.watch.name === name);
        const changes = of.flatMap(({ data }) => data.changes);
        expect(changes.map(({ key }) => String(key)).sort(), `${name} in ${path}`).to.deep.equal(wanted);
      }
    }
    const entries = readFileSync(desk.path('feed.atom'), 'utf8').split('<entry>').slice(1);
    const ids = entries.map((each) => /<id>(.*?)<\/id>/.exec(each)![1]);
    expect(new Set(ids).size).to.equal(ids.length);
    expect(ids.length).to.equal(Math.min(200, wanted.length));
  });

  it('look by the thousand in bounded memory, and at nothing where nothing changed', async () => {
    const records = Array.from({ length: 200 }, (_, n) => promise(`p${n}`, `Texte ${n}`));
    desk.fill('promise', records);
    desk.book.database.pragma('synchronous = OFF');
    const silent = { channels: [] };
    for (let n = 0; n < 10_000; n += 1)
      await desk.add(`w${n}`, n % 100 === 0 ? 'feed --types promise' : 'changes --kind promise', silent);
    const before = process.memoryUsage().rss;
    desk.clock.nowMs += 1000;
    desk.fill('promise', records.with(7, promise('p7', 'Autre')));
    const first = process.cpuUsage();
    expect(await desk.run()).to.include({ watches: 10_000, changes: 10_000, waiting: 0 });
    const ofChanges = secondsSince(first);
    const second = process.cpuUsage();
    expect(await desk.run()).to.include({ watches: 10_000, changes: 0 });
    const seconds = secondsSince(second);
    console.log(`      10,000 watches looked where nothing changed: ${seconds.toFixed(1)} s of CPU time`);
    expect(seconds).to.be.below(0.7 * ofChanges);
    // As objects, what each of them looks at is several times as long.
    expect(process.memoryUsage().rss - before).to.be.below(10_000 * 3 * JSON.stringify(records).length);
  });
});

/** CPU time of this process since then: what else the machine does is not counted. */
function secondsSince(then: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(then);
  return (user + system) / 1e6;
}
