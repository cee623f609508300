import { expect } from 'chai';
import { ask } from '../../src/index.ts';
import { vote } from '../../src/questions/vote.ts';
import { readTwoNights, refusalAt } from './question-results.ts';

describe('the question for a ballot', () => {
  const night = readTwoNights();
  const voteItem = async (parameters: Record<string, unknown>, mirror = night.now) =>
    (await ask(mirror, vote, parameters)).item;

  it('reads one of the lower house where no chamber is named, in full', async () => {
    const ballot = await voteItem({ scrutin_id: 'VAL1V4' });
    expect(ballot).to.include({ chamber: 'AN', date: '2025-11-04', result: 'adopté', required: 37 });
    expect(ballot.totals).to.include({ for: 58, against: 14, abstention: 22, non_voting: 1 });
    expect(ballot.votes_by_party).to.be.an('array').that.is.not.empty;
  });

  it('takes a chamber as people write it', async () => {
    for (const chamber of ['Senat', 'sénat', 'SENAT'])
      expect(await voteItem({ scrutin_id: '2026-6', chamber }), chamber).to.include({ date: '2026-04-23' });
    expect(await refusalAt(night.now, vote, { scrutin_id: 'x', chamber: 'lords' })).to.include({
      exit: 2,
      message: '--chamber must be one of AN, Senat',
    });
  });

  it('refuses an id of the other chamber, and names near ids', async () => {
    const other = await refusalAt(night.now, vote, { scrutin_id: 'VAL1V4', chamber: 'Senat' });
    expect(other.message).to.equal('no ballot VAL1V4 of the chamber Senat is in the mirror');
    expect(other.hint).to.match(/^did you mean: AN:VAL1V4 \(2025-11-04 /);
    const near = await refusalAt(night.now, vote, { scrutin_id: 'VAL1V444' });
    expect([near.exit, near.hint]).to.deep.equal([
      3,
      'did you mean: AN:VAL1V10 (2026-01-13), AN:VAL1V11 (2026-02-03), AN:VAL1V12 (2026-02-03)?',
    ]);
  });

  it('takes a number, an id in any case, and an id with its chamber', async () => {
    for (const scrutin_id of ['4', 'val1v4', 'AN:VAL1V4', 'an:4'])
      expect(await voteItem({ scrutin_id }), scrutin_id).to.include({ scrutin_id: 'VAL1V4', chamber: 'AN' });
    expect(await voteItem({ scrutin_id: 'Sénat:2026-6' })).to.include({
      scrutin_id: '2026-6',
      chamber: 'Senat',
    });
    expect(await refusalAt(night.now, vote, { scrutin_id: '4444' })).to.include({ exit: 3 });
  });

  it('knows no ballot of the past that was seen later', async () => {
    expect(await voteItem({ scrutin_id: 'VAL1V99' })).to.include({ title: 'Sur les fanaux' });
    expect(await refusalAt(night.past, vote, { scrutin_id: 'VAL1V99' })).to.include({ exit: 3 });
  });
});
