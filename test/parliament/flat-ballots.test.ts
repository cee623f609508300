import { expect } from 'chai';
import { withFlatTotals, withoutFlatTotals } from '../../src/parliament/group-rows.ts';

const ballot = {
  ...{ scrutin_id: 'X1', chamber: 'AN', title: 'la motion de censure', date: '2031-01-01' },
  totals: { for: 3, against: null, abstention: null, non_voting: null },
};

describe('the flat row of a ballot', () => {
  it('ends with what is derived, which an import leaves out', () => {
    const row = withFlatTotals(ballot, 'censure');
    expect(Object.keys(row).slice(-6)[0]).to.equal('nature');
    expect(withoutFlatTotals(row)).to.deep.equal(ballot);
  });

  it('keeps fields of the source that are named like derived ones', () => {
    const own = { ...ballot, nature: 'scrutin public solennel', members: 577 };
    const { url: _, ...row } = { ...withFlatTotals(own, 'censure'), url: null };
    expect(row).to.include({ nature: 'scrutin public solennel', members: 577 });
    expect(withoutFlatTotals(row)).to.include({ nature: 'scrutin public solennel', members: 577 });
  });
});
