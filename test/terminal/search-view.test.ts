import { expect } from 'chai';
import { hitBlock, searchNotes } from '../../src/terminal/search-view.ts';
import { speechOf } from '../../src/words/speech.ts';

const plain = { isTTY: true, columns: 60, colour: false, hyperlinks: false, speech: speechOf('en') };

describe('a hit at a terminal', () => {
  const hit = {
    ...{ type: 'content', id: 'x-1', title: 'Note', date: '2026-01-01', politician: 'zoe-verdier' },
    ...{ snippet: 'Le phare et la mer', offsets: [[3, 8]], copies: 14 },
  };

  it('shows what it is, its text, and how many have the same', () => {
    expect(hitBlock(hit, plain)).to.equal(
      'Note\n  content · 2026-01-01 · zoe-verdier · x-1\n  Le phare et la mer\n  +14 with the same text\n\n',
    );
  });

  it('has the matches in bold, on both lines where one is broken', () => {
    const bold = hitBlock(
      { ...hit, snippet: `${'mot '.repeat(12)}projet de loi`, offsets: [[48, 61]], copies: 0 },
      { ...plain, colour: true },
    );
    expect(bold.split('\u001b[1m').length - 1).to.equal(3);
    expect(bold.split('\n')[2]).to.contain('\u001b[1mprojet');
    expect(bold.split('\n')[3]).to.match(/loi/);
  });

  it('lets no control character through', () => {
    const shown = hitBlock({ ...hit, title: 'a\u001b[31mb', snippet: '\u0007\u202e' }, plain);
    for (const sign of ['\u0007', '\u001b', '\u202e']) expect(shown).to.not.contain(sign);
  });
});

describe('notes on a search', () => {
  it('say what was done to the query and what may have been meant', () => {
    const notes = searchNotes({
      corrected: [{ from: 'imigration', to: 'immigration' }],
      relaxed: 'any-word',
      suggestions: [{ word: 'budget' }, { slug: 'zoe-verdier', full_name: 'Zoé Verdier' }],
      remarks: ['"a*" was left out: a beginning needs 3 letters'],
    });
    expect(notes.map(String)).to.deep.equal([
      'showing results for immigration: no record holds imigration',
      'too few records hold all of these words: any of them was enough',
      '"a*" was left out: a beginning needs 3 letters',
      'did you mean: budget, Zoé Verdier (zoe-verdier)?',
    ]);
  });
});
