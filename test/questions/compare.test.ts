import { expect } from 'chai';
import { ask } from '../../src/index.ts';
import { compare } from '../../src/questions/compare.ts';
import { startDemoServer } from '../server/demo-server.ts';
import { fieldsAt, itemsAt, readTwoNights, refusalAt } from './question-results.ts';

describe('the question how groups compare', () => {
  const night = readTwoNights();
  const figures = (parameters: Record<string, unknown>, mirror = night.past) =>
    fieldsAt(mirror, compare, ['group', 'other', 'n', 'same', 'not_listed', 'no_position'], parameters);

  it('counts the ballots in which both took the same position, and what is left out', async () => {
    const [assembly, senate, sum] = await itemsAt(night.past, compare, { group: ['ADR', 'PDV'], sum: true });
    expect(assembly).to.deep.include({ chamber: 'AN', n: 17, not_listed: 0, no_position: 2, one_sided: 1 });
    expect(sum).to.deep.include({
      chamber: 'AN+Senat',
      n: 27,
      same: 20,
      not_listed: 2,
      no_position: 2,
      one_sided: 1,
      agreement: 20 / 27,
      few: false,
    });
    for (const figure of ['n', 'same', 'not_listed', 'no_position', 'one_sided'])
      expect(Number(assembly![figure]) + Number(senate![figure]), figure).to.equal(sum![figure]);
    const positions = sum!.positions as Record<string, Record<string, number>>;
    const counted = Object.values(positions).flatMap((each) => Object.values(each));
    expect(counted.reduce((total, each) => total + each, 0)).to.equal(27);
    expect(positions.for!.for! + positions.against!.against! + positions.abstention!.abstention!).to.equal(20);
  });

  it('gives a row per chamber, and their sum only on request', async () => {
    const rows = async (parameters: Record<string, unknown>) =>
      (await fieldsAt(night.past, compare, ['chamber'], { group: ['ADR', 'PDV'], ...parameters })).flat();
    expect(await rows({})).to.deep.equal(['AN', 'Senat']);
    expect(await rows({ sum: true })).to.deep.equal(['AN', 'Senat', 'AN+Senat']);
    expect(await rows({ chamber: 'AN', sum: true }), 'a sum of one chamber says nothing').to.deep.equal(['AN']);
  });

  it('leaves out a motion of censure, of which only votes for are recorded, and compares it only on request', async () => {
    const censure = { group: ['ADR', 'PDV'], nature: 'censure' };
    const [left] = await itemsAt(night.past, compare, censure);
    expect(left).to.deep.include({ n: 0, one_sided: 1, agreement: null });
    const [compared] = await itemsAt(night.past, compare, { ...censure, one_sided: true });
    expect(compared).to.deep.include({ n: 1, one_sided: 1, few: true });
  });

  it('compares every pair of several, and each of them with the majority', async () => {
    const pairs = (await figures({ group: 'ADR,PDV,majority', chamber: 'AN' })).map(
      ([group, other]) => `${group} ${other}`,
    );
    expect(pairs).to.deep.equal(['ADR PDV', 'ADR majority', 'PDV majority']);
    const three = await figures({ group: ['ADR', 'PDV', 'UDC'], chamber: 'AN' });
    expect(three.map(([group, other]) => `${group} ${other}`)).to.deep.equal(['ADR PDV', 'ADR UDC', 'PDV UDC']);
  });

  it('counts only the ballots that are chosen, and of the past only those seen by then', async () => {
    expect(await figures({ group: 'ADR,majority', since: '2025-11-01' })).to.deep.equal([
      ['ADR', 'majority', 14, 13, 0, 2],
      ['ADR', 'majority', 10, 9, 2, 0],
    ]);
    const since = { group: 'ADR,PDV', since: '2026-11-01' };
    expect(await figures(since)).to.deep.equal([['ADR', 'PDV', 0, 0, 0, 0]]);
    expect(await figures(since, night.now)).to.deep.equal([['ADR', 'PDV', 1, 0, 0, 0]]);
    expect((await itemsAt(night.past, compare, since))[0]!.agreement).to.equal(null);
  });

  it('lays its positions out in columns, one for each pair of them', async () => {
    const [comparison] = await itemsAt(night.past, compare, { group: ['ADR', 'PDV'], chamber: 'AN' });
    expect(compare.toRow!(comparison!)).to.include({
      for_for: 10,
      for_against: 4,
      against_for: 1,
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
    expect(await figures({ group: ['ADR', 'ADR', 'majority'], chamber: 'AN' })).to.have.length(1);
  });

  it('refuses fewer than two names, more than twenty, and a group that nobody knows', async () => {
    const refused = async (parameters: Record<string, unknown>) =>
      (await refusalAt(night.past, compare, parameters)).message;
    expect(await refused({})).to.equal('--group is required');
    expect(await refused({ group: 'ADR' })).to.equal('--group must contain at least two groups, or one and `majority`');
    expect(await refused({ group: Array.from({ length: 21 }, (_, nth) => `g${nth}`) })).to.equal(
      '--group must be at most 20 values',
    );
    expect(await refused({ group: ['ADR', 'Xylophages'] })).to.equal(
      'no party or group is called "Xylophages" in the mirror',
    );
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
