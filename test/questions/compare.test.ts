import { expect } from 'chai';
import { ask } from '../../src/index.ts';
import { compare } from '../../src/questions/compare.ts';
import { startDemoServer } from '../server/demo-server.ts';
import { fieldsAt, itemsAt, readTwoNights, refusalAt } from './asked.ts';

describe('the question how groups compare', () => {
  const night = readTwoNights();
  const figures = (parameters: Record<string, unknown>, mirror = night.past) =>
    fieldsAt(mirror, compare, ['group', 'other', 'n', 'same', 'not_listed', 'no_position'], parameters);

  it('counts the ballots in which both took the same position, and what is left out', async () => {
    const [comparison] = await itemsAt(night.past, compare, { group: ['ADR', 'PDV'] });
    expect(comparison).to.deep.include({
      n: 27,
      same: 20,
      not_listed: 2,
      no_position: 3,
      agreement: 20 / 27,
    });
    const positions = comparison!.positions as Record<string, Record<string, number>>;
    const counted = Object.values(positions).flatMap((each) => Object.values(each));
    expect(counted.reduce((sum, each) => sum + each, 0)).to.equal(27);
    expect(positions.for!.for! + positions.against!.against! + positions.abstention!.abstention!).to.equal(20);
  });

  it('compares every pair of several, and each of them with the majority', async () => {
    const pairs = (await figures({ group: 'ADR,PDV,majority' })).map(([group, other]) => `${group} ${other}`);
    expect(pairs).to.deep.equal(['ADR PDV', 'ADR majority', 'PDV majority']);
    const three = await figures({ group: ['ADR', 'PDV', 'UDC'] });
    expect(three.map(([group, other]) => `${group} ${other}`)).to.deep.equal(['ADR PDV', 'ADR UDC', 'PDV UDC']);
  });

  it('counts only the ballots that are chosen, and of the past only those seen by then', async () => {
    expect(await figures({ group: 'ADR,majority', since: '2025-11-01' })).to.deep.equal([
      ['ADR', 'majority', 24, 22, 2, 3],
    ]);
    const since = { group: 'ADR,PDV', since: '2026-11-01' };
    expect(await figures(since)).to.deep.equal([['ADR', 'PDV', 0, 0, 0, 0]]);
    expect(await figures(since, night.now)).to.deep.equal([['ADR', 'PDV', 1, 0, 0, 0]]);
    expect((await itemsAt(night.past, compare, since))[0]!.agreement).to.equal(null);
  });

  it('lays its positions out in columns, one for each pair of them', async () => {
    const [comparison] = await itemsAt(night.past, compare, { group: ['ADR', 'PDV'] });
    expect(compare.flat!(comparison!)).to.include({
      for_for: 17,
      for_against: 5,
      against_for: 2,
      abstention_for: 0,
    });
    expect(compare.allColumns).to.include.members(['for_for', 'against_abstention']);
  });

  it('refuses to compare a group with itself, by one name or two', async () => {
    const refused = async (...group: string[]) => (await refusalAt(night.past, compare, { group })).message;
    expect(await refused('ADR', 'ADR')).to.equal('"ADR" is given twice: a group cannot be compared with itself');
    expect(await refused('ADR', 'PDV', 'alliance-des-rivages')).to.equal(
      '"ADR" and "alliance-des-rivages" mean the same group: a group cannot be compared with itself',
    );
    expect(await figures({ group: ['ADR', 'ADR', 'majority'] })).to.have.length(1);
  });

  it('refuses fewer than two names, more than twenty, and a group that nobody knows', async () => {
    const refused = async (parameters: Record<string, unknown>) =>
      (await refusalAt(night.past, compare, parameters)).message;
    expect(await refused({})).to.equal('--group is required');
    expect(await refused({ group: 'ADR' })).to.equal('--group must contain at least two groups, or one and `majority`');
    expect(await refused({ group: Array.from({ length: 21 }, (_, nth) => `g${nth}`) })).to.equal(
      '--group must be at most 20 values',
    );
    expect(await refused({ group: ['ADR', 'Xylophages'] })).to.equal('no party is called "Xylophages" in the mirror');
  });

  it('says over HTTP which of several names is wrong', async () => {
    const server = await startDemoServer();
    try {
      const problem = await (await server.get('/api/v1/compare?group=ADR,Xylophages')).json();
      expect(problem).to.deep.include({
        status: 422,
        detail: 'The parameter group matches no record for "Xylophages".',
        errors: [{ parameter: 'group', message: 'matches no record for "Xylophages"' }],
      });
    } finally {
      await server.close();
    }
  });

  it('tells how the figures are made', async () => {
    const notes = (await ask(night.past, compare, { group: ['ADR', 'PDV'] })).notes!().map(String);
    expect(notes.join()).to.match(/agreement = same \/ n/);
  });
});
