import { expect } from 'chai';
import { createHitRenderer, hitCountLines, searchNotes, unsearchedHitLines } from '../../src/terminal/search-view.ts';
import { speechOf, verbatim } from '../../src/words/speech.ts';

const plain = { isTTY: true, columns: 60, colour: false, hyperlinks: false, speech: speechOf('en') };

const hitBlock = createHitRenderer((_of, slug) => (slug === 'zoe-verdier' ? 'Zoé Verdier' : null));

describe('a hit at a terminal', () => {
  const hit = {
    ...{ type: 'content', id: 'x-1', title: 'Note', date: '2026-01-01', politician: 'zoe-verdier' },
    ...{ snippet: 'Le phare et la mer', offsets: [[3, 8]], copies: 14 },
  };

  it('shows what it is, its text, and how many have the same', () => {
    expect(hitBlock(hit, plain)).to.equal(
      'content · 1 January 2026 · Zoé Verdier · Note\n  Le phare et la mer\n' +
        '  +14 with the same text\n  hemicycle show content x-1\n\n',
    );
  });

  it('has no line for the text of what has none, as a party without a description', () => {
    const party = { type: 'party', slug: 'parti-du-phare', title: 'Parti du Phare', snippet: '', copies: 0 };
    expect(hitBlock({ ...party, offsets: [] }, plain)).to.equal(
      'party · Parti du Phare\n  hemicycle show party parti-du-phare\n\n',
    );
  });

  it('has the matches in bold, on both lines where one is broken', () => {
    const bold = hitBlock(
      { ...hit, snippet: `${'mot '.repeat(12)}projet de loi`, offsets: [[48, 61]], copies: 0 },
      { ...plain, colour: true },
    );
    expect(bold.split('\u001b[1m').length - 1).to.equal(3);
    expect(bold.split('\n')[0]).to.contain('\u001b[1mNote');
    expect(bold.split('\n')[1]).to.contain('\u001b[1mprojet');
    expect(bold.split('\n')[2]).to.match(/loi/);
  });

  it('shows of a text that is longer than two lines those with its matches', () => {
    const snippet = `${'mot '.repeat(40)}le phare de la mer, et${' mot'.repeat(40)}`;
    const at = snippet.indexOf('phare');
    const lines = hitBlock({ ...hit, snippet, offsets: [[at, at + 5]], copies: 0 }, plain).split('\n');
    expect(lines).to.have.length(6);
    expect(lines.slice(1, 3).join(' ')).to.match(/^ {2}…mot .* phare .* mot…$/);
    for (const line of lines) expect(line.length).to.be.at.most(60);
  });

  it('takes two lines of a title and of its text at most, however long they are', () => {
    const long = { ...hit, title: 'é'.repeat(10_000), snippet: 'phare '.repeat(2000), offsets: [] };
    for (const columns of [40, 80, 200]) {
      const lines = hitBlock(long, { ...plain, columns }).split('\n');
      expect(lines.length).to.be.at.most(8);
      for (const line of lines) expect(line.length).to.be.at.most(columns);
    }
  });

  it('counts what was found by kind, the most first', () => {
    const counts = { politician: 1, party: 0, content: 1200, ballot: null };
    expect(hitCountLines({ counts }, { ...plain, columns: 80 })).to.deep.equal([
      'Results: 1,200 texts, 1 politician, too many to count: ballots',
    ]);
    expect(hitCountLines({ counts: null }, plain)).to.deep.equal([]);
  });

  it('says what the kinds hold that were not searched, and how to search them', () => {
    const counts = { promise: 2, position: 0, quote: 108 };
    expect(unsearchedHitLines(counts, { ...plain, columns: 80 })).to.deep.equal([
      'Not searched: 108 quotes, 2 promises (--type promise,quote)',
    ]);
    expect(unsearchedHitLines({ promise: 0 }, plain)).to.deep.equal([]);
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
      suggestions: [{ word: 'budget' }, { slug: 'zoe-verdier', full_name: 'Zoé Verdier' }],
      remarks: [verbatim('"a*" was ignored: a prefix needs 3 letters')],
    });
    expect(notes.map(String)).to.deep.equal([
      'no record contains imigration; nearest spelling: immigration',
      '"a*" was ignored: a prefix needs 3 letters',
      'did you mean: budget, Zoé Verdier (zoe-verdier)?',
    ]);
  });
});
