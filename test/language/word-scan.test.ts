import { expect } from 'chai';
import { analyseLexeme, analyseProse, lexemes } from '../../src/language/prose.ts';
import { createRandom, seedOf } from '../helpers/random.ts';

/** The signs that the rules of words look at, and some of every other sort. */
const signs = [...'abcdeéNnLRDoOQqu.°º№ 0123,-’\'l/()«»–—·•_œŒÀ×÷ßπж漢😀"&\n\t\u00a0\u202f\u2009\u0301'];

const wordByWord = (text: string) => lexemes(text).map(analyseLexeme).filter(Boolean).join(' ');

describe('words found by looking at each sign once', () => {
  it('are those that the patterns find, whatever the text', () => {
    const random = createRandom(seedOf('WORD_SEED'));
    for (let n = 0; n < 5000; n += 1) {
      const text = Array.from({ length: 1 + random.integer(24) }, () => random.pick(signs)).join('');
      expect(analyseProse(text), JSON.stringify(text)).to.equal(wordByWord(text));
    }
  });

  it('are the same when they are met again, and where others of their place came between', () => {
    const words = Array.from(
      { length: 60_000 },
      (_, n) => `mot${[...String(n)].map((digit) => 'abcdefghij'[+digit]).join('')}`,
    );
    const text = words.join(' ');
    expect(analyseProse(text)).to.equal(wordByWord(text));
    expect(analyseProse(text)).to.equal(wordByWord(text));
  });

  it('are whole where they are longer than any that is remembered', () => {
    const text = `le ${'anti'.repeat(20)} l’${'contre'.repeat(30)}.`;
    expect(analyseProse(text)).to.equal(wordByWord(text));
  });
});
