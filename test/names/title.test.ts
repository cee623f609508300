import { expect } from 'chai';
import { nameReadings } from '../../src/names/title.ts';

const readings: [written: string, readings: string[], gender: string | null][] = [
  ['Anne Merlin', ['anne merlin'], null],
  ['Mme Merlin', ['mme merlin', 'merlin'], 'F'],
  ['M. Merlin', ['m merlin', 'merlin'], 'M'],
  ['Mlle Merlin', ['mlle merlin', 'merlin'], 'F'],
  ['Madame la ministre Merlin', ['madame la ministre merlin', 'la ministre merlin', 'merlin'], 'F'],
  ['le président Merlin', ['le president merlin', 'merlin'], 'M'],
  ['Dr Merlin', ['dr merlin', 'merlin'], null],
  ['Merlin députée', ['merlin deputee', 'merlin'], 'F'],
  ['Anne Merlin (PP)', ['anne merlin pp', 'anne merlin'], null],
  ['ministre Le Maire', ['ministre le maire', 'le maire'], null],
  ['le garde des Sceaux Merlin', ['le garde des sceaux merlin', 'merlin'], 'M'],
  ['la secrétaire d’État Anne Merlin', ['la secretaire d etat anne merlin', 'anne merlin'], 'F'],
  ['Merlin, rapporteure', ['merlin rapporteure', 'merlin'], 'F'],
  ['garde forestier', ['garde forestier'], null],
  ['le maire', ['le maire'], null],
  ['Président', ['president'], null],
  ["l'UPN", ['l upn', 'upn'], null],
  ['l’UPN', ['l upn', 'upn'], null],
  ["L'Orme", ['l orme'], null],
  ['', [''], null],
];

describe('addressedNames', () => {
  for (const [written, expected, gender] of readings) {
    it(`reads ${JSON.stringify(written)} as ${expected.join(', ') || 'nothing'}`, () => {
      const addressed = nameReadings(written);
      expect(addressed.map(({ words }) => words.join(' '))).to.deep.equal(expected);
      expect(addressed.at(-1)!.gender).to.equal(gender);
    });
  }

  it('takes a few titles off a text at most, however many it begins with', () => {
    const readings = nameReadings(`${'m '.repeat(249)}zz`);
    expect(readings.length).to.be.at.most(7);
    expect(nameReadings(`${'m '.repeat(249)}zz (pp)`).length).to.be.at.most(14);
  });
});
