import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { ballotView } from '../../src/terminal/ballot-view.ts';
import { pipe, terminalOfWidth } from '../helpers/memory-sink.ts';

const ballot: Document = {
  scrutin_id: 'F-12',
  chamber: 'AN',
  title: 'Proposition de loi relative aux lanternes',
  type: 'scrutin public ordinaire',
  date: '2031-03-04',
  result: 'adopté',
  required: 29,
  totals: { for: 40, against: 16, abstention: 1, non_voting: null },
  votes_by_party: [
    {
      party: 'aube',
      party_name: 'L’Aube',
      for: 40,
      against: 0,
      abstention: 0,
      non_voting: 2,
      position: 'pour',
    },
    {
      party: 'crue',
      party_name: 'La Crue',
      for: 0,
      against: 16,
      abstention: 1,
      non_voting: null,
      position: 'contre',
    },
    {
      party: null,
      party_name: null,
      for: null,
      against: null,
      abstention: null,
      non_voting: null,
      position: null,
    },
  ],
};

const lines = (...each: string[]) => each.map((line) => `${line}\n`).join('');
const resultText = 'Adopted: 40 for, 16 against, 1 abstention';
const title = 'Proposition de loi relative aux lanternes';
const facts = lines(
  'chamber     AN',
  'scrutin id  F-12',
  'date        2031-03-04',
  'type        scrutin public ordinaire',
  'result      adopté',
  'required    29',
);

const inOrder = { facts: new Map(), order: ['aube', 'crue'] };

describe('a ballot', () => {
  it('in a pipe begins with what its source states; null is empty and never 0', async () => {
    expect(ballotView(ballot, pipe)).to.equal(
      lines(
        resultText,
        title,
        '',
        'party    for  against  abstention  non_voting  position  no_vote_recorded  members  stated_position',
        'L’Aube    40        0           0           2  pour                                 pour',
        'La Crue    0       16           1              contre                               contre',
        '',
        'total     40       16           1',
        '',
      ) + facts,
    );
  });

  it('at a terminal is said, then drawn by seats, by the stated majority and by bars that all read without colour', async () => {
    expect(ballotView(ballot, terminalOfWidth(100), inOrder)).to.equal(
      lines(
        resultText,
        title,
        '',
        '                                 ●●●●●●●●●●',
        '                               ●●●●●●●●●●●×○○',
        '                             ●●●●●●●    ●×○○○○○',
        '                            ●●●●●●         ○○○○○',
        '                            ●●●●●          ○○○○◐',
        '',
        '● for 40   ○ against 16   ◐ abstention 1   × declared non-voting 2',
        'from the left, in the order chosen: L’Aube 42, La Crue 17',
        '',
        '███████████████████████████████████████████▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒',
        '                               ╵ 29 required',
        '',
        'group              for  against  abstention  declared  position',
        'L’Aube              40        0           0         2  pour      ███████████████████████████████████',
        'La Crue              0       16           1            contre    ▒▒▒▒▒▒▒▒▒▒▒▒▒▒·',
        '(no group stated)',
        'total               40       16           1',
        '█ for  ▒ against  · abstention',
        '',
      ) + facts.replace('2031-03-04', '4 March 2031'),
    );
  });

  it('keeps its seats and its bars at 60 columns, within them', async () => {
    const text = ballotView(ballot, terminalOfWidth(60));
    expect(text)
      .to.contain('agst')
      .and.match(/La Crue .*▒▒▒/);
    for (const line of text.split('\n')) expect(line.length).to.be.at.most(60);
  });

  it('shows one mark for several seats, and says so, where the terminal is too narrow for each', async () => {
    const large = ballot.votes_by_party as Document[];
    const text = ballotView(
      { ...ballot, votes_by_party: large.map((votes) => ({ ...votes, members: 190 })) },
      terminalOfWidth(50),
      { ...inOrder, order: ['aube', 'crue', ''] },
    );
    expect(text)
      .to.match(/each mark is about \d seats/)
      .and.contain('no vote recorded 511');
  });

  it('draws no seats where the place of one group is not known', () => {
    for (const order of [[], ['crue']]) {
      const text = ballotView(ballot, terminalOfWidth(100), { facts: new Map(), order });
      expect(text).not.to.match(/from the left|● for/);
      expect(text).to.match(/La Crue .*▒▒▒/);
    }
  });

  it('draws the groups from the left as they are ordered, in the colours of their records', async () => {
    const context = {
      facts: new Map([['crue', { name: 'La Crue', shortName: 'CRU', colour: '#2e7d9a' }]]),
      order: ['crue', 'aube'],
    };
    const text = ballotView(ballot, { ...terminalOfWidth(90), colour: true }, context);
    expect(text).to.contain('\x1b[38;5;30mCRU 17,\x1b[39m L’Aube 42');
    const exact = { ...terminalOfWidth(90), colour: true, trueColour: true };
    expect(ballotView(ballot, exact, context)).to.contain('\x1b[38;2;46;125;154m');
  });

  it('is never said to have a result that the source does not state', async () => {
    const text = ballotView({ ...ballot, result: null }, pipe);
    expect(text)
      .to.match(/^No result published: /)
      .and.not.match(/adopt|reject/i);
  });

  it('without counts says so, in a sentence', async () => {
    const text = ballotView({ ...ballot, totals: null, votes_by_party: [] }, pipe);
    expect(text).to.equal(
      `${lines('Adopted: no counts published; the votes of groups are not published', title, '')}${facts}`,
    );
  });

  it('does not add up parties where the total is not stated', async () => {
    const text = ballotView({ ...ballot, totals: null }, pipe);
    expect(text).to.contain('no counts published').and.not.contain('total ');
  });

  it('says where its groups add up to another number than its total, and lists both', async () => {
    const groups = (ballot.votes_by_party as Document[]).slice(0, 2);
    const totals = { for: 40, against: 16, abstention: 1, non_voting: 3 };
    const ballotLines = async (votes: Document[]) =>
      ballotView({ ...ballot, totals, votes_by_party: votes }, terminalOfWidth(120)).split('\n');
    expect((await ballotLines([groups[0]!, { ...groups[1]!, non_voting: 2 }])).join(' ')).to.include(
      '1 abstention, 3 declared non-voters; the sums of the groups differ from the totals of the source:',
    );
    expect((await ballotLines([groups[0]!, { ...groups[1]!, non_voting: 1 }])).join(' ')).not.to.contain(
      'the sums of the groups',
    );
    expect((await ballotLines(groups)).join(' '), 'one group states none').not.to.contain('the sums of the groups');
  });

  it('of censure is measured by what it requires, never as a share', async () => {
    const motion = { ...ballot, title: 'Motion de censure déposée par Mme Brume', type: null };
    const text = ballotView(motion, terminalOfWidth(120));
    expect(text)
      .to.match(/^Adopted: 40 for of 29 required\n/)
      .and.not.match(/[▒○]/);
    expect(text, 'nobody votes against one').to.match(/^group +for +declared/m);
    expect(text, 'a bar as long as the votes for, its tick at those required').to.match(/█\n +╵ 29 required/);
    // Nobody knows how many sit there: the votes for alone would look like all.
    expect(text).not.to.contain('●');
    const unstated = ballotView({ ...motion, required: null }, pipe);
    expect(unstated).to.contain('Adopted: 40 for (the number required is not stated)\n');
  });

  it('says why no group has a position where only votes for are recorded and members are not stated', () => {
    const votes = { ...(ballot.votes_by_party as Document[])[0]!, members: null };
    const motion = { ...ballot, title: 'Motion de censure', votes_by_party: [votes] };
    const sentence = /whether most of a group voted for is unknown, so none has a position/;
    for (const terminal of [pipe, terminalOfWidth(100)])
      expect(ballotView(motion, terminal).replace(/\s+/g, ' ')).to.match(sentence);
    for (const other of [
      { ...motion, title: 'Loi' },
      { ...motion, votes_by_party: [{ ...votes, members: 66 }] },
    ])
      expect(ballotView(other, pipe)).not.to.match(sentence);
  });

  it('has the totals of the source in one row with members and missing votes only if they are the sums of the groups', () => {
    const votes = { party: 'aube', for: 6, against: 1, abstention: 0, non_voting: 0, members: 10, position: 'pour' };
    const totals = { for: 6, against: 1, abstention: 0, non_voting: 0 };
    const rowsOf = (of: Document) =>
      ballotView({ ...ballot, votes_by_party: [votes], totals, ...of }, pipe)
        .split('\n')
        .filter((line) => /^total /.test(line))
        .map((line) => line.trim().split(/\s+/));
    expect(rowsOf({})).to.deep.equal([['total', '6', '1', '0', '0', '3', '10']]);
    expect(rowsOf({ totals: { ...totals, for: 7 } })).to.deep.equal([['total', '7', '1', '0', '0']]);
  });

  it('shows the share of members behind a position, and one that is not counted in brackets', () => {
    const group = { ...(ballot.votes_by_party as Document[])[0]!, for: 6, non_voting: 0, members: 66 };
    const rowOf = (of: Document, columns: number) =>
      /^L’Aube.*$/m.exec(ballotView({ ...ballot, ...of }, terminalOfWidth(columns)))![0].trimEnd();
    const motion = { title: 'Motion de censure', votes_by_party: [group] };
    expect(ballotView({ ...ballot, ...motion }, terminalOfWidth(100)).replace(/\s+/g, ' ')).to.contain(
      'in brackets: as the source states, not counted',
    );
    expect(rowOf(motion, 100)).to.match(/^L’Aube +6 +0 +60 +66 +9% +\(pour\)$/);
    expect(rowOf({ votes_by_party: [{ ...group, against: 9, members: null }] }, 100)).to.match(/ 0 +pour +█+▒+$/);
    expect(rowOf({ votes_by_party: [{ ...group, party_name: 'L’Aube' }] }, 60), 'narrow').to.match(/ 0 +60 +9% +█+$/);
  });

  it('shows no share for the Sénat, where delegates vote for others, and no position of non-attached members', () => {
    const [group] = ballot.votes_by_party as Document[];
    const votes_by_party = [{ ...group!, members: 66, party_name: 'L’Aube' }];
    const senate = ballotView({ ...ballot, chamber: 'Senat', votes_by_party }, terminalOfWidth(100));
    expect(senate)
      .to.match(/ 66 +pour/)
      .and.not.match(/share|%|voted or abstained/);
    const others = [{ ...group!, party: 'ni', party_name: 'Non inscrit' }];
    expect(ballotView({ ...ballot, votes_by_party: others }, terminalOfWidth(100))).not.to.match(/pour/);
  });

  it('reads other dialects', async () => {
    const text = ballotView(
      {
        id: 'F-13',
        chambre: 'Sénat',
        titre: 'Autre',
        sort: 'rejeté',
        groups: { aube: { pour: 3, contre: 4 } },
      },
      pipe,
    );
    expect(text).to.contain('chamber     Senat').and.contain('result      rejeté');
    expect(text).to.contain('aube     3        4\n');
  });
});
