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
const facts = lines(
  'Proposition de loi relative aux lanternes',
  'chamber     AN',
  'scrutin id  F-12',
  'date        2031-03-04',
  'type        scrutin public ordinaire',
  'result      adopté',
  'required    29',
);

describe('a ballot', () => {
  it('in a pipe is its facts and its counts, null empty and never 0', async () => {
    expect(await ballotView(ballot, pipe)).to.equal(
      facts +
        lines(
          '',
          'for 40, against 16, abstention 1',
          '',
          'party    for  against  abstention  non_voting  position',
          'L’Aube    40        0           0           2  pour',
          'La Crue    0       16           1              contre',
          '',
          'total     40       16           1',
        ).replace('contre\n\n', `contre\n\n`),
    );
  });

  it('at a wide terminal has bars that read without colour', async () => {
    expect(await ballotView(ballot, terminalOfWidth(100))).to.equal(
      facts +
        lines(
          '',
          'for 40, against 16, abstention 1',
          '',
          'party    for  against  abstention  non_voting  position',
          'L’Aube    40        0           0           2  pour      ████████████████████',
          'La Crue    0       16           1              contre    ▒▒▒▒▒▒▒▒·',
          '',
          'total     40       16           1',
          '█ for  ▒ against  · abstention',
        ),
    );
  });

  it('at a narrow terminal has none', async () => {
    expect(await ballotView(ballot, terminalOfWidth(79))).to.not.contain('█');
  });

  it('is never said to have a result that the source does not state', async () => {
    const text = await ballotView({ ...ballot, result: null }, pipe);
    expect(text).to.not.match(/result|adopté/);
  });

  it('without counts says so, in a sentence', async () => {
    const text = await ballotView({ ...ballot, totals: null, votes_by_party: [] }, pipe);
    expect(text).to.equal(`${facts}\nno counts published\n`);
  });

  it('does not add up parties where the total is not stated', async () => {
    const text = await ballotView({ ...ballot, totals: null }, pipe);
    expect(text).to.contain('no counts published').and.not.contain('total ');
  });

  it('of censure is measured by what it requires, never as a share', async () => {
    const motion = { ...ballot, title: 'Motion de censure déposée par Mme Brume', type: null };
    const text = await ballotView(motion, terminalOfWidth(120));
    expect(text).to.contain('\nfor 40 of 29 required\n').and.not.match(/[█▒]/);
    const unstated = await ballotView({ ...motion, required: null }, pipe);
    expect(unstated).to.contain('\nfor 40 (the number required is not stated)\n');
  });

  it('reads other dialects', async () => {
    const text = await ballotView(
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
