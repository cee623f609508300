import { expect } from 'chai';
import { areOfOneVerb, familyOf, familyPrefix } from '../../src/language/families.ts';
import { proseTokens } from '../../src/language/prose.ts';

const token = (word: string) => proseTokens(word)[0]!;

const families = [
  ['logement', 'loger', 'logements'],
  ['immigration', 'immigrant', 'immigrer'],
  ['financement', 'financer', 'finances'],
  ['enseignement', 'enseignant', 'enseigner'],
  ['voter', 'votera'],
];

describe('word families', () => {
  for (const family of families)
    it(`hold ${family.join(', ')} together`, () => {
      expect(new Set(family.map((word) => familyOf(token(word)))).size).to.equal(1);
    });

  it('keep apart what only begins alike', () => {
    expect(familyOf(token('forêt'))).not.to.equal(familyOf(token('force')));
    expect(familyOf(token('police'))).not.to.equal(familyOf(token('politique')));
    expect(familyOf(token('moment'))).to.equal('moment');
    expect(familyOf(token('récemment'))).not.to.equal(familyOf(token('récemer')));
  });

  it('tell forms of one verb from nouns and what is derived from them', () => {
    const areForms = (one: string, other: string) => areOfOneVerb(token(one), token(other));
    for (const [one, other] of [
      ['voter', 'votent'],
      ['votait', 'voterons'],
      ['réunir', 'réunissent'],
      ['achète', 'acheter'],
      ['appelle', 'appelons'],
    ] as const)
      expect(areForms(one, other), `${one} ${other}`).to.equal(true);
    for (const [one, other] of [
      ['maire', 'mairie'],
      ['franc', 'français'],
      ['important', 'importation'],
      ['loge', 'logement'],
      ['poste', 'poster'],
      ['parti', 'partir'],
      ['police', 'policier'],
    ] as const)
      expect(areForms(one, other), `${one} ${other}`).to.equal(false);
  });

  it('are looked for among the words that begin as they do, and where that is too little, not at all', () => {
    for (const family of families) {
      for (const word of family)
        expect(token(word).startsWith(familyPrefix(token(family[0]!))!.slice(0, 3))).to.equal(true);
    }
    expect(familyPrefix('loi')).to.equal(null);
  });
});
