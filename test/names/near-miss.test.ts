import { expect } from 'chai';
import { editDistance, nearWords } from '../../src/language/near-miss.ts';
import { nearMisses } from '../../src/names/nearness.ts';

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
  ['aigulier', ['luc-borel-a-l-aiguillier']],
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

describe('nearMisses', () => {
  for (const [query, keys] of misses) {
    it(`offers [${keys}] for ${JSON.stringify(query)}`, () => {
      expect(nearMisses(query, people, 5).map(({ key }) => key)).to.deep.equal(keys);
    });
  }

  it('puts the nearest first, then goes by name, up to the limit', () => {
    const candidates = ['Vattel B', 'Vattel A', 'Vatel'].map((name) => ({ key: name, name }));
    expect(nearMisses('vatel', candidates, 2).map(({ key }) => key)).to.deep.equal(['Vatel', 'Vattel A']);
  });

  it('takes candidates from any iterable', () => {
    expect(nearMisses('vatle', people.values(), 1)).to.deep.equal([people[0]]);
  });
});

describe('nearWords', () => {
  const commands = ['politicians', 'parties', 'search', 'feed', 'vote', 'export', 'serve'];
  const typoCases: [written: string, near: string[]][] = [
    ['politicans', ['politicians']],
    ['POLITICIANS', ['politicians']],
    ['fed', ['feed']],
    ['vtoe', ['vote']],
    ['srve', ['serve']],
    ['pol', ['politicians']],
    ['s', []],
    ['ministries', []],
    ['', []],
  ];
  for (const [written, near] of typoCases)
    it(`finds ${near.join(', ') || 'nothing'} near "${written}"`, () => {
      expect(nearWords(written, commands)).to.deep.equal(near);
    });
});
