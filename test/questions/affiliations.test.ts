import { expect } from 'chai';
import { ask, itemsOf } from '../../src/index.ts';
import type { Document } from '../../src/model/document.ts';
import { affiliations } from '../../src/questions/affiliations.ts';
import { declared, joined, phares, pharesPeople, seat } from '../helpers/phares.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';
import { saveAll } from '../server/demo-server.ts';
import { fieldsAt, itemsAt, readTwoNights, refusalAt, walkAt } from './question-results.ts';

describe('the question for affiliations', () => {
  const night = readTwoNights();
  const eventRows = (parameters: Record<string, unknown>, mirror = night.past) =>
    fieldsAt(mirror, affiliations, ['date', 'event', 'party'], parameters);

  it('lists the days on which a politician joined or left, the newest first', async () => {
    const party = 'alliance-des-rivages';
    expect(await eventRows({ politician: 'Océane Bruyèvre' })).to.deep.equal([
      ['2026-01-12', 'began', party],
      ['2026-01-11', 'ended', party],
      ['2025-06-24', 'began', party],
      ['2014-03-01', 'began', party],
    ]);
  });

  it('takes what began or what ended, and counts both days of a span in', async () => {
    const parameters = { politician: 'oceane-bruyevre' };
    expect((await eventRows({ ...parameters, event: 'ended' })).map(([date]) => date)).to.deep.equal(['2026-01-11']);
    const period = { since: '2025-06-24', until: '2026-01-11' };
    expect((await eventRows({ ...parameters, ...period })).map(([date]) => date)).to.deep.equal([
      '2026-01-11',
      '2025-06-24',
    ]);
    const within = { since: '2025-06-25', until: '2026-01-10' };
    expect(await eventRows({ ...parameters, ...within })).to.deep.equal([]);
  });

  it('takes a party by its short name, or several', async () => {
    const joined = await itemsAt(night.past, affiliations, { party: 'PDV', event: 'began', limit: 100 });
    expect(joined).to.have.length(11);
    expect(new Set(joined.map(({ party }) => party))).to.deep.equal(new Set(['parti-du-verger']));
    const both = await itemsAt(night.past, affiliations, { party: 'PDV,C2R', event: 'began', limit: 100 });
    expect(both.length).to.be.greaterThan(11);
  });

  it('names financial attachments beside the role that the source states, and leaves no row out for them', async () => {
    const own = createTemporaryMirror();
    saveAll(own.mirror, 'party', phares, '2026-11-03T00:00:00.000Z');
    const moved: Document = { slug: 'ivo-ecluse', affiliations: [seat, joined, { ...declared, party: 'quais' }] };
    saveAll(own.mirror, 'party', [{ slug: 'quais', name: 'Les Quais' }], '2026-11-03T00:00:00.000Z');
    saveAll(own.mirror, 'politician', [...pharesPeople, moved], '2026-11-03T00:00:00.000Z');
    const columns = ['politician', 'role', 'party_link'];
    const derived = 'financial attachment (derived)';
    const rows = await fieldsAt(own.mirror, affiliations, columns, { party: 'parti-des-phares' });
    const moves = await fieldsAt(own.mirror, affiliations, columns, { moved: true });
    own.remove();
    expect(rows).to.deep.equal([
      ['bea-digue', 'Membre', derived],
      ['ella-bac', 'Membre', derived],
      ['ada-jetee', 'Membre', null],
      ['fay-cale', 'Membre', null],
      ['ivo-ecluse', 'Membre', null],
    ]);
    expect(moves).to.deep.equal([['ivo-ecluse', null, derived]]);
    for (const values of [{ moved: true }, { moved: false }])
      expect(affiliations.columnsFor!(values as never)).to.include('party_link');
  });

  it('lists every day once over all pages', async () => {
    const { pages, total } = await walkAt(night.past, affiliations, { limit: 30 });
    expect([total, ...pages.map((page) => page.length)]).to.deep.equal([71, 30, 30, 11]);
    const dates = pages.flat().map(({ date }) => String(date));
    expect(dates).to.deep.equal([...dates].sort().reverse());
  });

  it('knows of the past no day that was stated later', async () => {
    const parameters = { politician: 'oceane-bruyevre', since: '2026-11-01' };
    expect(await eventRows(parameters)).to.deep.equal([]);
    expect(await eventRows(parameters, night.now)).to.deep.equal([
      ['2026-11-03', 'began', 'parti-du-verger'],
      ['2026-11-02', 'ended', 'alliance-des-rivages'],
      ['2026-11-02', 'ended', 'alliance-des-rivages'],
    ]);
  });

  it('says who moved, from which party or group, and counts what is no move', async () => {
    const own = createTemporaryMirror();
    const group = (slug: string, short_name: string, start_date: string) => ({
      ...{ slug, short_name, start_date, name: slug, kind: 'groupe-an', chamber: 'AN' },
    });
    saveAll(own.mirror, 'party', [
      group('ni-an1', 'NI', '2020-01-01'),
      group('ni-an2', 'NI', '2025-01-01'),
      group('aubes-an1', 'AUB', '2020-01-08'),
      group('matins-an2', 'MAT', '2025-01-08'),
      group('brumes-an1', 'BRU', '2020-01-08'),
      group('brumes-an2', 'BRU', '2025-01-08'),
    ]);
    const first = { party: 'ni-an1', start: '2020-01-01', end: '2020-01-07' };
    const newly = { party: 'ni-an2', start: '2025-01-01', end: '2025-01-07' };
    const sat = (slug: string, former: string, latter: string): Document => ({
      ...{ slug, full_name: slug },
      affiliations: [
        first,
        { party: former, start: '2020-01-08', end: '2024-12-31' },
        newly,
        { party: latter, start: '2025-01-08', end: null },
        { party: latter, role: 'Présidente', start: '2025-03-01', end: '2025-06-30' },
      ],
    });
    saveAll(own.mirror, 'politician', [
      ...['una', 'duo', 'tria'].map((slug) => sat(slug, 'aubes-an1', 'matins-an2')),
      sat('quatre', 'aubes-an1', 'brumes-an2'),
      sat('cinq', 'brumes-an1', 'brumes-an2'),
    ]);
    const { extra, items, notes } = await ask(own.mirror, affiliations, { moved: true, since: '2025' });
    expect(notes!().map(String)).to.include('successors by this rule of Hemicycle: aubes-an1 → matins-an2 (3)');
    const moves = await itemsOf({ items });
    expect(
      moves.map(({ date, politician, from, party, from_end }) => [date, politician, from, from_end, party]),
    ).to.deep.equal([['2025-01-08', 'quatre', 'aubes-an1', '2024-12-31', 'brumes-an2']]);
    expect(extra!.left_out).to.deep.equal({ 'before-group': 5, first: 0, renewed: 1, renamed: 3 });
    expect(await itemsAt(own.mirror, affiliations, { moved: true, party: 'aubes-an1' })).to.have.length(1);
    expect(await itemsAt(own.mirror, affiliations, { moved: true, politician: 'una' })).to.have.length(0);
    own.remove();
  });

  it('refuses an event that there is not', async () => {
    expect(await refusalAt(night.now, affiliations, { event: 'start' })).to.include({
      exit: 2,
      message: '--event must be one of began, ended',
    });
  });
});
