import { expect } from 'chai';
import { NetworkError, NotFoundError, RepeatedPageError } from '../../src/errors.ts';
import { itemsOf, type Listing, mirrorAnswers, wholeList } from '../../src/index.ts';
import { type Answerer, createAutoAnswerer } from '../../src/questions/answering.ts';
import { changes } from '../../src/questions/changes.ts';
import { feed } from '../../src/questions/feed.ts';
import { readValues } from '../../src/questions/parameter.ts';
import { parties } from '../../src/questions/parties.ts';
import { politician, politicians } from '../../src/questions/politicians.ts';
import { verbatim } from '../../src/words/speech.ts';
import { readTwoNights } from './question-results.ts';

const reading = { searchesByMeaning: false, asOf: null };
const valuesOf = (parameters: Record<string, string> = {}) => readValues(politicians.parameters, parameters).values;
const origin = { from: 'service', as_of: '2026-11-01T06:00:00.000Z' } as const;

/** An answerer whose lists are these pages, by cursor. */
function pagesOf(
  pages: Record<string, { items: string[]; next: string | null }>,
): Answerer & { requestedCursors: unknown[] } {
  const requestedCursors: unknown[] = [];
  return {
    requestedCursors,
    async list(_, values): Promise<Listing> {
      const { cursor = '' } = values as { cursor?: string };
      requestedCursors.push(cursor);
      const { items, next } = pages[cursor]!;
      return { items: items.map((slug) => ({ slug })), total: null, nextCursor: next, origin };
    },
    record: () => Promise.reject(new Error('asked for a record')),
  };
}

describe('whoever answers', () => {
  const night = readTwoNights();

  it('states where the answer comes from, and of when', async () => {
    const { origin: now } = await mirrorAnswers(night.now, reading).list(politicians, valuesOf());
    expect(now.from).to.equal('mirror');
    const asOf = '2026-11-02T00:00:00.000Z';
    const past = await mirrorAnswers(night.past, { ...reading, asOf }).list(politicians, valuesOf());
    expect(past.origin).to.deep.equal({ from: 'mirror', as_of: asOf });
  });

  it('gives the whole of a list, each page when it is read', async () => {
    const answerer = pagesOf({
      '': { items: ['a', 'b'], next: '2' },
      '2': { items: [], next: '3' },
      '3': { items: ['c'], next: null },
    });
    const listing = await wholeList(answerer, politicians, valuesOf());
    expect([answerer.requestedCursors, listing.nextCursor]).to.deep.equal([[''], null]);
    expect((await itemsOf(listing)).map(({ slug }) => slug)).to.deep.equal(['a', 'b', 'c']);
    expect(answerer.requestedCursors).to.deep.equal(['', '2', '3']);
  });

  it('ends a list that leads in a circle, or gives one page twice', async () => {
    const circle = pagesOf({ '': { items: ['a'], next: '2' }, '2': { items: ['b'], next: '2' } });
    const twice = pagesOf({ '': { items: ['a'], next: '2' }, '2': { items: ['a'], next: '3' } });
    for (const answerer of [circle, twice]) {
      const failure = await wholeList(answerer, politicians, valuesOf())
        .then(itemsOf)
        .catch((error) => error);
      expect(failure).to.be.instanceOf(RepeatedPageError);
    }
  });

  it('counts changes behind a page where that is asked for', async () => {
    const mirror = mirrorAnswers(night.now, reading);
    const count = async (parameters: object) => {
      const { values } = readValues(changes.parameters, { since: '2026-11-02', limit: '2', ...parameters });
      const { total, countAll } = await mirror.list(changes, values);
      return [total, countAll!()?.total];
    };
    expect(await count({})).to.deep.equal([null, 7]);
    expect(await count({ kind: 'promise', limit: '1' })).to.deep.equal([null, 2]);
  });
});

describe('the mirror first, then the service', () => {
  const night = readTwoNights();
  const unknown = { slug: 'somebody-else' };
  const withService = (record: Answerer['record'], reasons: string[] = []) =>
    createAutoAnswerer(mirrorAnswers(night.now, reading), async (why) => {
      reasons.push(`${why}`);
      return { list: () => Promise.reject(new Error('asked for a list')), record };
    });

  it('asks the service only for a slug that the mirror never held, and says why', async () => {
    const reasons: string[] = [];
    const answerer = withService(async () => ({ item: unknown, origin }), reasons);
    expect((await answerer.record(politician, { slug: 'oceane-bruyevre' })).origin.from).to.equal('mirror');
    expect(reasons).to.deep.equal([]);
    expect(await answerer.record(politician, unknown)).to.deep.equal({ item: unknown, origin });
    expect(reasons).to.deep.equal(['somebody-else is not in the mirror']);
  });

  it('never asks the service for a list, nor for a name of several words', async () => {
    const reasons: string[] = [];
    const answerer = withService(async () => ({ item: unknown, origin }), reasons);
    await answerer.list(parties, readValues(parties.parameters, {}).values);
    await answerer.list(feed, readValues(feed.parameters, {}).values);
    const failure = await answerer.record(politician, { slug: 'Personne Inconnue' }).catch((error) => error);
    expect(failure).to.be.instanceOf(NotFoundError);
    expect(reasons).to.deep.equal([]);
  });

  it('tells what the mirror said where the service has no such record, and both where it is not reached', async () => {
    const absent = withService(() => Promise.reject(new NotFoundError(verbatim('not found at the service'))));
    const failure = await absent.record(politician, unknown).catch((error) => error);
    expect(failure.message).to.equal('no politician is called "somebody-else" in the mirror');
    const unreachable = withService(() => Promise.reject(new NetworkError('https://x.example', verbatim('refused'))));
    const cut = await unreachable.record(politician, unknown).catch((error) => error);
    expect(cut).to.be.instanceOf(NetworkError);
    expect(cut.exit).to.equal(6);
  });
});
