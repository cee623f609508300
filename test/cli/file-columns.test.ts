import { expect } from 'chai';
import { readDemoMirror } from '../helpers/demo-mirror.ts';
import { askProgram } from '../helpers/program.ts';

describe('the columns of a file', () => {
  const demo = readDemoMirror();
  const run = async (...argv: string[]) => (await askProgram(argv, { env: { HEMICYCLE_DB: demo.mirror.path } })).stdout;

  it('keep their places where a table has a new one in the middle: that is the last', async () => {
    const header = async (...argv: string[]) => (await run(...argv, '--format', 'csv')).split(/\r?\n/)[0]!.split(',');
    for (const argv of [['affiliations'], ['affiliations', '--moved']])
      expect((await header(...argv)).at(-1), argv.join(' ')).to.equal('party_link');
    expect((await header('cohesion')).slice(-2)).to.deep.equal(['presence', 'not_listed']);
  });

  it('state 0 against a motion of censure if the source does, which a document for people does not', async () => {
    const motions = ['ballots', '--nature', 'censure', '--columns', 'votes_for,votes_against,votes_abstention'];
    expect(await run(...motions, '--format', 'csv')).to.match(/^\d+,0,0\r?$/m);
    expect(await run(...motions, '--format', 'markdown')).to.match(/^\| \d+ \| {2}\| {2}\|$/m);
    expect(await run(...motions, '--format', 'html')).to.match(/<\/td><td><\/td><td><\/td><\/tr>/);
    expect(await run(...motions)).to.match(/^\d+$/m);
    expect(await run('vote', 'VAL1V7', '--format', 'csv')).to.match(/,16,16,0,0,0,pour,/);
    expect(await run('vote', 'VAL1V7', '--format', 'markdown')).to.match(/\| 16 \| 16 \| {2}\| {2}\| 0 \| pour \|/);
  });
});
