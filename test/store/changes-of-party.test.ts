import { expect } from 'chai';
import { listChanges } from '../../src/store/history/changes.ts';
import { openMirror } from '../../src/store/open.ts';
import { openDesk, promise, type WatchDesk } from '../watches/watch-desk.ts';

const day = 86_400_000;
const start = '2026-03-01T06:00:00.000Z';

describe('changes of a party', () => {
  let desk: WatchDesk;
  beforeEach(() => {
    desk = openDesk();
    desk.fill('party', [
      { slug: 'rivages', name: 'Rivages', short_name: 'RIV' },
      { slug: 'collines', name: 'Collines' },
      { slug: 'rivages-an', name: 'Groupe Rivages', short_name: 'RIV' },
    ]);
    desk.fill('politician', [
      { slug: 'ada', full_name: 'Ada Une', party: 'rivages', group: 'rivages-an' },
      { slug: 'bea', full_name: 'Béa Deux', party: 'collines' },
      { slug: 'cyr', full_name: 'Cyr Trois', party: null },
    ]);
    desk.fill('promise', [
      promise('p-ada', 'De l’eau', { politician: 'ada' }),
      promise('p-bea', 'Du vent', { politician: 'bea' }),
      promise('p-cyr', 'Du feu', { politician: 'cyr' }),
      promise('p-own', 'De la terre', { politician: 'bea', party: 'rivages' }),
    ]);
  });
  afterEach(() => desk.remove());

  const next = () => {
    desk.clock.nowMs += day;
    return new Date(desk.clock.nowMs - 1).toISOString();
  };
  const of = (party: string, since = start, until: string | null = null) =>
    [...listChanges(desk.mirror, { party, since, until })]
      .map(({ change, kind, key }) => `${change} ${kind} ${key}`)
      .sort();
  const fillPoliticians = (adas: object) =>
    desk.fill('politician', [
      { slug: 'ada', full_name: 'Ada Une', ...adas },
      { slug: 'bea', full_name: 'Béa Deux', party: 'collines' },
      { slug: 'cyr', full_name: 'Cyr Trois', party: null },
    ]);

  it('are none where none is named', () => {
    for (const party of ['', ' ', ',']) expect(of(party), JSON.stringify(party)).to.deep.equal([]);
  });

  it('are those of its record, of records that state it, and of what is about those who do', () => {
    next();
    desk.fill('party', [
      { slug: 'rivages', name: 'Les Rivages', short_name: 'RIV' },
      { slug: 'collines', name: 'Collines' },
      { slug: 'rivages-an', name: 'Groupe Rivages', short_name: 'RIV' },
    ]);
    desk.fill('promise', [promise('p-cyr', 'Du gaz', { politician: 'cyr' })]);
    expect(of('rivages')).to.deep.equal(['edited party rivages', 'withdrawn promise p-ada', 'withdrawn promise p-own']);
    expect(of('rivages-an')).to.deep.equal(['withdrawn promise p-ada']);
    // What states a party itself is not filed under that of its politician.
    expect(of('collines')).to.deep.equal(['withdrawn promise p-bea']);
    expect(of('rivages-an,collines')).to.deep.equal(['withdrawn promise p-ada', 'withdrawn promise p-bea']);
    expect(of('nowhere')).to.deep.equal([]);
  });

  it('are those of who left it until then, and of who joined it from then on', () => {
    next();
    fillPoliticians({ party: 'collines' });
    const moved = new Date(desk.clock.nowMs).toISOString();
    next();
    desk.fill('promise', [promise('p-bea', 'Du vent', { politician: 'bea' })]);
    expect(of('rivages')).to.deep.equal(['edited politician ada', 'withdrawn promise p-own']);
    expect(of('rivages-an')).to.deep.equal(['edited politician ada']);
    expect(of('collines')).to.deep.equal(['edited politician ada', 'withdrawn promise p-ada']);
    expect(of('rivages', moved)).to.deep.equal(['withdrawn promise p-own']);
    expect(of('rivages', start, moved)).to.deep.equal(['edited politician ada']);
  });

  it('are those of a member who is withdrawn, and of one who returns', () => {
    next();
    desk.fill('politician', [{ slug: 'bea', full_name: 'Béa Deux', party: 'collines' }]);
    expect(of('rivages')).to.deep.equal(['withdrawn politician ada']);
    next();
    fillPoliticians({ party: 'rivages', group: 'rivages-an' });
    expect(of('rivages')).to.deep.equal(['returned politician ada', 'withdrawn politician ada']);
  });

  it('are watched: by a short name of all that bear it, each once', async () => {
    await desk.add('retraits', 'changes parties RIV', { changeTypes: ['withdrawn'] });
    next();
    desk.fill('promise', [promise('p-cyr', 'Du gaz', { politician: 'cyr' })]);
    expect(await desk.run()).to.include({ changes: 2, told: 1 });
    expect(desk.delivered.flatMap(({ data }) => data.changes.map(({ key }) => key))).to.have.members([
      'p-ada',
      'p-own',
    ]);
    expect(desk.delivered[0]!.data.show).to.equal('hemicycle changes --party RIV --since 2026-03-02');
    next();
    expect(await desk.run()).to.include({ changes: 0 });
  });

  it('of a name that nobody has are no watch, and those of who was withdrawn are told', async () => {
    const refused = await desk.add('personne', 'changes --politician nobody-at-all').catch((error) => error);
    expect(refused).to.have.property('code', 'NOT_FOUND');
    await desk.add('ada', 'changes politicians Ada Une');
    next();
    desk.fill('politician', [{ slug: 'cyr', full_name: 'Cyr Trois', party: null }]);
    await desk.run();
    expect(desk.watch('ada').words).to.deep.equal(['changes', '--politician', 'ada']);
    expect(
      desk.delivered.flatMap(({ data }) => data.changes.map(({ change, key }) => `${change} ${key}`)),
    ).to.deep.equal(['withdrawn ada']);
  });

  it('are read of a mirror that is only read, too', () => {
    next();
    desk.fill('promise', []);
    const mirror = openMirror(desk.db);
    expect([...listChanges(mirror, { party: 'rivages', since: start })]).to.have.length(2);
    mirror.close();
  });
});
