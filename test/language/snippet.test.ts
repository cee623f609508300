import { expect } from 'chai';
import { parseQuery } from '../../src/language/query.ts';
import { snippet } from '../../src/language/snippet.ts';

const marks = { open: '[', close: ']' };
const filler = 'mot vide '.repeat(60);

const whole = [
  ['La retraite à 64 ans', 'retraites', 'La [retraite] à 64 ans'],
  ["L'école et l’École", 'écoles', "L'[école] et l’[École]"],
  ['Le 49.3, encore le 49-3', '49,3', 'Le [49.3], encore le [49-3]'],
  ['Soit 50 000 euros', '50000', 'Soit [50 000] euros'],
  ['gouverner, gouvernement', 'gouv*', '[gouverner], [gouvernement]'],
  ['un  deux\n\ttrois', 'deux', 'un [deux] trois'],
  ['Le vote', '', 'Le vote'],
  ['', 'vote', ''],
  ['a\0b \ud800 vote', 'vote', 'a\0b \ud800 [vote]'],
] as const;

describe('snippet', () => {
  for (const [text, query, shown] of whole) {
    it(`shows ${JSON.stringify(text)} for ${JSON.stringify(query)} as ${JSON.stringify(shown)}`, () => {
      expect(snippet(text, parseQuery(query), marks)).to.equal(shown);
    });
  }

  it('marks nothing unless asked to', () => {
    expect(snippet('La retraite', parseQuery('retraite'))).to.equal('La retraite');
  });

  it('cuts between words around the matches, within the length', () => {
    const shown = snippet(`${filler}la réforme des retraites ${filler}`, parseQuery('réforme retraite'), {
      maxChars: 60,
    });
    expect(shown).to.match(/^…(?:mot|vide) .*la réforme des retraites .*(?:mot|vide)…$/);
    expect(shown.length).to.be.at.most(60);
  });

  it('prefers the place where most terms are', () => {
    const text = `la la la la ${filler}la loi ${filler}`;
    expect(snippet(text, parseQuery('la loi'), { ...marks, maxChars: 40 })).to.contain('[la] [loi]');
  });

  it('shows the beginning when nothing matches', () => {
    expect(snippet(filler, parseQuery('retraite'), { maxChars: 20 })).to.equal('mot vide mot vide…');
  });

  it('cuts a text without spaces', () => {
    expect(snippet('x'.repeat(500), parseQuery('loi'), { maxChars: 20 })).to.equal(`${'x'.repeat(18)}…`);
    expect(snippet('😀'.repeat(500), parseQuery('loi'), { maxChars: 21 })).to.equal(`${'😀'.repeat(9)}…`);
  });

  it('stays within any length', () => {
    const text = `${filler}l'école${filler}${'y'.repeat(90)} retraite, ${filler}😀😀`;
    for (let maxChars = 0; maxChars < 200; maxChars += 1) {
      for (const query of ['retraite', 'école', `${'y'.repeat(90)}`, 'retraite école', 'mot*', '']) {
        const shown = snippet(text, parseQuery(query), { maxChars });
        expect(shown.length, `${query} ${maxChars} ${shown}`).to.be.at.most(maxChars);
      }
    }
  });

  it('says that a text goes on after the part that is searched', () => {
    const text = `loi ${' '.repeat(30_000)} vote`;
    expect(snippet(text, parseQuery('vote'))).to.equal('loi…');
  });
});
