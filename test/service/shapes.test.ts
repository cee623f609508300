import { expect } from 'chai';
import { ServiceAnswerError } from '../../src/errors.ts';
import type { Json } from '../../src/model/document.ts';
import { kindOf } from '../../src/model/kinds.ts';
import type { Client } from '../../src/service/client.ts';
import { getPage } from '../../src/service/pages.ts';
import { readOne } from '../../src/service/shapes.ts';

const url = 'https://service.example/api/v1/x';
const profile = (body: Json) => readOne({ url, body }, kindOf('politician'), ['politician', 'profile']);
const ballot = (body: Json) => readOne({ url, body }, kindOf('ballot'), ['ballot', 'vote', 'scrutin']);
const person = { slug: 'zoe', full_name: 'Zoé' };

describe('a single record of the service', () => {
  it('is understood bare or wrapped', () => {
    const wrapped: Json[] = [
      person,
      { data: person, meta: {} },
      { item: person },
      { data: { profile: person } },
    ];
    for (const body of wrapped) expect(profile(body)).to.deep.equal(person);
  });

  it('keeps what stands beside it under a name of its own', () => {
    const parts = { positions: [{ id: 1 }], quotes: [], affiliations: [], sources: [], links: {} };
    const { links, ...kept } = parts;
    expect(profile({ politician: person, ...parts })).to.deep.equal({ ...kept, ...person });
    const votes = { 'p-x': { pour: 3 } };
    expect(ballot({ scrutin: { titre: 'T' }, votes })).to.deep.equal({ titre: 'T', votes });
  });

  it('keeps a field that is named as a wrapper is', () => {
    const own = { ...person, profile: { bio: 'b' } };
    expect(profile(own)).to.deep.equal(own);
  });

  it('is refused where it states nothing of such a record', () => {
    const strangers: Json[] = [{ error: 'not found' }, {}, { data: {} }, [person], 'x'];
    for (const body of strangers)
      expect(() => profile(body), JSON.stringify(body)).to.throw(ServiceAnswerError, url);
    expect(() => ballot({ ok: true })).to.throw(ServiceAnswerError, 'states nothing of a ballot');
  });
});

describe('a next cursor', () => {
  const given = async (next: string) => {
    const url = 'https://service.example/api/v1/feed';
    const answer = { address: url, url, body: { items: [], next }, link: null, at: '', validator: null };
    const client = { getJson: async () => answer } as unknown as Client;
    return (await getPage(client, { path: '/feed', query: {}, names: [] })).next;
  };

  it('is taken from an address, and as it is where it is none', async () => {
    expect(await given('/api/v1/feed?limit=3&cursor=a%2Fb')).to.equal('a/b');
    expect(await given('?cursor=abc')).to.equal('abc');
    expect(await given('https://elsewhere.example/feed?cursor=abc')).to.equal('abc');
    expect(await given('/wEAAAD=')).to.equal('/wEAAAD=');
  });
});
