import { expect } from 'chai';
import { createCandidate } from '../../src/names/candidate.ts';
import { resolveName } from '../../src/names/lookup.ts';

const people = [
  { key: 'anne-vatel', name: 'Anne Vatel' },
  { key: 'anne-vatel-2', name: 'Anne Vatel' },
  { key: 'anne-lise-vatelot', name: 'Anne-Lise Vatelot' },
  { key: 'zoe-le-roc', name: 'Zoé Le Roc' },
  { key: 'zoe-leroc-brun', name: 'Zoé Leroc-Brun' },
  { key: 'paul-d-ormesaye', name: "Paul d'Ormesaye" },
  { key: 'uv', name: 'Union vaste', shortName: 'UVA' },
];

const ones = [
  ['anne-vatel', 'anne-vatel'],
  [' anne-vatel-2 ', 'anne-vatel-2'],
  ['UV', 'uv'],
  ['zoe le roc', 'zoe-le-roc'],
  ['LEROC Zoé', 'zoe-le-roc'],
  ['Le-Roc Zoé', 'zoe-le-roc'],
  ['Roc Zoé Le', 'zoe-le-roc'],
  ['zoeleroc', 'zoe-le-roc'],
  ['Anne Lise VATELOT', 'anne-lise-vatelot'],
  ["d'ormesaye", 'paul-d-ormesaye'],
  ['dormesaye', 'paul-d-ormesaye'],
  ['orm pau', 'paul-d-ormesaye'],
  ['zoe\u0301 brun', 'zoe-leroc-brun'],
  ['de Zoé Le Roc', 'zoe-le-roc'],
  ["qu'Anne-Lise Vatelot", 'anne-lise-vatelot'],
  ['Anne-Lise de Vatelot', 'anne-lise-vatelot'],
  ['le groupe UVA', 'uv'],
  ["de l'UVA", 'uv'],
  ['au UVA', 'uv'],
] as const;

const severals = [
  ['Anne Vatel', ['anne-vatel', 'anne-vatel-2']],
  ['vatel', ['anne-vatel', 'anne-vatel-2']],
  ['vate', ['anne-vatel', 'anne-vatel-2', 'anne-lise-vatelot']],
  ['leroc', ['zoe-le-roc', 'zoe-leroc-brun']],
] as const;

const nones = [
  ['Paul Ormesaie', ['paul-d-ormesaye']],
  ['vattel', ['anne-vatel', 'anne-vatel-2']],
  ['vaattttel', ['anne-vatel', 'anne-vatel-2']],
  ['Inconnu', []],
  ['', []],
  ['   ', []],
  ['\0', []],
  ['\ud800"*', []],
] as const;

type Facts = Parameters<typeof createCandidate>[0];

const resolve = (input: string, facts: Facts[]) => resolveName(input, facts.map(createCandidate));

describe('resolveName', () => {
  it('suggests of names that sound alike first the one that is written more alike', () => {
    const alike = [
      { key: 'a', name: 'Ida Vorsac' },
      { key: 'b', name: 'Ida Vorsaquer' },
    ];
    const resolution = resolve('Vorsaker', alike);
    const suggestions = resolution.match === 'none' ? resolution.suggestions : [];
    expect(suggestions.map(({ key }) => key)).to.deep.equal(['b', 'a']);
  });

  for (const [input, key] of ones) {
    it(`takes ${JSON.stringify(input)} for ${key}`, () => {
      expect(resolve(input, people)).to.deep.equal({ match: 'one', key });
    });
  }

  for (const [input, keys] of severals) {
    it(`does not choose for ${JSON.stringify(input)}`, () => {
      const resolution = resolve(input, people);
      expect(resolution.match).to.equal('several');
      const candidates = resolution.match === 'several' ? resolution.candidates : [];
      expect(candidates.map(({ key }) => key).toSorted()).to.deep.equal(keys.toSorted());
    });
  }

  for (const [input, keys] of nones) {
    it(`only suggests [${keys}] for ${JSON.stringify(input)}`, () => {
      const resolution = resolve(input, people);
      expect(resolution.match).to.equal('none');
      const suggested = resolution.match === 'none' ? resolution.suggestions : [];
      expect(suggested.map(({ key }) => key)).to.deep.equal(keys);
    });
  }

  it('takes a party by its name without the acronym that stands after it', () => {
    const parties = [
      { key: 'lmv', name: 'Les Marins - LMV' },
      { key: 'marins-libres', name: 'Les Marins-mouvement libre' },
      { key: 'phare', name: 'Le Phare (PHA)' },
      { key: 'phare-nord', name: 'Le Phare Nord' },
      { key: 'voile', name: 'Voile' },
      { key: 'voile-unie', name: 'Voile - UNI' },
    ];
    expect(resolve('les marins', parties)).to.deep.equal({ match: 'one', key: 'lmv' });
    expect(resolve('Le Phare', parties)).to.deep.equal({ match: 'one', key: 'phare' });
    expect(resolve('Voile', parties)).to.deep.equal({ match: 'one', key: 'voile' });
    expect(resolve('marins', parties).match).to.equal('several');
  });

  it('takes names of very many words only in the order of their own', () => {
    const words = Array.from({ length: 12_000 }, (_, at) => `w${at}`);
    const candidates = [{ key: 'long', name: words.join(' ') }];
    expect(resolve(words.join('-'), candidates)).to.deep.equal({ match: 'one', key: 'long' });
  });

  it('counts two names of one key once', () => {
    const candidates = [
      { key: 'zoe', name: 'Zoé Vatel' },
      { key: 'zoe', name: 'Zoé Vatel-Brun' },
    ];
    expect(resolve('zoe v', candidates)).to.deep.equal({ match: 'one', key: 'zoe' });
  });
});
