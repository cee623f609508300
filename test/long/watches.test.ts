import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { MessageBody } from '../../src/watches/message.ts';
import { killsOf, tellKills } from '../helpers/kills.ts';
import { createRandom, seedOf } from '../helpers/random.ts';
import { openDesk, promise, type WatchDesk } from '../watches/watch-desk.ts';

const program = fileURLToPath(new URL('../../bin/run.js', import.meta.url));
const seed = seedOf('WATCH_SEED');
const kills = killsOf('watch');

/** A program that appends what it is told to a file, one line in one write. */
const appender = `
const { appendFileSync, readFileSync } = require('node:fs');
appendFileSync(process.argv[1], readFileSync(0));`;

describe('watches', () => {
  let desk: WatchDesk;
  beforeEach(() => {
    desk = openDesk();
    // The program counts by its own clock.
    desk.clock.nowMs = Date.now() - 3_600_000;
  });
  afterEach(() => desk.remove());

  const env = () => ({ PATH: process.env.PATH, HOME: desk.folder, HEMICYCLE_DB: desk.db });

  /** A run of the program that is killed after so long; without a time it is left to end. True if it ended by itself. */
  async function run(killMs: number | null): Promise<boolean> {
    const child = spawn(process.execPath, [program, 'watch', 'run', '--quiet'], {
      env: env(),
      stdio: 'ignore',
    });
    const closed = once(child, 'close');
    if (killMs !== null) {
      await Promise.race([closed, sleep(killMs)]);
      child.kill('SIGKILL');
    }
    const [exit, signal] = await closed;
    if (killMs === null) expect(exit).to.equal(0);
    return signal === null;
  }

  it(`killed wherever it is, miss no change and tell none twice under its key (WATCH_SEED=${seed})`, async function () {
    this.timeout(180_000);
    const random = createRandom(seed);
    desk.fill('promise', [promise('p0', 'Zéro')]);
    const out = desk.path('told.ndjson');
    const command = { kind: 'command' as const, target: [process.execPath, '-e', appender, out] };
    const file = { kind: 'file' as const, target: [desk.path('feed.atom')] };
    const channels = [command, file].map((each) => ({ ...each, secret: null, isPrivate: false }));
    await desk.add('changes', 'changes --kind promise', { channels });
    await desk.add('liste', 'feed --types promise', { channels: channels.slice(0, 1) });
    const begun = performance.now();
    expect(await run(null)).to.equal(true);
    const wholeMs = performance.now() - begun;
    const records = [promise('p0', 'Zéro')];
    let killed = 0;
    for (let round = 1; killed < kills; round += 1) {
      desk.clock.nowMs += 1000;
      records.push(promise(`p${round}`, `Numéro ${round}`));
      desk.fill('promise', records);
      // A message names fifty changes and counts the others: a busy machine may kill as many runs before they look at all.
      const isLeft = round % 20 === 0;
      killed += (await run(isLeft ? null : random.integer(Math.ceil(wholeMs * 1.2)))) ? 0 : 1;
    }
    tellKills('watch', killed);
    expect(await run(null)).to.equal(true);
    console.log(
      `      runs killed: ${killed} of ${kills} (WATCH_KILLS; a share of 1,000 with a seed of its own)`,
    );
    const messages = readFileSync(out, 'utf8')
      .trim()
      .split('\n')
      .map((line): MessageBody => JSON.parse(line));
    const byKey = new Map(messages.map((message) => [message.id, message]));
    for (const message of messages) expect(message).to.deep.equal(byKey.get(message.id));
    const wanted = records
      .slice(1)
      .map(({ id }) => String(id))
      .sort();
    for (const [name, sort] of [
      ['changes', 'added'],
      ['liste', 'new'],
    ]) {
      const of = [...byKey.values()].filter(({ data }) => data.watch.name === name);
      const changes = of.flatMap(({ data }) => data.changes);
      expect(changes.map(({ change }) => change)).to.not.include.members(['edited', 'withdrawn']);
      expect(
        changes
          .filter(({ change }) => change === sort)
          .map(({ key }) => String(key))
          .sort(),
        name,
      ).to.deep.equal(wanted);
    }
    const entries = readFileSync(desk.path('feed.atom'), 'utf8').split('<entry>').slice(1);
    const ids = entries.map((each) => /<id>(.*?)<\/id>/.exec(each)![1]);
    expect(new Set(ids).size).to.equal(ids.length);
    expect(ids.length).to.equal(Math.min(200, wanted.length));
    expect(existsSync(`${desk.db}.watches`)).to.equal(true);
  });

  it('look by the thousand in bounded memory, and at nothing where nothing changed', async function () {
    this.timeout(180_000);
    desk.fill(
      'promise',
      Array.from({ length: 200 }, (_, n) => promise(`p${n}`, `Texte ${n}`)),
    );
    desk.book.database.pragma('synchronous = OFF');
    const silent = { channels: [] };
    for (let n = 0; n < 10_000; n += 1)
      await desk.add(`w${n}`, n % 100 === 0 ? 'feed --types promise' : 'changes --kind promise', silent);
    const before = process.memoryUsage().rss;
    desk.clock.nowMs += 1000;
    desk.fill(
      'promise',
      Array.from({ length: 200 }, (_, n) => promise(`p${n}`, n === 7 ? 'Autre' : `Texte ${n}`)),
    );
    expect(await desk.run()).to.include({ watches: 10_000, changes: 10_000, waiting: 0 });
    const begun = process.cpuUsage();
    expect(await desk.run()).to.include({ watches: 10_000, changes: 0 });
    const { user, system } = process.cpuUsage(begun);
    const seconds = (user + system) / 1e6;
    console.log(`      10,000 watches looked where nothing changed: ${seconds.toFixed(1)} s of CPU time`);
    // CPU time: what else the machine does is not counted.
    expect(seconds).to.be.below(5);
    expect(process.memoryUsage().rss - before).to.be.below(700e6);
  });
});
