import { expect } from 'chai';
import { renderPng } from '../../src/format/png.ts';
import { ballotCard, shareSvg } from '../../src/format/share-svg.ts';
import { readBallot } from '../../src/model/ballot.ts';
import { speechOf } from '../../src/words/speech.ts';

const votes = {
  party: 'aube',
  party_name: 'L’Aube <i>',
  members: 50,
  for: 40,
  against: 2,
  abstention: 1,
  non_voting: 0,
};
const ballot = readBallot({
  scrutin_id: 'F-12',
  chamber: 'AN',
  title: 'l’ensemble du projet de loi <relatif> aux « lanternes » '.repeat(20),
  date: '2031-03-04',
  result: 'adopté',
  totals: { for: 40, against: 2, abstention: 1, non_voting: 0 },
  votes_by_party: [{ ...votes, position: 'pour' }],
});
const attribution = 'Source: Fictional Service, retrieved 5 March 2031';
const context = { facts: new Map(), order: [], attribution, speech: speechOf('en') };

describe('the picture beside a link', () => {
  const svg = shareSvg(ballotCard(ballot, { context, kicker: 'Fictional Service' }));

  it('says what the source states and whom to cite, and is no markup of its own', () => {
    expect(svg).to.include('Adopted: 40 for, 2 against').and.include('retrieved 5 March 2031');
    expect(svg).to.include('&lt;relatif&gt;').and.include('L’Aube &lt;i&gt;').and.include('data-state="for"');
    expect(shareSvg(ballotCard({ ...ballot, result: null }, { context, kicker: 'F' }))).not.to.include('Adopted');
  });

  it('has a legend with the number of seats in each state, and the counts of each group', () => {
    expect(svg)
      .to.match(/>for 40</)
      .and.match(/>no vote recorded 7</);
    const figures = [...svg.matchAll(/font-size="17"[^>]*>(\d+)</g)].map(([, figure]) => Number(figure));
    expect(figures).to.deep.equal([40, 2, 1, 7]);
  });

  it('draws no bars of a motion of censure without members, whose votes for would look like all', () => {
    const motion = {
      ...ballot,
      title: 'Motion de censure',
      votes_by_party: [{ ...votes, members: null, position: 'pour' }],
    };
    const withMembers = { ...motion, votes_by_party: ballot.votes_by_party };
    const drawn = (of: Parameters<typeof readBallot>[0]) =>
      shareSvg(ballotCard(readBallot(of), { context, kicker: 'F' }));
    expect(drawn(motion)).not.to.include('class="votes"');
    expect(drawn(withMembers))
      .to.include('>no vote recorded 9<')
      .and.include('class="votes"')
      .and.not.include('>against');
  });

  it('is a PNG of 1200 × 630 and at most 100 kB, the same each time', async () => {
    const png = await renderPng(svg);
    expect(png.subarray(1, 4).toString()).to.equal('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).to.deep.equal([1200, 630]);
    expect(png.length).to.be.within(5_000, 100_000);
    expect((await renderPng(svg)).equals(png)).to.equal(true);
    expect((await renderPng(svg.replaceAll('Adopted', 'Adopted!'))).equals(png)).to.equal(false);
  });
});
