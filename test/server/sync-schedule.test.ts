import { expect } from 'chai';
import { type ChildRun, scheduleRuns } from '../../src/server/run/sync-schedule.ts';

const hour = 3_600_000;
const noon = Date.parse('2026-03-01T12:00:00Z');

/** A schedule whose waits and syncs end when the test says so. */
function watched(filledAt: string | null, everyMs = 6 * hour) {
  const waits: { ms: number; end: () => void }[] = [];
  const syncs: { end: (exit: number) => void; stopped: boolean }[] = [];
  const exits: number[] = [];
  const schedule = scheduleRuns({
    everyMs,
    lastEndedAt: () => filledAt,
    now: () => noon,
    onEnd: (exit) => exits.push(exit),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        waits.push({ ms, end: () => resolve(null) });
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
    startRun(): ChildRun {
      const sync = { end: (_exit: number) => {}, stopped: false };
      syncs.push(sync);
      const ended = new Promise<number>((resolve) => {
        sync.end = resolve;
      });
      return {
        exitCode: ended,
        stop() {
          sync.stopped = true;
          sync.end(143);
        },
      };
    },
  });
  return { waits, syncs, exits, schedule };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the schedule of syncs', () => {
  it('begins at once where the mirror is older than the interval, or was never filled', () => {
    expect(watched('2026-02-01T00:00:00Z').waits[0]!.ms).to.equal(0);
    expect(watched(null).waits[0]!.ms).to.equal(0);
  });

  it('waits until the mirror is as old as the interval, never longer than that', () => {
    expect(watched('2026-03-01T10:00:00Z').waits[0]!.ms).to.equal(4 * hour);
    expect(watched('2027-01-01T00:00:00Z').waits[0]!.ms).to.equal(6 * hour);
  });

  it('runs one sync at a time, and the next one an interval after its end, however that was', async () => {
    const { waits, syncs, exits, schedule } = watched('2026-03-01T10:00:00Z');
    waits[0]!.end();
    await settled();
    expect([syncs.length, waits.length]).to.deep.equal([1, 1]);
    syncs[0]!.end(6);
    await settled();
    expect(exits).to.deep.equal([6]);
    expect(waits[1]!.ms).to.equal(6 * hour);
    await schedule.stop();
    expect(syncs).to.have.length(1);
  });

  it('looks again where there was nothing to do', async () => {
    let looks = 0;
    const exits: number[] = [];
    const schedule = scheduleRuns({
      everyMs: hour,
      lastEndedAt: () => null,
      now: () => noon,
      onEnd: (exit) => exits.push(exit),
      sleep: () => new Promise((resolve) => setImmediate(resolve)),
      startRun() {
        looks += 1;
        return null;
      },
    });
    for (let tick = 0; tick < 10; tick += 1) await settled();
    await schedule.stop();
    expect(looks).to.be.greaterThan(2);
    expect(exits).to.deep.equal([]);
  });

  it('asks the running sync to end when it is stopped, and waits for it', async () => {
    const { waits, syncs, exits, schedule } = watched(null);
    waits[0]!.end();
    await settled();
    await schedule.stop();
    expect(syncs[0]!.stopped).to.equal(true);
    expect(exits).to.deep.equal([143]);
  });
});
