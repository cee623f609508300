import { expect } from 'chai';
import { ordinals, otherNotations, roman } from '../../src/language/number-notations.ts';

const written: [query: string, word: number, others: string[]][] = [
  ['quarante annuités', 0, ['40 annuités']],
  ['40 annuités', 0, ['quarante annuités']],
  ['premier janvier', 0, ['1e janvier']],
  ['article premier', 1, ['article 1e']],
  ['1er juillet', 0, ['premier', 'premier juillet']],
  ['2ème tour', 0, ['deuxième', 'second']],
  ['XXIème siècle', 0, ['21e siècle', 'XXIe siècle']],
  ['xxie siècle', 0, ['21e siècle']],
  ['5e République', 0, ['Ve République', 'cinquième']],
  ['49.3', 0, ['49 alinéa 3', '49 al 3']],
  ['31/12/2025', 0, ['31\u00a0décembre 2025']],
];

const alone: [query: string, word: number][] = [
  ['dix', 0],
  ['10', 0],
  ['10 de', 0],
  ['un port', 0],
  ['1 port', 0],
  ['premier', 0],
  ['ive siècle', 1],
  ['vie', 0],
  ['cive du port', 0],
  ['2026', 0],
  ['2026 élections', 0],
  ['49.2.1', 0],
  ['80', 0],
  ['millions', 0],
  ['20 de', 1],
  ['13/13/2025', 0],
  ["l'aide", 0],
  ['cotés', 0],
];

/** The words of a query; a space within a number stands as _. */
const wordsOf = (query: string) => query.split(' ').map((word) => word.replaceAll('_', ' '));

describe('otherWritings', () => {
  for (const [query, at, otherForms] of written)
    it(`says that ${query.split(' ')[at]} of ${JSON.stringify(query)} may be ${otherForms.join(', ')}`, () => {
      expect(otherNotations(wordsOf(query))[at]).to.include.members(otherForms);
    });

  for (const [query, at] of alone)
    it(`knows no other way to write ${query.split(' ')[at]} of ${JSON.stringify(query)}`, () => {
      expect(otherNotations(wordsOf(query))[at]).to.deep.equal([]);
    });
});

describe('numerals', () => {
  it('are written as ordinals and in Roman figures, and left alone beyond what is counted', () => {
    expect([5, 9, 21, 80].map((number) => ordinals(number)[0])).to.deep.equal([
      'cinquième',
      'neuvième',
      'vingt-et-unième',
      'quatre-vingtième',
    ]);
    expect([4, 19, 39].map(roman)).to.deep.equal(['IV', 'XIX', 'XXXIX']);
    expect([ordinals(0), ordinals(101), roman(40), roman(0)]).to.deep.equal([[], [], null, null]);
  });
});
