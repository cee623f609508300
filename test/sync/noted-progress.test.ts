import { expect } from 'chai';
import type { ServiceClient } from '../../src/service/client.ts';
import { openMirror, openWritableMirror } from '../../src/store/open.ts';
import { beginRun, lastRun, progressOf } from '../../src/store/syncs/runs.ts';
import { notedProgress } from '../../src/sync/sync.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';

describe('the progress of a sync', () => {
  it('is noted in the mirror as each stage begins and then once a second, and told at every step', async () => {
    const demo = await createDemoMirror();
    const writer = openWritableMirror(demo.db);
    const reader = openMirror(demo.db);
    let nowMs = Date.parse('2026-03-02T06:00:00Z');
    const told: (string | number)[] = [];
    const client = { tally: { requests: 7 } } as ServiceClient;
    const progress = { stage: () => {}, advance: (done: number) => told.push(done), note: () => {} };
    const run = beginRun(writer, 'https://transparence.example/api/v1', new Date(nowMs).toISOString());
    const noted = notedProgress({ mirror: writer, client, now: () => nowMs, progress }, run);
    const read = () => progressOf(reader, lastRun(reader)!);
    const at = { noted_at: '2026-03-02T06:00:00.000Z', requests: 7 };

    expect(read()).to.equal(null);
    noted.stage('party details', 20);
    expect(read()).to.deep.equal({ stage: 'party details', done: 0, total: 20, ...at });
    noted.advance(1, 'one');
    expect(read()).to.have.property('done', 0);
    nowMs += 1000;
    noted.advance(2, 'two');
    expect(read()).to.deep.include({ done: 2, noted_at: '2026-03-02T06:00:01.000Z' });
    noted.stage('feed', null);
    expect(read()).to.deep.include({ stage: 'feed', done: 0, total: null });
    expect(told).to.deep.equal([1, 2]);

    reader.close();
    writer.close();
    demo.remove();
  });
});
