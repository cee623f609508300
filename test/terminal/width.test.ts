import { expect } from 'chai';
import { wrap } from '../../src/terminal/view.ts';
import { displayWidth, padText, truncateToWidth } from '../../src/terminal/width.ts';

describe('the width of a text', () => {
  const cases: [string, number][] = [
    ['', 0],
    ['député', 6],
    ['depute\u0301', 6],
    ['« œuvre »', 9],
    ['漢字', 4],
    ['한국', 4],
    ['🗳️', 2],
    ['🎉', 2],
  ];
  for (const [text, width] of cases)
    it(`is ${width} for ${JSON.stringify(text)}`, () => expect(displayWidth(text)).to.equal(width));

  it('decides where a text is cut', () => {
    expect(truncateToWidth('assemblée', 9)).to.equal('assemblée');
    expect(truncateToWidth('assemblée', 8)).to.equal('assembl…');
    expect(truncateToWidth('assemblee\u0301', 9)).to.equal('assemblee\u0301');
    expect(truncateToWidth('漢字漢字', 6)).to.equal('漢字…');
    expect(truncateToWidth('un deux', 4)).to.equal('un…');
    expect(truncateToWidth('un deux', 0)).to.equal('');
    expect(truncateToWidth('long'.repeat(1000), Number.POSITIVE_INFINITY)).to.have.length(4000);
  });

  it('decides how much a column is padded', () => {
    expect(padText('漢', 4)).to.equal('漢  ');
    expect(padText('long', 2)).to.equal('long');
  });
});

describe('wrap', () => {
  it('breaks at spaces and keeps the line ends of the text', () => {
    expect(wrap('un deux trois\n\nquatre', 8)).to.deep.equal(['un deux', 'trois', '', 'quatre']);
  });

  it('leaves a word that is too long whole', () => {
    expect(wrap('https://long.example/address', 8)).to.deep.equal(['https://long.example/address']);
  });

  it('breaks nothing in a pipe', () => {
    expect(wrap('a b '.repeat(500), Number.POSITIVE_INFINITY)).to.have.length(1);
  });
});
