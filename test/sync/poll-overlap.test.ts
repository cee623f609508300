import { expect } from 'chai';
import { countNew } from '../../src/sync/poll-overlap.ts';
import { createRandom } from '../helpers/random.ts';

describe('the overlap of two polls of a log', () => {
  const long = [...'abcdefghijklmnopqrst'];
  const cases: [what: string, previous: string[], current: string[], count: number | null][] = [
    ['the same poll', long, long, 0],
    ['an empty log that stays empty', [], [], 0],
    ['the first entries of a log', [], ['a', 'b'], 2],
    ['one more entry', ['a'], ['b', 'a'], 1],
    ['one more equal entry', ['a', 'a'], ['a', 'a', 'a'], 1],
    [
      'an entry equal to the one that fell off',
      ['a', 'b', 'a', ...long],
      ['a', 'a', 'b', 'a', ...long.slice(0, -1)],
      1,
    ],
    ['as many equal entries as a poll has', Array(20).fill('a'), Array(20).fill('a'), 0],
    ['a log that moved on by more than a poll', long, long.map((key) => `${key}2`), null],
    ['entries in another order', long, [...long].reverse(), null],
    ['a common end of a few entries', long, [...long.map((key) => `${key}2`).slice(3), 'a', 'b', 'c'], null],
    ['an entry that was removed', long, long.toSpliced(4, 1), null],
  ];
  for (const [what, previous, current, count] of cases)
    it(`counts the new entries of ${what}`, () => {
      expect(countNew(previous, current)).to.equal(count);
    });

  it('is never more than the entries that came, in logs of few different entries', () => {
    const random = createRandom(53);
    for (let round = 0; round < 500; round += 1) {
      const log = Array.from({ length: random.integer(40) }, () => random.pick(['a', 'b', 'c']));
      const added = Array.from({ length: random.integer(12) }, () => random.pick(['a', 'b', 'c']));
      const [previous, current] = [log.slice(0, 30), [...added, ...log].slice(0, 30)];
      const count = countNew(previous, current);
      if (current.length < 30) expect(count).to.equal(added.length);
      else expect(count).to.be.at.most(added.length);
    }
  });
});
