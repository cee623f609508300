import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { DeliveryError } from '../../src/errors.ts';
import { createMirrorGauges, createResponseCounter } from '../../src/server/run/metrics.ts';
import { verbatim } from '../../src/words/speech.ts';
import { openDesk, promise, type WatchDesk } from '../watches/watch-desk.ts';

describe('metrics', () => {
  let desk: WatchDesk;
  beforeEach(() => {
    desk = openDesk();
  });
  afterEach(() => desk.remove());

  const gauges = () =>
    createMirrorGauges(
      () => desk.mirror,
      () => desk.clock.nowMs,
    )();

  it('tell the messages of watches, and for how long the oldest waits', async () => {
    expect(await gauges()).to.include('hemicycle_watch_oldest_waiting_seconds 0');
    await desk.add('tout', 'changes');
    desk.clock.nowMs += 1000;
    desk.fill('promise', [promise('p1', 'Un')]);
    desk.refuses.error = new DeliveryError('receiver.example', verbatim('answered 500'));
    await desk.run();
    desk.clock.nowMs += 90_000;
    const waiting = await gauges();
    expect(waiting)
      .to.include('hemicycle_watch_messages{state="waiting"} 1')
      .and.include('hemicycle_watch_oldest_waiting_seconds 90');
    desk.refuses.error = null;
    await desk.run();
    expect(await gauges())
      .to.include('hemicycle_watch_messages{state="delivered"} 1')
      .and.include('hemicycle_watch_messages{state="waiting"} 0')
      .and.include('hemicycle_watch_oldest_waiting_seconds 0');
  });

  it('count what came from the cache', async () => {
    const counter = createResponseCounter();
    const answer = {
      id: null,
      method: 'GET',
      route: '/x',
      url: '/x',
      status: 200,
      ms: 1,
      bytes: 1,
      caller: null,
    };
    counter.observe({ ...answer, isCached: true });
    counter.observe({ ...answer, isCached: false });
    expect(await counter.text())
      .to.include('hemicycle_http_cached_answers_total{route="/x"} 1')
      .and.include('hemicycle_http_answers_total{route="/x",method="GET",status="200"} 2');
  });

  it('have names that `promtool check metrics` takes: a total is a counter, and each has its help', async () => {
    const exposition = `${await gauges()}${await createResponseCounter().text()}`;
    const types = [...exposition.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
    expect(types.length).to.be.above(20);
    for (const [, name, type] of types) {
      expect(name!.endsWith('_total'), name).to.equal(type === 'counter');
      expect(exposition, name).to.match(new RegExp(`^# HELP ${name} \\S`, 'm'));
    }
  });

  it('have every name that the alert rules and the dashboard of the package ask for', async () => {
    const exposition = `${await gauges()}${await createResponseCounter().text()}`;
    for (const file of ['alerts.yml', 'dashboard.json']) {
      const text = readFileSync(new URL(`../../docs/monitoring/${file}`, import.meta.url), 'utf8');
      const names = new Set(text.match(/hemicycle_[a-z_]+/g));
      expect(names.size, file).to.be.above(4);
      for (const name of names)
        expect(exposition, `${file}: ${name}`).to.match(new RegExp(`^# TYPE ${name.replace(/_bucket$/, '')} `, 'm'));
    }
  });
});
