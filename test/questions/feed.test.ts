import { expect } from 'chai';
import { ask } from '../../src/index.ts';
import { commandFeed, feed } from '../../src/questions/feed.ts';
import { fieldsAt, itemsAt, readTwoNights, refusalAt, walkAt } from './question-results.ts';

describe('the question for the feed', () => {
  const night = readTwoNights();

  it('lists facts of all its types, the newest first', async () => {
    const dates = (await fieldsAt(night.past, feed, ['date'], { limit: 50 })).flat().map(String);
    expect(dates)
      .to.deep.equal([...dates].sort().reverse())
      .and.have.length(50);
  });

  it('combines types, a topic and a politician by name', async () => {
    const parameters = { types: 'promise,position', topic: 'retraites', politician: 'Océane Bruyèvre' };
    const rows = await fieldsAt(night.past, feed, ['topic', 'politician'], parameters);
    expect(rows.length).to.be.greaterThan(1);
    for (const each of rows) expect(each).to.deep.equal(['retraites', 'oceane-bruyevre']);
  });

  it('takes words and days, and counts what they leave', async () => {
    const parameters = { q: 'retraite', limit: 50, since: '2025', until: '2025' };
    const dates = (await fieldsAt(night.past, feed, ['date'], parameters)).flat().map(String);
    expect(dates.length).to.be.greaterThan(0);
    for (const each of dates) expect(each).to.match(/^2025-/);
    const { total, extra } = await ask(night.past, feed, parameters);
    expect(total).to.equal(dates.length);
    expect(extra).to.include({ since: '2025-01-01', until: '2025-12-31' });
    expect((await ask(night.past, feed, { q: 'zygomatique' })).total).to.equal(0);
  });

  it('takes a party by its short name', async () => {
    const parameters = { party: 'ADR', limit: 50, types: 'content,position' };
    const parties = (await fieldsAt(night.past, feed, ['party'], parameters)).flat();
    const statedParties = parties.filter((party) => party !== null);
    expect([...new Set(statedParties)]).to.deep.equal(['alliance-des-rivages']);
  });

  it('lists what members of a party promised while they sat in it, though no promise states a party', async () => {
    const parameters = { party: 'ADR', types: 'promise', limit: 50 };
    const rows = await fieldsAt(night.past, feed, ['party', 'politician'], parameters);
    expect(rows.length).to.be.greaterThan(0);
    expect(rows.map(([party]) => party ?? null))
      .to.include(null)
      .and.not.include('alliance-des-rivages');
  });

  it('lists every fact once over all pages', async () => {
    const { pages, total } = await walkAt(night.past, feed, { limit: 50 });
    const keys = pages.flat().map(({ type, id }) => `${type}:${id}`);
    expect([total, keys.length, new Set(keys).size]).to.deep.equal([301, 301, 301]);
    const types = pages.flat().map(({ type }) => type);
    expect(new Set(types)).to.deep.equal(new Set(['content', 'position', 'promise']));
  });

  it('lists of the past what has been withdrawn since, under the topic of then', async () => {
    const promises = async (mirror: typeof night.now) =>
      (await fieldsAt(mirror, feed, ['id'], { types: 'promise', limit: 50, politician: 'oceane-bruyevre' })).flat();
    expect(await promises(night.past)).to.include('promise-bruyevre-2025-003');
    expect(await promises(night.now)).not.to.include('promise-bruyevre-2025-003');
    expect(await refusalAt(night.past, feed, { topic: 'fanaux' })).to.include({ exit: 3 });
    expect(await itemsAt(night.now, feed, { topic: 'fanaux' })).to.have.length(1);
  });

  it('refuses a topic that nobody files under, an unknown type and more than 50, and names what is near', async () => {
    expect(await refusalAt(night.past, feed, { topic: 'retraite' })).to.deep.equal({
      exit: 3,
      message: 'no topic is called "retraite" in the mirror',
      hint: 'did you mean: retraites?',
    });
    expect(await refusalAt(night.past, feed, { types: 'quote' })).to.include({
      exit: 3,
      message: '--types must be one of content, promise, position',
    });
    expect(await refusalAt(night.past, feed, { limit: 51 })).to.include({
      message: '--limit must be at most 50',
    });
  });

  it('gives people quotes and speeches too where they name them, and only since a day', async () => {
    const parameters = { types: 'quote,speech', limit: 50 };
    const all = await itemsAt(night.past, commandFeed, parameters);
    expect(new Set(all.map(({ type }) => type))).to.deep.equal(new Set(['quote', 'speech']));
    const day = String(all[5]!.date);
    const recent = await itemsAt(night.past, commandFeed, { ...parameters, since: day });
    expect(recent).to.deep.equal(all.filter(({ date }) => String(date) >= day));
  });

  it('says whom each short name was taken for, and nothing of a slug', async () => {
    const notes = (await ask(night.past, feed, { party: 'ADR,PDV' })).notes!().map(String);
    const unstated = 'records without a party count for the party of their politician on that date';
    expect(notes).to.deep.equal(['ADR: Alliance des Rivages (ADR)', 'PDV: Parti du Verger (PDV)', unstated]);
    const bySlug = await ask(night.past, feed, { party: 'alliance-des-rivages' });
    expect(bySlug.notes!().map(String)).to.deep.equal([unstated]);
  });
});
