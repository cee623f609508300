import { expect } from 'chai';
import { parseQuery } from '../../src/language/query.ts';
import { matchExpression } from '../../src/store/search/expression.ts';
import { searchInMode } from '../../src/store/search/search.ts';
import { readDemoMirror } from '../helpers/demo-mirror.ts';
import { createRandom, seedOf } from '../helpers/random.ts';

const words = [
  ...['port', 'retraites', 'forêt', 'imigration', 'Bruyèvre', 'oceane', 'marché', 'de', 'la', 'que', '49.3', '50 000'],
  ...['type:', 'party:', 'since:', 'type:ballot', 'party:PDV', 'since:2026', 'AND', 'OR', 'NOT', 'NEAR(', 'name:', 'x'],
  ...[
    'ré*',
    'ret*',
    '-',
    '-port',
    '-"',
    '"',
    '""',
    '*',
    '(',
    ')',
    '{',
    '}',
    ':',
    '^',
    '+',
    '~',
    '|',
    '\\',
    "'",
    '’',
    ';--',
  ],
  ...['\0', '\ud800', '\udc00', '\u202e', '\u00a0', '\u200b', 'e\u0301', 'œ', 'ﬁ', '日本', '😀', '_', '%', '\t', '\n'],
];

describe('20,000 queries by chance', () => {
  const demo = readDemoMirror();

  it('are answered without an error, within the limit, and with matches inside their snippets', () => {
    const seed = seedOf('SEARCH_SEED');
    const random = createRandom(seed);
    const first = demo.mirror.column('SELECT rowid FROM search WHERE search MATCH ? LIMIT 1');
    for (let round = 0; round < 20_000; round += 1) {
      const parts = Array.from({ length: 1 + random.integer(6) }, () => random.pick(words));
      const query = parts.join(random.isOneIn(3) ? '' : ' ');
      const about = `${JSON.stringify(query)} seed ${seed}`;
      const match = matchExpression(parseQuery(query));
      if (match !== null) expect(() => first.get(match), about).to.not.throw();
      // All of a search takes longer than its expression, and most of that is the same for all.
      if (round % 5 > 0) continue;
      const limit = 1 + random.integer(5);
      const searchMode = random.isOneIn(4) ? 'fallback' : 'fulltext';
      const { items, total, counts } = searchInMode(demo.mirror, searchMode, { query, limit });
      expect(items.length, about).to.be.at.most(limit);
      expect(total ?? Infinity, about).to.be.at.least(items.length);
      expect(Object.values(counts), about).to.not.include(undefined);
      for (const { snippet, offsets } of items)
        for (const [start, end] of offsets) {
          expect(start, about).to.be.below(end);
          expect(end, about).to.be.at.most(snippet.length);
        }
    }
  });
});
