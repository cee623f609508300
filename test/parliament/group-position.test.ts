import { expect } from 'chai';
import { type Ballot, readBallot } from '../../src/model/ballot.ts';
import type { Document, Json } from '../../src/model/document.ts';
import { countWithoutRecordedVote, electorateOf, turnoutOf } from '../../src/parliament/electorate.ts';
import {
  ballotRemarks,
  groupPosition,
  isFew,
  isOneSided,
  minoritySupport,
  oneSidedPosition,
  supportOfPosition,
} from '../../src/parliament/group-position.ts';

const group = (votes: Document): Document => ({
  ...{ party: 'aube', party_name: 'L’Aube', members: 66, for: 0, against: 0, abstention: 0, non_voting: 0 },
  position: null,
  ...votes,
});

const ballot = (groups: Document[], more: Document = {}): Ballot =>
  readBallot({ scrutin_id: '1', chamber: 'AN', title: "l'ensemble du projet", votes_by_party: groups, ...more });

const censure = { title: 'Motion de censure', totals: { for: 1, against: 0, abstention: 0, non_voting: 0 } };

describe('a ballot is one-sided', () => {
  const nulls = { for: 5, against: null, abstention: null };
  const cases: [string, Ballot, boolean][] = [
    ['as a motion of censure', ballot([group({ for: 66 })], censure), true],
    ['where against and abstention are null everywhere', ballot([group(nulls)], { totals: nulls }), true],
    ['not where a total states votes against', ballot([group(nulls)], { totals: { ...nulls, against: 0 } }), false],
    [
      'not for a unanimous vote',
      ballot([group({ for: 66 })], { totals: { for: 66, against: 0, abstention: 0 } }),
      false,
    ],
    ['not without any count', ballot([], { totals: null }), false],
  ];
  for (const [name, each, expected] of cases)
    it(name, () => {
      expect(isOneSided(each)).to.equal(expected);
    });
});

describe('the position of a group', () => {
  const cases: [votes: Document, oneSided: boolean, expected: string | null, inOneSided: string | null][] = [
    [{ for: 1, position: 'pour' }, false, 'for', 'not for'],
    [{ for: 1, position: 'pour' }, true, null, 'not for'],
    [{ for: 33, position: 'pour' }, true, null, 'not for'],
    [{ for: 34, position: 'pour' }, true, 'for', 'for'],
    [{ for: 34, position: null }, true, 'for', 'for'],
    [{ for: 66, members: null, position: 'pour' }, true, null, null],
    [{ for: 0, position: null }, true, null, 'not for'],
    [{ against: 3, position: 'contre' }, false, 'against', 'not for'],
    [{ party_name: 'Non inscrit', for: 9, members: 9, position: 'pour' }, false, null, null],
  ];
  for (const [votes, oneSided, expected, inOneSided] of cases)
    it(`of ${JSON.stringify(votes)} is ${expected}${oneSided ? ' where only votes for are recorded' : ''}`, () => {
      const [only] = ballot([group(votes)]).votes_by_party;
      expect(groupPosition(only!, oneSided)).to.equal(expected);
      expect(oneSidedPosition(only!)).to.equal(inOneSided);
    });

  it('has its support, and a mark where at most half of the members stand behind it', () => {
    const marked = (votes: Document, more: Document) => {
      const each = ballot([group(votes)], more);
      return [supportOfPosition(each.votes_by_party[0]!), minoritySupport(each.votes_by_party[0]!, each) !== null];
    };
    const few = { for: 6, position: 'pour' };
    expect(marked(few, {})).to.deep.equal([{ votes: 6, members: 66 }, true]);
    expect(marked(few, censure)).to.deep.equal([{ votes: 6, members: 66 }, true]);
    expect(marked(few, { title: "l'amendement n° 3" })[1], 'few vote on an ordinary ballot').to.equal(false);
    expect(marked(few, { chamber: 'Senat' })[1], 'delegates vote for others').to.equal(false);
    expect(marked({ for: 60, position: 'pour' }, {})[1]).to.equal(false);
    expect(marked({ ...few, members: null }, {})).to.deep.equal([null, false]);
  });

  it('is said to be unknown of the groups whose members are not stated, by name where others state theirs', () => {
    const remarks = (...groups: Document[]) => `${ballotRemarks(ballot(groups.map(group), censure))[0]}`;
    const unknown = { party_name: 'La Crue', members: null };
    expect(remarks(unknown, {})).to.match(/^Whether most of these groups.* have no position .*: La Crue\.$/);
    const others = { party: 'ni', party_name: 'Non inscrit' };
    expect(remarks(unknown, others)).to.match(/^The source states the members of no group/);
    expect(remarks({}, { ...others, members: null })).to.match(/^For a motion of censure/);
  });

  it('is marked as resting on few ballots below ten', () => {
    expect([0, 1, 9, 10].map(isFew)).to.deep.equal([false, true, true, false]);
  });
});

describe('members without a recorded vote', () => {
  const votes = (more: Document) => ballot([group({ for: 40, against: 3, abstention: 2, non_voting: 1, ...more })]);
  const cases: [Document, number | null][] = [
    [{}, 20],
    [{ members: 46 }, 0],
    [{ members: 45 }, null],
    [{ members: null }, null],
    [{ abstention: null }, null],
    [{ against: 'Y' as Json }, null],
  ];
  for (const [more, expected] of cases)
    it(`are ${expected} for ${JSON.stringify(more)}`, () => {
      expect(countWithoutRecordedVote(votes(more).votes_by_party[0]!)).to.equal(expected);
      expect(electorateOf(votes(more)).no_vote_recorded).to.equal(expected);
    });

  it('and turnout are known of a chamber only if every group states them, turnout only of the Assemblée', () => {
    expect(turnoutOf(votes({}))).to.equal(45 / 66);
    expect(turnoutOf(votes({ members: null }))).to.equal(null);
    expect(turnoutOf({ ...votes({}), chamber: 'Senat' })).to.equal(null);
    expect(electorateOf(ballot([]))).to.deep.equal({ members: null, no_vote_recorded: null });
  });
});
