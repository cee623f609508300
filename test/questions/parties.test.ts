import { expect } from 'chai';
import { ask, itemsOf } from '../../src/index.ts';
import { parties, party } from '../../src/questions/parties.ts';
import { fieldsAt, readTwoNights, refusalAt } from './question-results.ts';

describe('the question for parties', () => {
  const night = readTwoNights();

  it('lists all of them by name, ligatures read as letters, on one page', async () => {
    const { total, nextCursor } = await ask(night.past, parties);
    expect([total, nextCursor ?? null]).to.deep.equal([8, null]);
    const names = (await fieldsAt(night.past, parties, ['name'])).flat().map(String);
    expect(names.indexOf('Œuvre commune')).to.equal(names.indexOf('Mouvement de la Lanterne') + 1);
  });

  it('lists the first of them where fewer are asked for, and how many there are', async () => {
    const all = (await fieldsAt(night.past, parties, ['name'])).flat();
    const listing = await ask(night.past, parties, { limit: 3 });
    expect([(await itemsOf(listing)).map(({ name }) => name), listing.total]).to.deep.equal([all.slice(0, 3), 8]);
  });

  it('counts the members of each, and lists of the past those of then', async () => {
    const counts = Object.fromEntries(await fieldsAt(night.past, parties, ['short_name', 'member_count']));
    expect(counts).to.include({ ADR: 11, LDA: 7, MDL: 4, C2R: 2 });
    expect(counts).not.to.have.property('PN');
    expect((await fieldsAt(night.now, parties, ['short_name'])).flat())
      .to.include('PN')
      .and.have.length(9);
  });
});

describe('the question for a party', () => {
  const night = readTwoNights();
  const partyItem = async (mirror: typeof night.now, slug: string) => (await ask(mirror, party, { slug })).item;

  it('takes a slug, a short name in any case, and a name', async () => {
    for (const written of ['alliance-des-rivages', 'ADR', 'adr', 'alliance des rivages'])
      expect((await partyItem(night.now, written)).slug, written).to.equal('alliance-des-rivages');
  });

  it('names its members, of the past those of then', async () => {
    const members = async (mirror: typeof night.now) =>
      ((await partyItem(mirror, 'ADR')).members as { slug: string }[]).map(({ slug }) => slug);
    expect(await members(night.past))
      .to.include('oceane-bruyevre')
      .and.have.length(11);
    expect(await members(night.now)).not.to.include('oceane-bruyevre');
  });

  it('refuses what is no party, and of the past one that came later', async () => {
    expect(await refusalAt(night.now, party, { slug: 'nobody' })).to.deep.include({
      exit: 3,
      message: 'no party or group is called "nobody" in the mirror',
    });
    expect((await partyItem(night.now, 'PN')).name).to.equal('Parti neuf');
    expect(await refusalAt(night.past, party, { slug: 'PN' })).to.include({ exit: 3 });
  });
});
