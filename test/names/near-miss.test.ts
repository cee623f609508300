import { expect } from 'chai';
import { nameWords } from '../../src/language/name.ts';
import { editDistance, nearWords } from '../../src/language/near-miss.ts';
import { nearness } from '../../src/names/nearness.ts';

const distances = [
  ['vatel', 'vatel', 2, 0],
  ['vatel', 'vattel', 2, 1],
  ['vatel', 'vate', 2, 1],
  ['vatel', 'vatle', 2, 1],
  ['vatel', 'batel', 2, 1],
  ['vatel', 'batelo', 2, 2],
  ['vatel', 'borel', 2, 3],
  ['vatel', 'x', 2, 3],
  ['abcd', 'badc', 2, 2],
  ['', 'ab', 2, 2],
  ['ab', '', 1, 2],
  ['', '', 0, 0],
  ['a', 'b', 0, 1],
] as const;

const people = [
  { key: 'anne-vatel', name: 'Anne Vatel' },
  { key: 'zoe-vatel', name: 'Zoé Vatel' },
  { key: 'paul-le-roc', name: 'Paul Le Roc' },
  { key: 'luc-borel-a-l-aiguillier', name: "Luc Borel-À-L'Aiguillier" },
  { key: 'ina-brun', name: 'Ina Brun' },
  { key: 'union-2030', name: 'Union 20300' },
];

const misses = [
  ['Anne Vatle', ['anne-vatel']],
  ['vattel', ['anne-vatel', 'zoe-vatel']],
  ['aiguilierr', ['luc-borel-a-l-aiguillier']],
  ['aigilierr', []],
  ['aiulier', []],
  ['aigulier', []],
  ['igullier', []],
  ['paul le rco', ['paul-le-roc']],
  ['paulleroc', ['paul-le-roc']],
  ['paul lerok', ['paul-le-roc']],
  ['brum', []],
  ['20301', []],
  ['union 20301', []],
  ['vatel bruni', []],
  ['', []],
  ['\0\ud800', []],
] as const;

describe('editDistance', () => {
  for (const [a, b, max, distance] of distances) {
    it(`puts "${a}" and "${b}" at ${distance} when ${max} is the most`, () => {
      expect(editDistance(a, b, max)).to.equal(distance);
      expect(editDistance(b, a, max)).to.equal(distance);
    });
  }
});

describe('nearness', () => {
  for (const [query, keys] of misses) {
    it(`is of [${keys}] to ${JSON.stringify(query)}`, () => {
      const near = people.filter(({ name }) => nearness(nameWords(query), nameWords(name)) !== null);
      expect(near.map(({ key }) => key)).to.deep.equal(keys);
    });
  }
});

describe('a word with one wrong letter', () => {
  it('is near the name, whichever letter it is, the first too', () => {
    for (const name of ['gille', 'merlin', 'melenchon'])
      for (let at = 0; at < name.length; at += 1) {
        const word = `${name.slice(0, at)}z${name.slice(at + 1)}`;
        expect(nearness([word], [name]), word).not.to.equal(null);
      }
  });
});

describe('nearWords', () => {
  const commands = ['politicians', 'parties', 'search', 'feed', 'vote', 'export', 'serve', 'Lot-et-Garonne'];
  const typoCases: [written: string, near: string[]][] = [
    ['politicans', ['politicians']],
    ['POLITICIANS', ['politicians']],
    ['fed', ['feed']],
    ['vtoe', ['vote']],
    ['srve', ['serve']],
    ['pol', ['politicians']],
    ['garonne', ['Lot-et-Garonne']],
    ['s', []],
    ['ministries', []],
    ['', []],
  ];
  for (const [written, near] of typoCases)
    it(`finds ${near.join(', ') || 'nothing'} near "${written}"`, () => {
      expect(nearWords(written, commands)).to.deep.equal(near);
    });
});
