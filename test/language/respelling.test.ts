import { expect } from 'chai';
import { doublings, mistypings, respellings } from '../../src/language/respelling.ts';

describe('respellings', () => {
  for (const [written, meant] of [
    ['fotovoltaique', 'photovoltaique'],
    ['filosofie', 'philosophie'],
    ['fisique', 'physique'],
    ['istoire', 'histoire'],
    ['proprietere', 'proprietaire'],
    ['rénumération', 'remuneration'],
    ['cotisassion', 'cotisation'],
    ['connection', 'connexion'],
    ['tendence', 'tendance'],
    ['pharmassie', 'pharmacie'],
    ['ospital', 'hopital'],
    ['forest', 'foret'],
  ] as const)
    it(`say that ${written} may be ${meant}`, () => {
      expect(respellings(written.normalize('NFD').replace(/\p{M}/gu, ''))).to.include(meant);
    });

  it('take no ff for a p', () => {
    expect(respellings('deffense')).not.to.include('depense');
  });

  it('are few, whatever is written, and never the word itself', () => {
    for (const word of ['', 'a', 'fff', 'canins'.repeat(20), 'ecoute'.repeat(40)]) {
      const found = respellings(word);
      expect(found.length).to.be.at.most(160);
      expect(found).not.to.include(word);
    }
  });
});

describe('doublings', () => {
  it('double each consonant between vowels, one at a time', () => {
    expect(doublings('conection')).to.deep.equal(['connection']);
    expect(doublings('aparition')).to.deep.equal(['apparition', 'aparrition', 'aparittion']);
  });
});

describe('mistypings', () => {
  it('say what was meant by a letter too many, one too few of two, and two that were swapped', () => {
    expect(mistypings('masisve')).to.include('massive');
    expect(mistypings('noouveau')).to.include('nouveau');
    expect(mistypings('ereur')).to.include('erreur');
  });
});
