import { expect } from 'chai';
import { ServiceAnswerError } from '../../src/errors.ts';
import type { Json } from '../../src/model/document.ts';
import { kindOf } from '../../src/model/kinds.ts';
import type { ServiceClient } from '../../src/service/client.ts';
import { getPage } from '../../src/service/pages.ts';
import { readList, readOne } from '../../src/service/shapes.ts';

const url = 'https://service.example/api/v1/x';
const profile = (body: Json) => readOne({ url, body }, kindOf('politician'));
const ballot = (body: Json) => readOne({ url, body }, kindOf('ballot'));
const person = { slug: 'zoe', full_name: 'Zoé' };

describe('a single record of the service', () => {
  it('is understood bare or wrapped', () => {
    const wrapped: Json[] = [person, { data: person, meta: {} }, { item: person }, { data: { profile: person } }];
    for (const body of wrapped) expect(profile(body)).to.deep.equal(person);
  });

  it('keeps what stands beside it under a name of its own', () => {
    const parts = { positions: [{ id: 1 }], quotes: [], affiliations: [], sources: [], links: {} };
    const { links, ...otherParts } = parts;
    expect(profile({ politician: person, ...parts })).to.deep.equal({ ...otherParts, ...person });
    const votes = { 'p-x': { pour: 3 } };
    expect(ballot({ scrutin: { titre: 'T' }, votes })).to.deep.equal({ titre: 'T', votes });
  });

  it('keeps a field that is named as a wrapper is', () => {
    const own = { ...person, profile: { bio: 'b' } };
    expect(profile(own)).to.deep.equal(own);
  });

  it('is refused where it states nothing of such a record', () => {
    const strangers: Json[] = [{ error: 'not found' }, {}, { data: {} }, [person], 'x'];
    for (const body of strangers) expect(() => profile(body), JSON.stringify(body)).to.throw(ServiceAnswerError, url);
    expect(() => ballot({ ok: true })).to.throw(ServiceAnswerError, 'no field of a ballot');
  });
});

describe('a next cursor', () => {
  const nextCursor = async (next: string) => {
    const url = 'https://service.example/api/v1/feed';
    const answer = { address: url, url, body: { items: [], next }, link: null, at: '', validator: null };
    const client = { getJsonIfChanged: async () => answer } as unknown as ServiceClient;
    return (await getPage(client, { path: '/feed', query: {}, names: [] })).next;
  };

  it('is taken from an address, and as it is where it is none', async () => {
    expect(await nextCursor('/api/v1/feed?limit=3&cursor=a%2Fb')).to.equal('a/b');
    expect(await nextCursor('?cursor=abc')).to.equal('abc');
    expect(await nextCursor('feed?types=content&cursor=50')).to.equal('50');
    expect(await nextCursor('../v1/feed?cursor=50')).to.equal('50');
    expect(await nextCursor('https://elsewhere.example/feed?cursor=abc')).to.equal('abc');
    expect(await nextCursor('/wEAAAD=')).to.equal('/wEAAAD=');
  });

  it('is the query of an address that calls it otherwise, and asked for as such', async () => {
    expect(await nextCursor('/api/v1/feed?limit=3&offset=50')).to.equal('?limit=3&offset=50');
    expect(await nextCursor('https://elsewhere.example/feed?page=2')).to.equal('?page=2');
    const requests: unknown[] = [];
    const getJsonIfChanged = async (...question: unknown[]) => {
      requests.push(question.slice(0, 2));
      return { address: url, url, body: [], link: null, at: '', validator: null };
    };
    const query = { limit: 50, cursor: '?limit=3&page=2' };
    await getPage({ getJsonIfChanged } as unknown as ServiceClient, { path: '/feed', query, names: [] });
    expect(requests).to.deep.equal([['/feed', { limit: '3', page: '2' }]]);
  });

  it('is refused in a link that is no address', async () => {
    for (const next of ['https://', 'http://[::1?cursor=abc', '//?cursor=abc']) {
      const refused = await nextCursor(next).catch((error) => error);
      expect(refused, next).to.be.instanceOf(ServiceAnswerError).with.property('message').that.includes(next);
    }
  });

  it('is what is named so, and no cursor that an answer repeats', () => {
    const next = (body: Json, link: string | null = null) => readList({ url, body, link }, []).next;
    expect(next({ items: [], cursor: 'here', next_cursor: 'there' })).to.equal('there');
    expect(next({ items: [], cursor: 'here', next_cursor: null })).to.equal(null);
    expect(next({ items: [], pagination: { cursor: 'here', next: null } })).to.equal(null);
    expect(next({ items: [], meta: { cursor: 'here' } }, '<?cursor=there>; rel="next"')).to.equal('?cursor=there');
    expect(next({ items: [], meta: { cursor: 'there' } })).to.equal('there');
  });
});

describe('a count of a list', () => {
  const total = (body: Json) => readList({ url, body, link: null }, []).total;

  it('is none of all where it counts just what came, and more is to come', () => {
    expect(total({ count: 2, results: [{}, {}], next: 'more' })).to.equal(null);
    expect(total({ count: 7, results: [{}, {}], next: 'more' })).to.equal(7);
    expect(total({ count: 2, results: [{}, {}], next: null })).to.equal(2);
  });
});
