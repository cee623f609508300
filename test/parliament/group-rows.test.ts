import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import {
  derivedOfRecord,
  flatTotalsOf,
  groupRowColumns,
  groupRows,
  withFlatTotals,
  withoutFlatTotals,
} from '../../src/parliament/group-rows.ts';

const aube = {
  ...{ party: 'aube', party_name: 'L’Aube', members: 66 },
  ...{ for: 30, against: 8, abstention: 2, non_voting: 3, position: 'pour' },
};
const free = {
  ...{ party: null, party_name: 'Non inscrit', members: 9 },
  ...{ for: 4, against: 4, abstention: 0, non_voting: 1, position: 'contre' },
};
const ballot = {
  ...{ scrutin_id: 'X1', chamber: 'AN', title: "l'ensemble du projet de loi sur les moulins", date: '2031-01-01' },
  result: 'adopté',
  totals: { for: 34, against: 12, abstention: 2, non_voting: 4 },
  votes_by_party: [aube, free],
};
const censure = {
  ...ballot,
  title: 'la motion de censure',
  totals: { for: 34, against: null, abstention: null, non_voting: null },
  votes_by_party: [{ ...aube, for: 20, against: null, abstention: null, non_voting: null }],
};

describe('the rows of the groups of a ballot', () => {
  it('have its fields, the counts of the group, and what is derived from these', () => {
    const [first, second, ...others] = groupRows(ballot);
    const stated = { title: ballot.title, date: '2031-01-01', result: 'adopté', chamber: 'AN', scrutin_id: 'X1' };
    expect(others).to.deep.equal([]);
    expect(first).to.deep.equal({
      ...{ ballot: 'AN:X1', ...stated, required: null },
      ...{ party: 'aube', party_name: 'L’Aube', members: 66 },
      ...{ votes_for: 30, votes_against: 8, votes_abstention: 2, votes_non_voting: 3 },
      ...{ position: 'pour', stated_position: 'pour', no_vote_recorded: 23, dissent: 0.25 },
    });
    expect(second).to.include({ party_name: 'Non inscrit', votes_for: 4, no_vote_recorded: 0 });
    expect(second, 'non-attached members are no group').to.include({
      position: null,
      stated_position: 'contre',
      dissent: null,
    });
  });

  it('have the columns of the table, in its order', () => {
    const [row] = groupRows(ballot);
    expect(Object.keys(row!)).to.include.members(groupRowColumns);
    expect(groupRowColumns).to.deep.equal([
      ...['ballot', 'chamber', 'scrutin_id', 'date', 'title', 'result', 'party', 'party_name', 'members'],
      ...['votes_for', 'votes_against', 'votes_abstention', 'votes_non_voting', 'position'],
      ...['stated_position', 'no_vote_recorded', 'dissent'],
    ]);
  });

  it('have no dissent and no count that is not recorded where only votes for are', () => {
    const [row] = groupRows(censure);
    expect(row).to.include({
      votes_for: 20,
      votes_against: null,
      position: null,
      stated_position: 'pour',
      dissent: null,
    });
    const [shown] = groupRows(censure, true);
    expect(Object.keys(shown!).filter((name) => name.startsWith('votes_'))).to.deep.equal([
      'votes_for',
      'votes_non_voting',
    ]);
    expect(groupRows(ballot, true)).to.deep.equal(groupRows(ballot));
  });

  it('have no dissent without a name', () => {
    const [row] = groupRows({ ...ballot, votes_by_party: [{ ...aube, party: null, party_name: null }] });
    expect(row).to.include({ dissent: null, position: 'pour' });
    const [named] = groupRows({ ...ballot, votes_by_party: [{ ...aube, party: null }] });
    expect(named).to.include({ dissent: 0.25 });
  });

  it('stand beside the record, with what is derived from the ballot', () => {
    const { groups, ...derived } = derivedOfRecord(ballot, 'whole') as { groups: Document[] } & Document;
    expect(derived).to.deep.equal({
      ...{ nature: 'whole', text_kind: 'government bill', one_sided: false },
      ...{ members: 75, no_vote_recorded: 23, turnout: 48 / 75 },
    });
    expect(groups).to.deep.equal([
      { party: 'aube', position: 'pour', stated_position: 'pour', no_vote_recorded: 23, dissent: 0.25 },
      { party: null, position: null, stated_position: 'contre', no_vote_recorded: 0, dissent: null },
    ]);
  });
});

describe('the totals of a ballot as columns', () => {
  const columns = (counts: Document): Document => ({
    ...{ votes_for: null, votes_against: null, votes_abstention: null, votes_non_voting: null },
    ...counts,
  });
  const cases: [string, Document, Document][] = [
    [
      'are those that the source states',
      ballot,
      columns({ votes_for: 34, votes_against: 12, votes_abstention: 2, votes_non_voting: 4 }),
    ],
    ['are null without any', { ...ballot, totals: null }, columns({})],
    ['keep what is no count', { ...ballot, totals: { for: 3, note: 'x' } }, columns({ votes_for: 3 })],
  ];
  for (const [name, document, expected] of cases)
    it(name, () => {
      const row = withFlatTotals(document, null);
      expect(Object.fromEntries(Object.entries(row).filter(([field]) => field in expected))).to.deep.equal(expected);
    });

  it('are read from columns that the source states by these names', () => {
    expect(flatTotalsOf({ totals: { votes_for: 3 } }, { totals: null })).to.include({
      votes_for: 3,
      votes_against: null,
    });
  });

  it('become the record again, with its numbers as text and without what is derived', () => {
    const { totals, ...others } = ballot;
    const document = { ...others, number: '12', legislature: '017', session: '3', totals };
    const row = withFlatTotals(document, 'whole');
    expect(row).to.include({
      ballot: 'AN:X1',
      number: 12,
      legislature: '017',
      session: '3',
      nature: 'whole',
      votes_for: 34,
    });
    // A file has no nested totals.
    const { totals: _totals, ...flat } = row;
    expect(withoutFlatTotals(flat)).to.deep.equal(document);
    expect(withoutFlatTotals({ ...flat, number: null })).to.include({ number: null });
    const none = Object.fromEntries(
      Object.entries(flat).map(([name, value]) => [
        name,
        name.startsWith('votes_') && name !== 'votes_by_party' ? null : value,
      ]),
    );
    expect(withoutFlatTotals(none)).to.include({ totals: null });
  });

  it('are left alone in a record without these columns', () => {
    expect(withoutFlatTotals(ballot)).to.equal(ballot);
  });
});
