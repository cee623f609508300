import { expect } from 'chai';
import { ask } from '../../src/index.ts';
import type { Document } from '../../src/model/document.ts';
import { ballots } from '../../src/questions/ballots.ts';
import { cohesion } from '../../src/questions/cohesion.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';
import { type DemoServer, saveAll, startDemoServer } from '../server/demo-server.ts';
import { fieldsAt, itemsAt, readTwoNights, refusalAt } from './question-results.ts';

describe('the question how united groups are', () => {
  const night = readTwoNights();
  const groups = async (parameters: Record<string, unknown> = {}, mirror = night.past) =>
    (await fieldsAt(mirror, cohesion, ['group'], parameters)).flat();

  it('lists every group by name, or those first that dissent most', async () => {
    const groupNames = await groups();
    expect(groupNames).to.deep.equal([...groupNames].sort());
    expect(new Set(groupNames).size, 'each in both chambers').to.equal(5);
    expect(groupNames).to.have.length(10);
    const indices = (await fieldsAt(night.past, cohesion, ['agreement_index'], { sort: 'dissent' })).flat() as number[];
    expect(indices).to.deep.equal([...indices].sort((one, other) => one - other));
  });

  it('lists the groups that are asked for, in their order and under the names that were typed', async () => {
    expect(await groups({ group: 'PDV,ADR,PDV', chamber: 'AN' })).to.deep.equal(['PDV', 'ADR']);
  });

  it('means the index over the ballots of the choice', async () => {
    const exclusions = ['not_listed', 'no_vote', 'not_published', 'one_sided'];
    const figures = ['chamber', 'n', 'ballots', ...exclusions, 'ballots_with_votes'];
    expect(await fieldsAt(night.past, cohesion, figures, { group: 'ADR', sum: true })).to.deep.equal([
      ['AN', 19, 20, 0, 0, 0, 1, 1],
      ['Senat', 10, 10, 2, 0, 0, 0, 1],
      ['AN+Senat', 29, 30, 2, 0, 0, 1, 1],
    ]);
    const [senate] = await fieldsAt(night.past, cohesion, ['n'], { group: 'ADR', chamber: 'Senat' });
    expect(senate).to.deep.equal([10]);
  });

  it('accounts for every ballot of a chamber, also for those that list no group', async () => {
    const own = createTemporaryMirror();
    const votes = { party: 'phares', party_name: 'Phares', for: 4, against: 1, abstention: 0, position: 'pour' };
    const ballot = (scrutin_id: string, votes_by_party: Document[], more: Document = {}) =>
      ({ scrutin_id, chamber: 'AN', date: '2026-01-01', title: 'Loi', votes_by_party, ...more }) as Document;
    saveAll(
      own.mirror,
      'ballot',
      [
        ballot('V1', [votes]),
        ballot('V2', []),
        ballot('V3', [{ ...votes, party: 'quais' }]),
        ballot('V4', [votes], { title: 'La motion de censure' }),
        ballot('V5', [{ ...votes, for: 0, against: 0 }]),
        ballot('V6', [{ ...votes, for: null }]),
        ballot('V7', [votes], { chamber: 'Senat' }),
      ],
      '2026-11-03T00:00:00.000Z',
    );
    const rows = await itemsAt(own.mirror, cohesion, { group: 'phares', sum: true });
    const [nowhere] = await itemsAt(own.mirror, cohesion, { group: 'phares', since: '2027-01-01' });
    own.remove();
    const accounted = ['n', 'not_listed', 'no_vote', 'not_published', 'one_sided'];
    const counts = rows.map((row) => accounted.map((name) => row[name]));
    expect(counts).to.deep.equal([
      [1, 2, 1, 1, 1],
      [1, 0, 0, 0, 0],
      [2, 2, 1, 1, 1],
    ]);
    expect(nowhere).to.include({ chamber: null, not_listed: 0 });
  });

  it('gives a turnout for the Assemblée alone, since delegates vote for whole groups in the Sénat', async () => {
    const rows = await itemsAt(night.past, cohesion, { group: 'ADR' });
    for (const { chamber, participation, n_participation: n, presence, ballots_with_votes } of rows) {
      expect(presence, 'the former name, for one release').to.equal(ballots_with_votes);
      if (chamber === 'Senat') expect([participation, n]).to.deep.equal([null, 0]);
    }
  });

  it('shows the number of ballots of a turnout beside it, before it where columns are omitted from the right', async () => {
    const { columns } = cohesion;
    expect(columns.indexOf('n_participation')).to.equal(columns.indexOf('participation') - 1);
    expect(cohesion.allColumns!.indexOf('n_participation'), 'in files, where it was').to.equal(
      cohesion.allColumns!.indexOf('participation') + 1,
    );
    const { notes } = await ask(night.past, cohesion, {});
    expect(notes!().map(String).join('\n')).to.include(
      'over n_participation ballots: those of the Assemblée whose source states the members',
    );
  });

  it('counts a group that mostly abstains as united as it is', async () => {
    // 2 for, 1 against, 17 abstaining: (17 - 3 / 2) / 20.
    const parameters = { group: 'ADR', since: '2026-11-01' };
    const [item] = await itemsAt(night.now, cohesion, parameters);
    expect(item).to.include({ n: 1, agreement_index: 0.775, agreement_index_over_3: 0.775, no_vote: 0 });
    const [before] = await itemsAt(night.past, cohesion, parameters);
    expect(before).to.include({ n: 0, agreement_index: null });
  });

  it('refuses one-sided ballots, of which votes against and abstentions are not recorded', async () => {
    const { exit, message } = await refusalAt(night.past, cohesion, { one_sided: true });
    expect(exit).to.equal(2);
    expect(message).to.match(/^a one-sided ballot has no cohesion/);
  });

  it('refuses a group that nobody knows, and a sort that there is not', async () => {
    expect(await refusalAt(night.past, cohesion, { group: 'adrr' })).to.include({
      exit: 3,
      message: 'no party or group is called "adrr" in the mirror',
    });
    expect(await refusalAt(night.past, cohesion, { sort: 'desent' })).to.include({
      exit: 2,
      hint: 'did you mean: dissent?',
    });
  });
});

describe('the question how united those are who sit in no group', () => {
  let server: DemoServer;
  before(async () => {
    server = await startDemoServer();
    const votes = (party: string, party_name: string, votesFor: number, against: number): Document => ({
      ...{ party, party_name, for: votesFor, against, abstention: 0, non_voting: 0 },
      position: votesFor > against ? 'for' : 'against',
    });
    saveAll(server.writer, 'party', [
      { slug: 'aube-17', name: 'L’Aube', short_name: 'AUB' },
      { slug: 'ni-17', name: 'Non inscrit', short_name: 'NI' },
    ]);
    saveAll(server.writer, 'ballot', [
      {
        ...{ scrutin_id: 'G-1', chamber: 'AN', title: 'Sur les écluses', date: '2026-10-01' },
        totals: { for: 31, against: 2, abstention: 0, non_voting: 0 },
        votes_by_party: [votes('aube-17', 'L’Aube', 30, 0), votes('ni-17', 'Non inscrit', 1, 2)],
      },
    ]);
  });
  after(() => server.close());

  it('is answered of a group of which no position is stated, beside another of that name, on its page too', async () => {
    const votes = { for: 5, against: 1, abstention: 0, non_voting: 0 };
    saveAll(server.writer, 'party', [
      { slug: 'lys-16', name: 'Le Lys', short_name: 'LYS' },
      { slug: 'lys-17', name: 'Le Lys', short_name: 'LYS' },
    ]);
    saveAll(server.writer, 'ballot', [
      {
        ...{ scrutin_id: 'G-2', chamber: 'AN', title: 'Sur les moulins', date: '2026-10-02' },
        votes_by_party: ['lys-16', 'lys-17'].map((party) => ({ party, ...votes })),
      },
    ]);
    const [item] = await itemsAt(server.mirror, cohesion, { group: 'lys-16' });
    expect(item).to.include({ n: 1, ballots: 1 });
    const page = await server.get('/parties/lys-17', { headers: { accept: 'text/html' } });
    expect([page.status, await page.text()]).to.satisfy(
      ([status, text]: [number, string]) => status === 200 && text.includes('<h1>Le Lys</h1>'),
    );
  });

  it('has no position and no dissent to filter by, only the word of the source', async () => {
    for (const parameters of [{ voted: 'NI:for' }, { dissent: 'NI:20%' }, { voted: 'AUB:for,NI:for' }])
      expect(await refusalAt(server.mirror, ballots, parameters), JSON.stringify(parameters)).to.include({ exit: 2 });
    expect(await itemsAt(server.mirror, ballots, { voted_stated: 'NI:for' })).not.to.equal(undefined);
    expect(String(await (await server.get('/votes', { headers: { accept: 'text/html' } })).text())).not.to.match(
      /value="[^"]*:for"[^>]*>\s*NI:/,
    );
  });

  it('is refused, beside groups too', async () => {
    for (const group of [['NI'], ['AUB', 'NI']])
      expect(await refusalAt(server.mirror, cohesion, { group })).to.include({ exit: 2 });
    expect(await itemsAt(server.mirror, cohesion, { group: 'AUB' })).to.have.length(1);
    const problem = await (await server.get('/api/v1/cohesion?group=NI')).json();
    expect(problem).to.deep.include({
      status: 422,
      errors: [{ parameter: 'group', message: 'contains non-attached members, as "NI"' }],
    });
  });
});
