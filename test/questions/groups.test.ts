import { expect } from 'chai';
import { ask, itemsOf } from '../../src/index.ts';
import type { Document } from '../../src/model/document.ts';
import { cohesion } from '../../src/questions/cohesion.ts';
import { compare } from '../../src/questions/compare.ts';
import { type DemoServer, saveAll, startDemoServer } from '../server/demo-server.ts';

const votes = (party: string, party_name: string, votesFor: number, against: number): Document => ({
  party,
  party_name,
  ...{ for: votesFor, against, abstention: 0, non_voting: 0 },
  position: votesFor > against ? 'for' : 'against',
});

const ballot: Document = {
  scrutin_id: 'G-1',
  chamber: 'AN',
  title: 'Sur les écluses',
  date: '2026-10-01',
  totals: { for: 30, against: 12, abstention: 0, non_voting: 0 },
  votes_by_party: [
    votes('aube-17', 'L’Aube', 30, 0),
    votes('crue-17', 'La Crue', 0, 10),
    votes('ni-17', 'Non inscrit', 1, 2),
  ],
};

describe('questions about groups', () => {
  let server: DemoServer;
  before(async () => {
    server = await startDemoServer();
    saveAll(server.writer, 'party', [
      { slug: 'aube-17', name: 'L’Aube', short_name: 'AUB' },
      { slug: 'crue-17', name: 'La Crue', short_name: 'CRU' },
      { slug: 'ni-17', name: 'Non inscrit', short_name: 'NI' },
    ]);
    saveAll(server.writer, 'ballot', [ballot]);
  });
  after(() => server.close());
  const refused = async (asking: Promise<unknown>) => {
    const error = await asking.then(
      () => null,
      (thrown: { exit: number; message: string }) => thrown,
    );
    return error && { exit: error.exit, message: error.message };
  };
  const problem = async (path: string) => (await server.get(`/api/v1${path}`)).json();

  it('say that those who sit in no group are none', async () => {
    expect(await refused(ask(server.mirror, cohesion, { group: ['AUB', 'NI'] }))).to.deep.equal({
      exit: 2,
      message: '"NI" are those who sit in no group: they are none, and have no cohesion',
    });
    const held = await itemsOf(await ask(server.mirror, cohesion, { group: ['AUB'] }));
    expect(held[0]).to.include({ group: 'AUB', n: 1, agreement_index: 1 });
    expect(await problem('/cohesion?group=NI')).to.deep.include({
      status: 422,
      errors: [{ parameter: 'group', message: 'names by "NI" those who sit in no group' }],
    });
  });

  it('refuse to compare a group with itself, by one name or two', async () => {
    expect(await refused(ask(server.mirror, compare, { group: ['AUB', 'AUB'] }))).to.deep.equal({
      exit: 2,
      message: '"AUB" is named twice: a group cannot be compared with itself',
    });
    expect(await refused(ask(server.mirror, compare, { group: ['AUB', 'CRU', 'aube-17'] }))).to.deep.equal({
      exit: 2,
      message: '"AUB" and "aube-17" mean the same group: a group cannot be compared with itself',
    });
    const kept = await itemsOf(await ask(server.mirror, compare, { group: ['AUB', 'AUB', 'majority'] }));
    expect(kept.map(({ group, other, n }) => [group, other, n])).to.deep.equal([['AUB', 'majority', 1]]);
  });

  it('name the group that nobody knows', async () => {
    expect(await problem('/compare?group=AUB,Xylophages')).to.deep.include({
      status: 422,
      detail: 'The parameter group names nothing by "Xylophages".',
      errors: [{ parameter: 'group', message: 'names nothing by "Xylophages"' }],
    });
  });
});
