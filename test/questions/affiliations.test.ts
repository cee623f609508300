import { expect } from 'chai';
import { affiliations } from '../../src/questions/affiliations.ts';
import { fieldsAt, itemsAt, readTwoNights, refusalAt, walkAt } from './asked.ts';

describe('the question for affiliations', () => {
  const night = readTwoNights();
  const told = (given: Record<string, unknown>, mirror = night.past) =>
    fieldsAt(mirror, affiliations, ['date', 'event', 'party'], given);

  it('lists the days on which a politician joined or left, the newest first', async () => {
    const party = 'alliance-des-rivages';
    expect(await told({ politician: 'Océane Bruyèvre' })).to.deep.equal([
      ['2026-01-12', 'began', party],
      ['2026-01-11', 'ended', party],
      ['2025-06-24', 'began', party],
      ['2014-03-01', 'began', party],
    ]);
  });

  it('takes what began or what ended, and counts both days of a span in', async () => {
    const given = { politician: 'oceane-bruyevre' };
    expect((await told({ ...given, event: 'ended' })).map(([date]) => date)).to.deep.equal(['2026-01-11']);
    const span = { since: '2025-06-24', until: '2026-01-11' };
    expect((await told({ ...given, ...span })).map(([date]) => date)).to.deep.equal([
      '2026-01-11',
      '2025-06-24',
    ]);
    const within = { since: '2025-06-25', until: '2026-01-10' };
    expect(await told({ ...given, ...within })).to.deep.equal([]);
  });

  it('takes a party by its short name, or several', async () => {
    const joined = await itemsAt(night.past, affiliations, { party: 'PDV', event: 'began', limit: 100 });
    expect(joined).to.have.length(11);
    expect(new Set(joined.map(({ party }) => party))).to.deep.equal(new Set(['parti-du-verger']));
    const both = await itemsAt(night.past, affiliations, { party: 'PDV,C2R', event: 'began', limit: 100 });
    expect(both.length).to.be.greaterThan(11);
  });

  it('lists every day once over all pages', async () => {
    const { pages, total } = await walkAt(night.past, affiliations, { limit: 30 });
    expect([total, ...pages.map((page) => page.length)]).to.deep.equal([71, 30, 30, 11]);
    const dates = pages.flat().map(({ date }) => String(date));
    expect(dates).to.deep.equal([...dates].sort().reverse());
  });

  it('knows of the past no day that was stated later', async () => {
    const given = { politician: 'oceane-bruyevre', since: '2026-11-01' };
    expect(await told(given)).to.deep.equal([]);
    expect(await told(given, night.now)).to.deep.equal([
      ['2026-11-03', 'began', 'parti-du-verger'],
      ['2026-11-02', 'ended', 'alliance-des-rivages'],
      ['2026-11-02', 'ended', 'alliance-des-rivages'],
    ]);
  });

  it('refuses an event that there is not', async () => {
    expect(await refusalAt(night.now, affiliations, { event: 'start' })).to.include({
      exit: 2,
      message: '--event must be one of began, ended',
    });
  });
});
