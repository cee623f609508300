import { expect } from 'chai';
import { blankMarkdown, paragraphPattern, partsIn, quotationsIn } from '../../src/language/passages.ts';
import { statedVotesIn } from '../../src/parliament/stated-votes.ts';

const paragraphsIn = (text: string) => partsIn({ text: blankMarkdown(text), start: 0 }, paragraphPattern);
const quotationsOf = (text: string) => paragraphsIn(text).flatMap(quotationsIn);

describe('passages of an article', () => {
  it('are quotations of four words or more, in any marks, with their places', () => {
    const text = 'Il dit « un deux trois quatre » et “one two three four”, "a b c d", « trois mots seulement ».';
    const quotations = quotationsOf(text);
    expect(quotations.map((each) => each.text.trim())).to.deep.equal([
      'un deux trois quatre',
      'one two three four',
      'a b c d',
    ]);
    for (const { start, end, text: quoted } of quotations) expect(text.slice(start, end)).to.equal(quoted);
  });

  it('keep quotations inside of quotations, and run to the end of a paragraph that closes none', () => {
    expect(quotationsOf('« il a dit « jamais, jamais » à tous »').map((each) => each.text.trim())).to.deep.equal([
      'il a dit « jamais, jamais » à tous',
    ]);
    expect(quotationsOf('« un deux trois quatre.\n\nUne autre chose.')).to.have.length(1);
  });

  it('are block quotations without their attribution, and have no marks or links of Markdown', () => {
    const texts = quotationsOf(
      '> un deux\n> trois *quatre* — Anne Merlin\n\n“un [deux](https://x.example) trois quatre”',
    );
    expect(texts.map((each) => each.text.replace(/(?:^>|\s)+/gm, ' ').trim())).to.deep.equal([
      'un deux trois quatre',
      'un deux trois quatre',
    ]);
  });

  it('are found in a time that grows with the text, whatever is repeated in it', () => {
    const units = [
      '« ',
      '“',
      '"a ',
      '[a',
      '[a](',
      '*_`',
      '; ',
      'scrutin n° ',
      '1 voix ',
      '3 contre ',
      'le 3 mars ',
      'a été ',
      '\n ',
      ' — A. ',
      '\n> ',
    ];
    for (const unit of units) {
      const text = unit.repeat(100_000 / unit.length);
      const startedAt = performance.now();
      for (const paragraph of paragraphsIn(text)) {
        quotationsIn(paragraph);
        statedVotesIn(paragraph);
      }
      expect(performance.now() - startedAt, JSON.stringify(unit)).to.be.below(3000);
    }
  });
});
