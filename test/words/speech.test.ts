import { expect } from 'chai';
import { languageOfTag, localeLanguage } from '../../src/words/language.ts';
import { loadLanguage, say, saying, speechOf, textIn } from '../../src/words/speech.ts';

const english = speechOf('en');
const french = speechOf('fr');

describe('speech', () => {
  before(() => loadLanguage('fr'));

  it('tells a phrase in either language, and in English wherever it is taken for a string', () => {
    const phrase = say`as of ${'2031-05-06'}`;
    expect(textIn(phrase, 'fr')).to.equal('état au 2031-05-06');
    expect(french.say`as of ${'2031-05-06'}`).to.equal('état au 2031-05-06');
    expect(textIn(phrase, 'en')).to.equal('as of 2031-05-06');
    expect(`${phrase}`).to.equal('as of 2031-05-06');
  });

  it('elides de and que before the names that a French phrase is filled with', () => {
    const versionsOf = (name: string) => textIn(say`Versions of ${name}`, 'fr');
    expect(['Emmanuel', 'Île-aux-Hérons', 'Paul', 'AN', 'en'].map(versionsOf)).to.deep.equal([
      'Versions d’Emmanuel',
      'Versions d’Île-aux-Hérons',
      'Versions de Paul',
      'Versions de AN',
      'Versions de en',
    ]);
    expect(english.say`Versions of ${'Emmanuel'}`).to.equal('Versions of Emmanuel');
  });

  it('tells a phrase within a phrase in the same language', () => {
    const phrase = say`retrieved ${saying((speech) => speech.day('2031-05-01'))}`;
    expect(textIn(phrase, 'en')).to.equal('retrieved 1 May 2031');
    expect(textIn(phrase, 'fr')).to.equal('consulté le 1er\u00a0mai 2031');
  });

  it('counts in the plural of the language', () => {
    expect([0, 1, 2, 1234].map((number) => english.count(number, 'party'))).to.deep.equal([
      '0 parties',
      '1 party',
      '2 parties',
      '1,234 parties',
    ]);
    expect([0, 1, 1.5, 2, 1234].map((number) => french.count(number, 'party'))).to.deep.equal([
      '0\u00a0parti',
      '1\u00a0parti',
      '1,5\u00a0parti',
      '2\u00a0partis',
      '1\u202f234\u00a0partis',
    ]);
    expect(french.plural(0, 'one', 'many')).to.equal('one');
    expect(english.plural(0, 'one', 'many')).to.equal('many');
  });

  it('writes figures as the language does', () => {
    expect([0, 999, 1000, -1234567.5].map((value) => english.number(value))).to.deep.equal([
      '0',
      '999',
      '1,000',
      '-1,234,567.5',
    ]);
    expect(french.number(1234.5)).to.equal('1\u202f234,5');
    expect(french.number(0.8333, 2)).to.equal('0,83');
    expect([english.share(0.834), french.share(0.834, 1)]).to.deep.equal(['83%', '83,4\u202f%']);
    expect([0, 1, 999, 69_900_000, 1_440_000_000].map((size) => english.bytes(size))).to.deep.equal([
      '0 bytes',
      '1 byte',
      '999 bytes',
      '70 MB',
      '1.4 GB',
    ]);
    expect([1, 512, 1_440_000_000].map((size) => french.bytes(size))).to.deep.equal([
      '1\u00a0octet',
      '512\u00a0octets',
      '1,4\u00a0Go',
    ]);
  });

  it('writes days, moments and spans as people do, and leaves what is none', () => {
    expect(english.day('2026-11-22')).to.equal('22 November 2026');
    expect(french.day('2026-11-01T08:00:00Z')).to.equal('1er\u00a0novembre 2026');
    expect([french.day('2026-11'), french.day('2026'), french.day('hier')]).to.deep.equal([
      'novembre 2026',
      '2026',
      'hier',
    ]);
    expect(english.moment('2026-11-22T14:05:59.000Z')).to.equal('22 November 2026, 14:05 UTC');
    expect(french.moment('2026-11-22T09:05:00+01:00')).to.equal('22\u00a0novembre 2026 à 8\u00a0h\u00a005 UTC');
    expect([english.ago(8 * 60_000), french.ago(60_000)]).to.deep.equal(['8 minutes ago', 'il y a 1\u00a0minute']);
    expect([english.duration(400), french.duration(172_800_000)]).to.deep.equal(['0 seconds', '2\u00a0jours']);
  });

  it('lists and quotes', () => {
    expect(english.list(['a', 'b', 'c'])).to.equal('a, b and c');
    expect(french.list(['a', 'b', 'c'], 'or')).to.equal('a, b ou c');
    expect([english.list([]), english.list(['a'])]).to.deep.equal(['', 'a']);
    expect([english.quoted('x'), french.quoted('x')]).to.deep.equal(['“x”', '«\u00a0x\u00a0»']);
  });
});

describe('the language of a locale', () => {
  it('is that of the first variable that is set and not empty', () => {
    expect(localeLanguage({ LC_ALL: '', LC_MESSAGES: 'fr_FR.UTF-8', LANG: 'de_DE' })).to.equal('fr');
    expect(localeLanguage({ LC_ALL: 'C', LANG: 'fr_FR.UTF-8' })).to.equal('en');
    expect(localeLanguage({ LANG: 'de_DE.UTF-8' })).to.equal('en');
    expect(localeLanguage({})).to.equal('en');
  });

  it('is understood in the spellings of tags', () => {
    expect(['fr', 'FR', 'fr-CA', 'fr_FR.UTF-8', 'fr@euro', 'en'].map(languageOfTag)).to.deep.equal([
      'fr',
      'fr',
      'fr',
      'fr',
      'fr',
      'en',
    ]);
    expect(['', 'C', 'french', 'fry', undefined].map(languageOfTag)).to.deep.equal([null, null, null, null, null]);
  });
});
