import { expect } from 'chai';
import { analyseName, nameSortKey, nameTokens, nameWords } from '../../src/language/name.ts';

const indexed = [
  ['Le Roc', 'le roc leroc'],
  ['LE-ROC', 'le roc leroc'],
  ['leroc', 'leroc'],
  ["Borel-À-L'Aiguillier", 'borel a l aiguillier laiguillier borelalaiguillier'],
  ['Borel-À-L’Aiguillier', 'borel a l aiguillier laiguillier borelalaiguillier'],
  ['Anne-Lise Le Roc', 'anne lise le roc annelise annelisele leroc'],
  ["Zoé d'Ormesaye", 'zoe d ormesaye dormesaye zoedormesaye'],
  ['Paul de la Brande', 'paul de la brande paulde dela delabrande labrande'],
  ['Œdipe ÇA', 'oedipe ca oedipeca'],
  ['J.-L. Vatel', 'j l vatel jl jlvatel'],
  ['Łuksza Ørn', 'luksza orn lukszaorn'],
  ['Les élues nationales', 'les elues nationales leselues eluesnationales'],
  ['', ''],
  [' - ', ''],
] as const;

const sorted = [
  ['Anne Vatel', undefined, undefined, 'vatel anne'],
  ['Anne Vatel', 'Vatel', 'Anne', 'vatel anne'],
  ['Anne-Lise Le Roc', undefined, undefined, 'leroc annelise'],
  ['Anne Le Roc', 'Le Roc', 'Anne', 'leroc anne'],
  ['Anne de Villebrume', undefined, undefined, 'villebrume anne de'],
  ['Anne de Villebrume', 'de Villebrume', 'Anne', 'villebrume anne de'],
  ["Zoé d'Ormesaye", undefined, undefined, 'ormesaye zoe d'],
  ['Zoé D’Ormesaye', 'D’Ormesaye', 'Zoé', 'ormesaye zoe d'],
  ['Paul de la Brande', undefined, undefined, 'labrande paul de'],
  ['Paul du Bosquet', undefined, undefined, 'dubosquet paul'],
  ['Paul des Aulnes', undefined, undefined, 'desaulnes paul'],
  ['Jean Marie VATEL', undefined, undefined, 'vatel jeanmarie'],
  ['VATEL-ROC Jean', undefined, undefined, 'vatelroc jean'],
  ['Jean Marie Vatel', 'Vatel', null, 'vatel jeanmarie'],
  ['Jean Marie Vatel', null, 'Jean Marie', 'vatel jeanmarie'],
  ['Les Verdoyants', undefined, undefined, 'lesverdoyants'],
  ['Vatel', undefined, undefined, 'vatel'],
  ['', undefined, undefined, ''],
] as const;

describe('name', () => {
  for (const [name, tokens] of indexed) {
    it(`indexes ${JSON.stringify(name)} as ${JSON.stringify(tokens)}`, () => {
      expect(analyseName(name)).to.equal(tokens);
      expect(nameTokens(name).join(' ')).to.equal(tokens);
    });
  }

  it('lets all the ways to write a name meet', () => {
    for (const name of ['Le Roc', 'LE-ROC', 'leroc', "L'Éroc", 'le\u00a0roc', 'Le\u200b Roc']) {
      expect(nameTokens(name), name).to.include('leroc');
    }
  });

  it('gives the folded parts alone', () => {
    expect(nameWords("Anne-Lise D'Ormesaye")).to.deep.equal(['anne', 'lise', 'd', 'ormesaye']);
  });

  it('never gives a token twice beside the parts', () => {
    expect(nameTokens('Le Roc Le Roc')).to.deep.equal(['le', 'roc', 'le', 'roc', 'leroc', 'rocle']);
  });

  for (const hostile of ['\0', '\ud800', "'".repeat(5000), 'a-'.repeat(5000), 'Le '.repeat(5000), '\u202eroc', '😀']) {
    it(`gives only whole tokens for ${JSON.stringify(hostile.slice(0, 10))}`, () => {
      for (const token of nameTokens(hostile)) {
        expect(token)
          .to.match(/^[a-z0-9_\u0080-\u{10ffff}]{1,64}$/u)
          .and.not.match(/\p{Cs}/u);
      }
    });
  }

  for (const [name, last, first, key] of sorted) {
    it(`sorts ${JSON.stringify(name)} with surname ${last} under ${JSON.stringify(key)}`, () => {
      expect(nameSortKey(name, last, first)).to.equal(key);
    });
  }

  it('puts a directory in the order of French ones', () => {
    const directory = [
      'Zoé Abel',
      'Anne-Lise Élan',
      "Paul d'Elar",
      'Paul Élan',
      'Anne de Fay',
      'Jean Du Fay',
      'Luc Le Roc',
    ];
    const ordered = directory.toSorted((a, b) => (nameSortKey(a) < nameSortKey(b) ? -1 : 1));
    expect(ordered).to.deep.equal([
      ...['Zoé Abel', 'Jean Du Fay', 'Anne-Lise Élan', 'Paul Élan', "Paul d'Elar", 'Anne de Fay', 'Luc Le Roc'],
    ]);
  });
});
