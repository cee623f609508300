import { expect } from 'chai';
import { dissentOf } from '../../src/model/agreement.ts';
import { type Counts, isBallot, readBallot, stanceOf } from '../../src/model/ballot.ts';
import type { Document, Json } from '../../src/model/document.ts';

const french = { pour: 3, contre: 2, abstentions: 1, non_votants: 0 };
const counts = { for: 3, against: 2, abstention: 1, non_voting: 0 };
const line = { party: 'p-x', party_name: null, position: null, ...counts };

/** What a service may answer, the lines that it gives by party, its totals, and the fields that stay as they came. */
const dialects: Record<string, { answer: Document; lines: Document[]; totals: unknown; otherFields: Document }> = {
  'an object keyed by party under votes': {
    answer: { votes: { 'p-x': french } },
    lines: [line],
    totals: null,
    otherFields: {},
  },
  'counts as text, nested, in groups': {
    answer: {
      groups: [{ slug: 'p-x', votes: { pour: '3', contre: '2', abstentions: '1', non_votants: '0' } }],
    },
    lines: [{ slug: 'p-x', ...line }],
    totals: null,
    otherFields: {},
  },
  'a position among the nested counts': {
    answer: { groups: [{ party: 'p-x', counts: { ...french, position: 'pour' } }] },
    lines: [{ ...line, position: 'pour' }],
    totals: null,
    otherFields: {},
  },
  'totals under votes, the parties under groups': {
    answer: { votes: french, groups: [{ party: 'p-x', ...french, members: 9 }] },
    lines: [{ ...line, members: 9 }],
    totals: counts,
    otherFields: { votes: french },
  },
  'votes of persons beside votes by party': {
    answer: { votes_by_party: [line], votes: [{ name: 'Zoé', group: 'p-x' }], groups: ['p-x'], parties: 1 },
    lines: [line],
    totals: null,
    otherFields: { votes: [{ name: 'Zoé', group: 'p-x' }], groups: ['p-x'], parties: 1 },
  },
  'votes that are no counts': {
    answer: { votes: { 'p-x': [3, 2] } },
    lines: [],
    totals: null,
    otherFields: { votes: { 'p-x': [3, 2] } },
  },
  'a party with fields of its own': {
    answer: {
      parties: [{ party: 'p-x', group: 'g', votes: 6, nom: 'X', name: 'PX', ...french, pour: ['Zoé'] }],
    },
    lines: [{ ...line, party_name: 'PX', for: null, group: 'g', votes: 6, nom: 'X', name: 'PX', pour: ['Zoé'] }],
    totals: null,
    otherFields: {},
  },
  'two titles': {
    answer: { title: 'T', objet: 'l’objet', ballot: 'paper' },
    lines: [],
    totals: null,
    otherFields: { objet: 'l’objet', ballot: 'paper' },
  },
};

describe('a ballot', () => {
  for (const [name, { answer, lines, totals, otherFields }] of Object.entries(dialects))
    it(`is understood with ${name}, and what was not read stays`, () => {
      const ballot = readBallot({ title: 'T', ...answer }, { scrutinId: '1', chamber: 'AN' });
      expect(ballot.votes_by_party).to.deep.equal(lines);
      expect(ballot.totals).to.deep.equal(totals);
      const own = ['scrutin_id', 'chamber', 'title', 'date', 'result', 'required', 'totals', 'votes_by_party'];
      const otherEntries = Object.entries(ballot).filter(([field]) => !own.includes(field));
      expect(Object.fromEntries(otherEntries)).to.deep.equal(otherFields);
      expect(JSON.stringify(readBallot(ballot))).to.equal(JSON.stringify(ballot));
    });

  it('is told from an object that states nothing of one', () => {
    const strangers: Document[] = [{ ok: true }, { error: 'not found' }, {}];
    expect(strangers.filter(isBallot)).to.deep.equal([]);
    const ballots: Document[] = [{ titre: 'T' }, { ballot: { id: 1 } }, { groups: [] }];
    expect(ballots.filter(isBallot)).to.deep.equal(ballots);
  });
});

/** Every spelling of a count, with the count and the position that it denotes. */
const spellings: [spelling: string, count: keyof Counts | null, stance: string | null][] = [
  ['for', 'for', 'for'],
  ['pour', 'for', 'for'],
  ['against', 'against', 'against'],
  ['contre', 'against', 'against'],
  ['abstention', 'abstention', 'abstention'],
  ['abstentions', 'abstention', 'abstention'],
  ['non_voting', 'non_voting', null],
  ['non_votants', 'non_voting', null],
  ['nonVotants', 'non_voting', null],
  ['nonVoting', 'non_voting', null],
  ['non-votants', null, null],
  ['absents', null, null],
  ['nsp', null, null],
];

describe('a count of a ballot', () => {
  const noCounts = { for: null, against: null, abstention: null, non_voting: null };
  for (const [spelling, count, stance] of spellings)
    it(`that is called ${spelling} is ${count ?? 'none'}, and as a position ${stance ?? 'none'}`, () => {
      for (const value of [7, '7']) {
        const { totals, votes_by_party: groups } = readBallot({
          totals: { [spelling]: value },
          groups: [{ party: 'p-x', [spelling]: value }],
        });
        expect(totals).to.deep.equal(count === null ? null : { ...noCounts, [count]: 7 });
        expect(groups[0]).to.include(count === null ? noCounts : { ...noCounts, [count]: 7 });
      }
      expect(stanceOf(spelling)).to.equal(stance);
      expect(stanceOf(` ${spelling.toUpperCase()} `)).to.equal(stance);
    });

  it('is a whole number or its digits, and otherwise not stated', () => {
    const read = (value: Json) => readBallot({ totals: { for: 1, non_votants: value } }).totals!.non_voting;
    for (const value of [0, 577]) expect([read(value), read(` ${value} `)]).to.deep.equal([value, value]);
    expect(read('999999999')).to.equal(999_999_999);
    for (const value of [null, '', '-1', '1.5', 1.5, '1000000000', 'seven', true, [7], { n: 7 }])
      expect(read(value), JSON.stringify(value)).to.equal(null);
  });
});

describe('the dissent of a group', () => {
  const groups: [name: string, counts: [number | null, number | null, number | null], share: number | null][] = [
    ['agrees', [9, 0, 0], 0],
    ['is for, but for a few against and abstaining', [7, 2, 1], 0.3],
    ['is against, but for a few for and abstaining', [2, 7, 1], 0.3],
    ['abstains, but for a few for and against', [2, 1, 7], 0.3],
    ['abstains as one', [0, 0, 9], 0],
    ['abstains by one voter more than are for', [4, 0, 5], 4 / 9],
    ['is divided in three equal parts', [3, 3, 3], 2 / 3],
    ['has one voter', [0, 0, 1], 0],
    ['has nobody who voted', [0, 0, 0], null],
    ['publishes no abstentions', [7, 2, null], null],
    ['publishes nobody for', [null, 2, 1], null],
    ['publishes nobody against', [7, null, 1], null],
  ];
  for (const [name, [votesFor, against, abstention], share] of groups)
    it(`that ${name} is ${share === null ? 'unknown' : share.toFixed(2)}`, () => {
      const dissent = dissentOf({ for: votesFor, against, abstention, non_voting: 40 });
      if (share === null) expect(dissent).to.equal(null);
      else expect(dissent).to.be.closeTo(share, 1e-12);
    });
});
