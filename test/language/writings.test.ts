import { expect } from 'chai';
import { cardinal, ordinals, roman } from '../../src/language/numerals.ts';
import { otherWritings } from '../../src/language/writings.ts';

const written: [query: string, word: number, others: string[]][] = [
  ['dix ans', 0, ['10 ans']],
  ['10 ans', 0, ['dix ans']],
  ['soixante-quatre ans', 0, ['64 ans']],
  ['un milliard', 0, ['1 milliard']],
  ['premier janvier', 0, ['1e janvier']],
  ['article premier', 1, ['article 1e']],
  ['1er juillet', 0, ['premier', 'premier juillet']],
  ['2ème tour', 0, ['deuxième', 'second']],
  ['XXIème siècle', 0, ['21e siècle', 'XXIe siècle']],
  ['xxie siècle', 0, ['21e siècle']],
  ['5e République', 0, ['Ve République', 'cinquième']],
  ['49.3', 0, ['49 alinéa 3', '49 al 3']],
  ['49, alinéa 3', 0, ['49.3']],
  ['49 al. 3', 1, ['49.3']],
  ['49 alinéa 3', 2, ['49.3']],
  ['35h', 0, ['35 heures']],
  ['35 heures', 1, ['35h']],
  ['31/12/2025', 0, ['31 décembre 2025']],
  ['10 M€', 1, ['millions euros']],
  ['10 Md€', 1, ['milliards euros', 'Mds€']],
  ["10 millions d'euros", 1, ['10 M€']],
  ['20 pour cent', 1, ['%']],
  ['20 pour cent', 2, ['%']],
  ['20 %', 0, ['vingt pour cent']],
  ['20 %', 1, ['pour cent']],
  ['vingt pour cent', 0, ['20 %']],
  ['cinquante mille euros', 0, ['50000 euros']],
  ['cinquante mille euros', 1, ['50000 euros']],
  ['50_000 €', 0, ['cinquante mille euros']],
  ['cent mille', 1, ['100000']],
  ['quatre-vingt-dix', 0, ['90']],
  ['soixante et onze', 1, ['71']],
  ['mille neuf cent quatre-vingt-un', 3, ['1981']],
  ['1,5 million', 0, ['1500000']],
  ['1_500_000', 0, ['1,5 million']],
  ['mille milliards', 0, ['1000 milliard']],
  ['trois milliards', 0, ['3 milliard']],
  ['14h30', 0, ['14 h 30', '14:30']],
  ['14 heures 30', 2, ['14h30']],
  ['14 juillet 2026', 1, ['14/07/2026', '14.07.2026', '2026-07-14']],
  ['1er mars 2026', 0, ['01/03/2026']],
  ['20 kg', 0, ['20kg']],
  ['20kg', 0, ['20 kg']],
  ['80km/h', 0, ['80 km/h']],
  ['10 hectares', 1, ['10 ha']],
  ['500 €', 1, ['EUR']],
  ['100 m²', 1, ['100m2']],
  ['article 12', 0, ['art 12']],
  ['art. 12', 0, ['article 12']],
  ['numéro 12', 0, ['12']],
  ['Covid19', 0, ['covid 19']],
  ['A 69', 0, ['a69']],
  ['A 69', 1, ['a69']],
  ['dix marchés', 0, ['10 marchés']],
  ['télé travail', 0, ['teletravail']],
  ['télé travail', 1, ['teletravail']],
  ['outremer', 0, ['outre mer']],
  ['coconstruction', 0, ['co construction']],
  ['St Denis', 0, ['saint']],
  ["entr'aide", 0, ['entraide']],
  ['pris', 0, ['prise']],
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
  for (const [query, at, others] of written)
    it(`says that ${query.split(' ')[at]} of ${JSON.stringify(query)} may be ${others.join(', ')}`, () => {
      expect(otherWritings(wordsOf(query))[at]).to.include.members(others);
    });

  for (const [query, at] of alone)
    it(`knows no other way to write ${query.split(' ')[at]} of ${JSON.stringify(query)}`, () => {
      expect(otherWritings(wordsOf(query))[at]).to.deep.equal([]);
    });
});

describe('numerals', () => {
  it('are written in French words and in Roman figures, and left alone beyond what is counted', () => {
    expect([17, 21, 70, 71, 80, 81, 99, 100, 1000].map(cardinal)).to.deep.equal(
      'dix-sept vingt-et-un soixante-dix soixante-et-onze quatre-vingts quatre-vingt-un quatre-vingt-dix-neuf cent mille'.split(
        ' ',
      ),
    );
    expect([200, 101, 1981, 80_000, 2_000_000, 2_000_000_001].map(cardinal)).to.deep.equal([
      'deux cents',
      'cent un',
      'mille neuf cent quatre-vingt-un',
      'quatre-vingt mille',
      'deux millions',
      'deux milliards un',
    ]);
    expect([5, 9, 21, 80].map((number) => ordinals(number)[0])).to.deep.equal([
      'cinquième',
      'neuvième',
      'vingt-et-unième',
      'quatre-vingtième',
    ]);
    expect([4, 19, 39].map(roman)).to.deep.equal(['IV', 'XIX', 'XXXIX']);
    expect([cardinal(10 ** 18), ordinals(0), ordinals(101), roman(40), roman(0)]).to.deep.equal([
      null,
      [],
      [],
      null,
      null,
    ]);
  });
});
