import { expect } from 'chai';
import { type Document, documentsIn } from '../../src/model/document.ts';
import { createFeedRenderer } from '../../src/terminal/feed-view.ts';
import { terminalOfWidth } from '../helpers/memory-sink.ts';

const nameOf = (_of: string, slug: string) => (slug === 'ada-brume' ? 'Ada Brume' : null);

function shown(items: Document[], columns = 60): string {
  const block = createFeedRenderer(nameOf, ({ sources }) => documentsIn(sources));
  return items.map((item) => block(item, terminalOfWidth(columns))).join('');
}

const speechTurn = {
  type: 'speech',
  date: '2031-05-06',
  politician: 'ada-brume',
  title: 'Débat sur les marées',
};

describe('the feed at a terminal', () => {
  it('tells the source of a fact, once where the next has the same', () => {
    const sources = [{ publisher: 'La Marée', title: 'Cahier', date: '2031-05-01', url: 'https://m.example/c' }];
    const output = shown(
      [
        { ...speechTurn, id: 'sp-2', sources },
        { ...speechTurn, id: 'sp-1', sources },
      ],
      100,
    );
    expect(output.match(/La Marée · Cahier · 1 May 2031 · https:\/\/m\.example\/c/g)).to.have.length(1);
    expect(output.indexOf('La Marée')).to.be.lessThan(output.indexOf('sp-1'));
  });

  it('is grouped by day and person, each fact with its first line and its id', () => {
    const items: Document[] = [
      { ...speechTurn, id: 'sp-2', text: 'Je vous remercie.' },
      { ...speechTurn, id: 'sp-1', text: `Nous voulons ${'des phares '.repeat(9)}` },
      {
        type: 'promise',
        date: '2031-05-06',
        politician: 'zoe-vatel',
        topic: 'eau',
        text: 'Des puits.',
        id: 'p-1',
      },
      { type: 'position', date: null, party: 'aube', stance: 'pour', title: 'Loi', id: 'pos-1' },
    ];
    expect(shown(items)).to.equal(
      [
        '6 May 2031 · Ada Brume · ada-brume',
        '  Débat sur les marées',
        '    Je vous remercie.',
        '    speech · sp-2',
        '    Nous voulons des phares des phares des phares des…',
        '    speech · sp-1',
        '',
        '6 May 2031 · zoe-vatel',
        '  Des puits.',
        '    promise · eau · p-1',
        '',
        'no day stated · aube',
        '  Loi',
        '    position · pour · pos-1',
        '',
      ].join('\n'),
    );
  });

  it('is broken by no fact', () => {
    const text = shown(
      [{ ...speechTurn, title: `${'x'.repeat(10_000)}\x1b[2J`, text: '\u202e\x07', id: 'a\x1bb' }],
      40,
    );
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
    expect(text).to.not.match(/[\x1b\x07\u202e]/);
    expect(text.split('\n').length).to.be.lessThan(8);
  });
});
