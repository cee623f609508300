import { expect } from 'chai';
import { editDistance } from '../../src/language/near-miss.ts';
import { nearTermsIn } from '../../src/language/near-terms.ts';
import { createRandom, seedOf } from '../helpers/random.ts';

describe('near terms', () => {
  const walk = (terms: string[], word: string, max: number) => {
    let steps = 0;
    const seek = (from: string) => {
      steps += 1;
      return terms.find((term) => term >= from);
    };
    return { found: nearTermsIn(seek, word, max), steps: () => steps };
  };

  it('are those that comparing every one finds', () => {
    const seed = seedOf('NEAR_TERMS_SEED');
    const random = createRandom(seed);
    const word = () =>
      Array.from({ length: 2 + random.integer(6) }, () => random.pick([...'abcdeé'])).join('');
    for (let round = 0; round < 100; round += 1) {
      const terms = [...new Set(Array.from({ length: 300 }, word))].sort();
      const [asked, max] = [word(), 1 + random.integer(2)];
      const near = terms
        .map((term) => ({ term, distance: editDistance(asked, term, max) }))
        .filter(({ distance }) => distance <= max);
      expect(walk(terms, asked, max).found, `${asked} ${max} seed ${seed}`).to.deep.equal(near);
    }
  });

  it('are found without a look at most of the others', () => {
    const terms = Array.from({ length: 20_000 }, (_, at) => `mot${at.toString(36)}`).sort();
    const { found, steps } = walk(terms, 'motcle', 1);
    expect(found).to.be.an('array');
    expect(steps()).to.be.below(1000);
  });
});
