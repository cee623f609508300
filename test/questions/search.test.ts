import { expect } from 'chai';
import { ask, type ListQuestion } from '../../src/index.ts';
import { parseUserInput } from '../../src/questions/parameter.ts';
import { commandKinds, countOtherKinds, search, searchSemantic } from '../../src/questions/search.ts';
import { fieldsAt, itemsAt, readTwoNights, refusalAt, walkAt } from './question-results.ts';

describe('the question of a search', () => {
  const night = readTwoNights();
  const extraOf = async (question: ListQuestion, parameters: Record<string, unknown>) =>
    (await ask(night.past, question, parameters)).extra!;

  it('searches the kinds of the service, and those that are named', async () => {
    const types = async (parameters: Record<string, unknown>) =>
      new Set((await fieldsAt(night.past, search, ['type'], { q: 'gardiens', limit: 100, ...parameters })).flat());
    expect(await types({})).to.deep.equal(new Set(['politician', 'content', 'speech']));
    expect(await types({ type: 'Promises' })).to.deep.equal(new Set(['promise']));
    expect(await types({ types: ['ballot', 'promise'] })).to.deep.equal(new Set(['ballot', 'promise']));
  });

  it('says how it was answered, how many of each kind, and what was done where no record has all words', async () => {
    expect(await extraOf(search, { q: 'gardiens' })).to.deep.include({
      ...{ mode: 'fulltext', method: 'words', fallback: false, relaxed: null, corrected: [] },
      counts: { speech: 15, content: 15, party: 0, politician: 1 },
    });
    const listing = await ask(night.past, search, { q: 'gardiens xylophage' });
    expect([[...(listing.items as Iterable<unknown>)], listing.total, listing.near?.relaxed]).to.deep.equal([
      [],
      0,
      'any-word',
    ]);
    const { items, total } = await ask(night.past, search, { q: 'xylophage' });
    expect([[...(items as Iterable<unknown>)], total]).to.deep.equal([[], 0]);
  });

  it('keeps to a topic, and holds a word back that is not wanted', async () => {
    expect(await itemsAt(night.past, search, { q: 'gardiens', topic: 'retraites', type: 'promise' })).to.have.length(1);
    const all = await itemsAt(night.past, search, { q: 'gardiens', limit: 100 });
    const without = await itemsAt(night.past, search, { q: 'gardiens -amendement', limit: 100 });
    expect(without.length).to.be.lessThan(all.length);
    expect(await refusalAt(night.past, search, { q: 'gardiens', topic: 'retraite' })).to.include({
      hint: 'did you mean: retraites?',
    });
  });

  it('finds every hit once over all pages', async () => {
    const { pages, total } = await walkAt(night.past, search, { q: 'gardiens', limit: 10 });
    const keys = pages.flat().map(({ type, id, slug }) => `${type}:${id ?? slug}`);
    expect([total, keys.length, new Set(keys).size]).to.deep.equal([31, 31, 31]);
  });

  it('refuses nothing but white space, an unknown kind, a bad character and too many hits', async () => {
    const refused = async (parameters: Record<string, unknown>) =>
      (await refusalAt(night.past, search, parameters)).message;
    expect(await refused({})).to.equal('-q is required');
    for (const q of ['', ' \t ', '\u00a0']) expect(await refused({ q })).to.equal('-q must not be empty');
    expect(await refused({ q: 'a\0b' })).to.equal('-q must not contain the character U+0000');
    expect(await refused({ q: 'x'.repeat(2001) })).to.equal('-q must be at most 2000 characters long');
    expect(await refused({ q: 'x', limit: 101 })).to.equal('--limit must be at most 100');
    expect(await refused({ q: 'x', all_copies: 'maybe' })).to.equal('--all-copies must be one of true, false');
    expect((await refusalAt(night.past, search, { q: 'x', type: 'promse' })).hint).to.equal('did you mean: promise?');
  });

  it('counts what lies in the kinds that were not searched', () => {
    const count = (values: Record<string, unknown>) =>
      countOtherKinds(
        night.past,
        parseUserInput(search.parameters, values) as Parameters<typeof countOtherKinds>[1],
        null,
      );
    expect(count({ q: 'gardiens' })).to.include({ promise: 1 });
    expect(Object.keys(count({ q: 'gardiens' })).filter((kind) => commandKinds.includes(kind))).to.deep.equal([]);
    expect(Object.values(count({ q: 'xylophage gardiens' }))).to.deep.equal([0, 0, 0]);
    expect(Object.values(count({ q: 'gardiens', since: '2999-01-01' }))).to.deep.equal([0, 0, 0]);
  });

  it('finds of the past what has been withdrawn since', async () => {
    const foundIds = async (mirror: typeof night.now) =>
      (await fieldsAt(mirror, search, ['id'], { q: 'navette fluviale', type: 'promise' })).flat();
    expect(await foundIds(night.past)).to.include('promise-bruyevre-2025-003');
    expect(await foundIds(night.now)).not.to.include('promise-bruyevre-2025-003');
  });
});

describe('the question of a search by meaning', () => {
  const night = readTwoNights();

  it('is answered by full text, and says so, where meaning is not searched', async () => {
    const { extra, total, near } = await ask(night.past, searchSemantic, {
      q: 'Qui veut des trains de nuit ?',
      k: 3,
    });
    expect(extra).to.include({ mode: 'fulltext', method: 'words', fallback: true });
    expect([total, near!.items.length]).to.deep.equal([0, 3]);
    expect(await refusalAt(night.past, searchSemantic, { q: 'x', k: 51 })).to.include({
      message: '-k must be at most 50',
    });
  });

  it('takes as flags what the words may say too, and refuses a name of nobody', async () => {
    const ids = async (parameters: Record<string, unknown>) =>
      (await fieldsAt(night.past, search, ['id'], { type: 'promise', limit: 50, ...parameters })).flat();
    const searchParameters = { q: 'phare', politician: 'Océane Bruyèvre', since: '2025-01-01' };
    expect(await ids(searchParameters)).to.deep.equal(
      await ids({ q: 'phare politician:oceane-bruyevre since:2025-01-01' }),
    );
    expect(await ids(searchParameters)).not.to.be.empty;
    expect(await refusalAt(night.past, search, { q: 'phare', politician: 'nobody' })).to.include({ exit: 3 });
  });

  it('says what is compared by meaning: the words, and the filters beside them', () => {
    const semanticQuery = searchSemantic.semanticQuery!({
      ...{
        q: 'trains',
        topic: 'transports',
        k: 3,
        cursor: undefined,
        all_copies: false,
        explain: false,
        literal: false,
      },
      ...{ type: undefined, types: ['promise'] },
      ...{
        place: undefined,
        group: undefined,
        politician: undefined,
        party: undefined,
        since: undefined,
        until: undefined,
        subject: [],
      },
      ...{ chamber: undefined, department: undefined },
    });
    expect(semanticQuery).to.deep.equal({
      query: 'trains',
      filter: { topic: 'transports', types: ['promise'] },
    });
  });
});
