import { expect } from 'chai';
import { ClockError, ServiceAnswerError, StaleError } from '../../src/errors.ts';
import { ageMs } from '../../src/model/moment.ts';
import { listChanges } from '../../src/store/history/changes.ts';
import { openPast } from '../../src/store/history/past.ts';
import { lastFilledAt } from '../../src/store/records/contents.ts';
import { newestTime } from '../../src/store/syncs/runs.ts';
import { createClockGuard, createRunClock, refuseWrongClock } from '../../src/sync/clock.ts';
import { dialects } from '../helpers/dialects.ts';
import { type FakeService, startFakeService } from '../helpers/fake-service.ts';
import { askProgram } from '../helpers/program.ts';
import { createTemporaryMirror, hashesOf, syncOnce, wholeScope } from '../helpers/sync-run.ts';

const scope = { ...wholeScope, details: 'none' as const };
const day = 86_400_000;
const year = 365 * 86_400_000;

describe('the clock that a sync keeps moments by', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let service: FakeService;
  beforeEach(async () => {
    own = createTemporaryMirror();
    service = await startFakeService(dialects[0]!);
  });
  afterEach(async () => {
    own.remove();
    await service.close();
  });
  const sync = (now: () => number, more = {}) =>
    syncOnce(own, service.baseUrl, { scope, now, isSteady: true, ...more });
  const changesSince = () => [...listChanges(own.mirror, { since: '2000-01-01T00:00:00.000Z' })];

  it('goes on by a millisecond at least where the one of this machine stands still or is set back', async () => {
    const at = Date.now();
    await sync(() => at);
    for (const text of ['Un', 'Deux', 'Trois']) {
      service.records.quotes![0]!.text = text;
      expect((await sync(() => at - 3_600_000)).error).to.equal(null);
    }
    const edits = changesSince().filter(({ change }) => change === 'edited');
    expect(new Set(edits.map(({ seen_at }) => seen_at)).size).to.equal(3);
    expect(edits.map(({ fields }) => fields[0]!.new)).to.deep.equal(['Trois', 'Deux', 'Un']);
    let now = at;
    const clock = createRunClock(own.mirror, { isAccepted: false, now: () => now });
    const first = clock.now();
    now -= day;
    expect(clock.now()).to.be.at.least(first);
  });

  it('is compared with what the service says in its answers; then nothing is kept, not even the run', async () => {
    await sync(Date.now);
    const newest = newestTime(own.mirror);
    const hashes = hashesOf(own.mirror, 'quote');
    service.records.quotes![0]!.text = 'Autrement dit';
    const ahead = () => Date.now() + 10 * year;
    const { error, report } = await sync(ahead, { onDate: (ms: number) => refuseWrongClock(ms, ahead()) });
    expect(error).to.be.instanceOf(ClockError);
    expect([report.exit, (error as ClockError).message]).to.satisfy(
      ([exit, message]: [number, string]) =>
        exit === 10 && /clock of this machine says 2\d{3}.*service says 2\d{3}/.test(message),
    );
    expect([newestTime(own.mirror), hashesOf(own.mirror, 'quote')]).to.deep.equal([newest, hashes]);
    const clockGuard = { onDate: (ms: number) => refuseWrongClock(ms, Date.now()) };
    expect((await sync(Date.now, clockGuard)).report.exit).to.equal(0);
  });

  it('is not doubted for one stale answer, but for two before any right one', async () => {
    const now = Date.parse('2026-11-10T00:00:00Z');
    const right = now - 1000;
    const stale = now - 3 * 86_400_000;
    const address = 'http://valombre.example/feed';
    const guard = createClockGuard(() => now);
    expect(() => guard(stale, address)).to.throw(ServiceAnswerError, address);
    for (const each of [right, stale, stale]) guard(each, address);
    const other = createClockGuard(() => now);
    expect(() => other(stale, address)).to.throw(ServiceAnswerError);
    expect(() => other(stale, address)).to.throw(ClockError);
  });

  it('believes an answer that a cache kept for days, and says for how long', () => {
    const now = Date.parse('2026-11-10T00:00:00Z');
    refuseWrongClock(now - day + 1, now);
    expect(() => refuseWrongClock(now - 2 * day, now)).to.throw(ClockError, /2026-11-08/);
  });

  describe('of a mirror that was filled when it was ten years ahead', () => {
    let certain: string;
    beforeEach(async () => {
      await sync(() => Date.now() - 2 * day);
      certain = newestTime(own.mirror)!;
      for (const [n, text] of ['Un', 'Deux'].entries()) {
        service.records.quotes![0]!.text = text;
        await sync(() => Date.now() + 10 * year + n * day);
      }
    });

    it('is refused until somebody says that the clock of this machine is right', () => {
      expect(() => createRunClock(own.mirror, { isAccepted: false })).to.throw(ClockError, /one of them is wrong/);
      expect(ageMs(lastFilledAt(own.mirror)!, Date.now())).to.equal(null);
    });

    it('answers of the past what it can know of it, and refuses the rest', () => {
      const { path } = own.mirror;
      openPast(path, certain).close();
      expect(() => openPast(path, new Date(Date.now() - day).toISOString())).to.throw(StaleError, /in the future/);
    });

    it('says so to a person, and goes on from its newest moment with --accept-clock', async () => {
      const run = (...argv: string[]) => askProgram(argv, { env: { HEMICYCLE_DB: own.mirror.path, HOME: own.folder } });
      const from = ['sync', '--from', service.baseUrl, '--details', 'none'];
      const status = await run('status');
      expect(status.stdout + status.stderr).to.match(/updated at .* in the future/);
      expect((await run('status', '--max-age', '1d')).exit).to.equal(8);
      const refused = await run(...from);
      expect([refused.exit, /--accept-clock/.test(refused.stderr)]).to.deep.equal([10, true]);
      const accepted = await run(...from, '--accept-clock');
      expect([accepted.exit, /counted from the mirror’s latest/.test(accepted.stderr)]).to.deep.equal([0, true]);
    });
  });
});
