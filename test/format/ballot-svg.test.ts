import { expect } from 'chai';
import { ballotSvg } from '../../src/format/ballot-svg.ts';
import { themeForPage } from '../../src/format/svg.ts';
import { readBallot } from '../../src/model/ballot.ts';
import { type Document, documentsIn } from '../../src/model/document.ts';
import { type SeatState, seatStateNames } from '../../src/model/seats.ts';
import { speechOf } from '../../src/words/speech.ts';

const group = (party: string | null, more: Document): Document => ({
  party,
  party_name: party,
  members: null,
  for: null,
  against: null,
  abstention: null,
  non_voting: null,
  position: null,
  ...more,
});

const document: Document = {
  scrutin_id: 'F-12',
  chamber: 'AN',
  title: 'Proposition de loi <relative> aux « lanternes » & aux \u202efeux',
  type: 'scrutin public ordinaire',
  date: '2031-03-04',
  result: 'adopté',
  required: 29,
  totals: { for: 40, against: 16, abstention: 1, non_voting: null },
  votes_by_party: [
    group('aube', { members: 50, for: 40, against: 0, abstention: 0, non_voting: 2 }),
    group('crue', { members: 20, for: 0, against: 16, abstention: 1 }),
    group(null, { members: 3 }),
  ],
};
const facts = new Map([
  ['aube', { name: 'L’Aube', shortName: 'AUB', colour: '#ffd966' }],
  ['crue', { name: 'La Crue', shortName: null, colour: 'red" onload="x' }],
]);
const attribution = 'Source: Fictional Service (https://service.example)';
const context = { facts, order: [], attribution, speech: speechOf('en') };

/** How many seats the picture has of a group and a state. */
function seats(svg: string, group?: number, state?: string): number {
  const seatMatches = [...svg.matchAll(/class="seats" data-group="(\d+)" data-state="(\w+)" data-seats="(\d+)"/g)];
  return seatMatches
    .filter(([, at, what]) => (group === undefined || Number(at) === group) && (state === undefined || what === state))
    .reduce((sum, [, , , count]) => sum + Number(count), 0);
}

/** The ballot without the group whose place nobody can state. */
const seated: Document = { ...document, votes_by_party: (document.votes_by_party as Document[]).slice(0, 2) };

describe('a ballot as a picture', () => {
  const svg = ballotSvg(readBallot(document), context);

  it('has as many seats as the groups have members, each in the state that the source counts', () => {
    const drawn = ballotSvg(readBallot(seated), { ...context, order: ['aube', 'crue'] });
    expect(seats(drawn)).to.equal(70);
    expect([seats(drawn, 0, 'for'), seats(drawn, 0, 'non_voting'), seats(drawn, 0, 'unrecorded')]).to.deep.equal([
      40, 2, 8,
    ]);
    expect([seats(drawn, 1, 'against'), seats(drawn, 1, 'abstention')]).to.deep.equal([16, 1]);
  });

  it('says in words what it shows, whom to cite, and nothing that markup or a terminal would act on', () => {
    expect(svg).to.include('&lt;relative&gt;').and.include('&amp; aux').and.not.include('\u202e');
    expect(svg).to.include('Adopted: 40 for, 16 against, 1 abstention; 57 of 73 members listed voted or abstained');
    expect(svg).to.include('AUB: for 40, declared non-voting 2, no vote recorded 8');
    expect(svg, 'the legend')
      .to.match(/>declared non-voting 2</)
      .and.match(/>no vote recorded 14</);
    expect(svg).to.include('(no group stated)');
    expect(svg).to.include('Source: Fictional Service (https://service.example)');
    expect(svg).not.to.include('onload');
    expect(svg).to.match(/role="img" aria-labelledby="ballot-AN-F-12-title ballot-AN-F-12-desc"/);
  });

  it('asks nothing of anywhere else', () => {
    const addresses = [...svg.matchAll(/(?:href|src|url\()[^>]*?https?:/g)];
    expect(addresses).to.deep.equal([]);
  });

  it('arranges seats by vote, with a bar of each group, where the place of one group is not known', () => {
    for (const order of [[], ['crue'], ['crue', 'aube']]) {
      const drawn = ballotSvg(readBallot(document), { ...context, order });
      const runs = [...drawn.matchAll(/class="seats" data-group="\d" data-state="(\w+)"/g)].map(([, state]) => state!);
      expect([...new Set(runs)]).to.deep.equal(['for', 'abstention', 'non_voting', 'unrecorded', 'against']);
      expect(runs, 'each state is one part of the chamber').to.deep.equal(
        [...Map.groupBy(runs, String).values()].flat(),
      );
      expect(seats(drawn)).to.equal(73);
      const inOrder = [...new Set(runs)].map((state) => seatStateNames[state as SeatState]).join(', ');
      expect(drawn).to.include(`Arranged by vote, not by seat: ${inOrder}.`);
      const states = [...drawn.matchAll(/class="votes" data-group="\d" data-state="(\w+)"/g)].map(([, state]) => state);
      expect(states).to.include.members(['for', 'against', 'abstention', 'non_voting', 'unrecorded']);
    }
  });

  it('draws bars and no seats where no group states its members', () => {
    const groups = documentsIn(document.votes_by_party).map((each) => ({ ...each, members: null }));
    const drawn = ballotSvg(readBallot({ ...document, votes_by_party: groups }), context);
    expect(seats(drawn)).to.equal(0);
    expect(drawn).to.include('class="votes"').and.not.include('Arranged by vote');
  });

  it('takes the colours of a page, where each group is seen on light and on dark paper', () => {
    const drawn = themeForPage(ballotSvg(readBallot(seated), { ...context, order: ['aube', 'crue'] }));
    expect(drawn).to.include('fill="var(--paper)"').and.include('fill="var(--ink)"');
    expect(drawn).not.to.match(/"#(ffffff|1a1a1a|4d4d4d|e6e6e6)"/);
    expect(themeForPage('<path stroke="#0d378a"/>')).to.match(/^<path stroke="light-dark\(#0d378a, #[5-9a-f]/);
  });

  it('draws the groups from the left as they are ordered', () => {
    const ordered = ballotSvg(readBallot(seated), { ...context, order: ['crue', 'aube'] });
    expect(seats(ordered, 0, 'against')).to.equal(16);
    expect(seats(ordered, 1, 'for')).to.equal(40);
  });

  it('draws no chamber for a motion of censure whose members are not stated, and its votes against those required', () => {
    const motion = {
      ...document,
      type: 'motion de censure',
      totals: { for: 40, against: 0, abstention: 0, non_voting: null },
      votes_by_party: [group('aube', { for: 40, against: 0 })],
      required: 60,
    };
    const drawn = ballotSvg(readBallot(motion), context);
    expect(seats(drawn)).to.equal(0);
    expect(drawn).to.include('40 for of 60 required').and.include('60 required');
    expect(drawn).not.to.include('against');
  });

  it('says so where no votes of groups are published', () => {
    const bare = { ...document, totals: null, votes_by_party: [] };
    const drawn = ballotSvg(readBallot(bare), context);
    expect(seats(drawn)).to.equal(0);
    expect(drawn).to.include('no counts published; the votes of groups are not published');
  });
});
