import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { areDifferentPersons, personIdentity } from '../../src/names/person.ts';

type Person = [name: string, born?: string | null, id?: string | number];

const documentOf = ([full_name, birth_date = null, id]: Person): Document => ({
  slug: 'somebody',
  full_name,
  birth_date,
  ...(id === undefined ? {} : { id }),
});

const corrected: [Person, Person][] = [
  // Another spelling of the name, whatever else is corrected.
  [
    ['Élodie Vaugrenard', '1971-03-14'],
    ['Elodie Vaugrenard', '1968-11-02'],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-14'],
    ['VAUGRENARD Élodie', '1968-11-02'],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-14'],
    ['Élodie Vaugrenart', '1968-11-02'],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-14'],
    ['Élodie Vaugrenard-Bruyval', '1968-11-02'],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-14'],
    ['Élodie Marie Vaugrenard', '1968-11-02'],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-14'],
    ['E. Vaugrenard', '1968-11-02'],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-14'],
    ['Vaugrenard', '1968-11-02'],
  ],
  [
    ['Mahaut de La Brande', '1971-03-14'],
    ['Mahaut Brande', '1968-11-02'],
  ],
  [
    ['Mahaut de La Brande', '1971-03-14'],
    ['Mahaut Delabrande', '1968-11-02'],
  ],
  [
    ['Mahaut d’Orvelle', '1971-03-14'],
    ["Mahaut D'ORVELLE", '1968-11-02'],
  ],
  [
    ['Jean-Loup Sarvenac', '1971-03-14'],
    ['Jean Loup Sarvenac', '1968-11-02'],
  ],
  [
    ['Jean-Loup Sarvenac', '1971-03-14'],
    ['Jeanloup Sarvenac', '1968-11-02'],
  ],
  [
    ['Jean-Loup Sarvenac', '1971-03-14'],
    ['Jean Loup Sarvennac', '1968-11-02'],
  ],
  [
    ['Jean-Loup Sarvenac', '1971-03-14'],
    ['J.-L. Sarvenac', '1968-11-02'],
  ],
  [
    ['Thibault Crévigny', '1971-03-14'],
    ['Thibaut Crévigny', '1968-11-02'],
  ],
  [
    ['Zoé van der Plaetsen', '1971-03-14'],
    ['Zoé Plaetsen', '1968-11-02'],
  ],
  // One fact alone.
  [['Élodie Vaugrenard'], ['Basile Ormont']],
  [['Élodie Vaugrenard', '1971-03-14'], ['Basile Ormont']],
  [['Élodie Vaugrenard'], ['Basile Ormont', '1968-11-02']],
  [
    ['Élodie Vaugrenard', '1971-03-14'],
    ['Élodie Vaugrenard', '1968-11-02'],
  ],
  [
    ['Élodie Vaugrenard', null, 17],
    ['Élodie Vaugrenard', null, 93],
  ],
  [
    ['Élodie Vaugrenard', '1971', 17],
    ['Élodie Vaugrenard', '1968', 93],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-14', 17],
    ['Élodie Vaugrenard', '1968-11-02', 17],
  ],
  [
    ['Élodie Vaugrenard', null, 17],
    ['Basile Ormont', null, 17],
  ],
  [
    ['', '1971-03-14'],
    ['Basile Ormont', '1968-11-02'],
  ],
  // The same day of birth, in any spelling.
  [
    ['Élodie Vaugrenard', '1971-03-14', 17],
    ['Élodie Bruyval', '1971-03-14', 93],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-14', 17],
    ['Élodie Bruyval', '14/03/1971', 93],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-14', 17],
    ['Élodie Bruyval', '14 mars 1971', 93],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-14', 17],
    ['Élodie Bruyval', '14.03.1971', 93],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-14', 17],
    ['Élodie Bruyval', '1971-03-14T00:00:00Z', 93],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-14', 17],
    ['Basile Ormont', '1971-03-14', 93],
  ],
  // A new surname beside a misprint of the day.
  [
    ['Élodie Vaugrenard', '1971-03-14'],
    ['Élodie Bruyval', '1977-03-14'],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-14'],
    ['Élodie Bruyval', '1917-03-14'],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-14'],
    ['Élodie Bruyval', '1971-05-14'],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-14'],
    ['Élodie Bruyval', '1971-03-24'],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-04'],
    ['Élodie Bruyval', '1971-04-03'],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-01'],
    ['Élodie Bruyval', '1971-02-28T23:00:00Z'],
  ],
  [
    ['Élodie Vaugrenard', '1971-01-01'],
    ['Élodie Bruyval', '1971-03-14'],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-14'],
    ['Élodie Bruyval', '1971'],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-14'],
    ['Élodie Bruyval', '03/1968'],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-14'],
    ['Élodie Bruyval', 'unknown'],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-14'],
    ['Élodie Bruyval', '1971-02-31'],
  ],
  // Ids of another style, as after a move of the database.
  [
    ['Élodie Vaugrenard', null, 17],
    ['Élodie Bruyval', null, 'PA0042'],
  ],
  [
    ['Élodie Vaugrenard', null, 17],
    ['Élodie Bruyval', null, '9f1c2ab4-77aa-4c1d-8f0e-aa10bb20cc30'],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-14', 17],
    ['Élodie Vaugrenard', '1968-11-02', 'PA0042'],
  ],
  [
    ['Élodie Vaugrenard', null, 17],
    ['Élodie Bruyval', null, '17'],
  ],
];

const reused: [Person, Person][] = [
  [
    ['Élodie Vaugrenard', '1971-03-14'],
    ['Basile Ormont', '1968-11-02'],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-14'],
    ['Basile Ormont', '02/11/1968'],
  ],
  [
    ['Élodie Vaugrenard', '14/03/1971'],
    ['Basile Ormont', '2 novembre 1968'],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-14T00:00:00Z'],
    ['Basile Ormont', '1968-11-02'],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-14'],
    ['Basile Vaugrenard', '1999-11-02'],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-14'],
    ['Élodie Ormont', '1999-11-02'],
  ],
  [
    ['Élodie Vaugrenard', '1971-01-01'],
    ['Basile Ormont', '1968-01-01'],
  ],
  [
    ['Élodie Vaugrenard', '1971-01-01'],
    ['Basile Ormont', '1968-11-02'],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-14'],
    ['Basile Ormont', '1971-11-02'],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-14'],
    ['Basile Ormont', '1968-03-02'],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-14', 17],
    ['Élodie Vaugrenard', '1999-11-02', 93],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-14', 'PA17'],
    ['Élodie Vaugrenard', '1999-11-02', 'PA93'],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-14', 'PA17'],
    ['Elodie VAUGRENARD', '1999-11-02', 'PA1093'],
  ],
  [
    ['Élodie Vaugrenard', null, 17],
    ['Basile Ormont', null, 93],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-14', 17],
    ['Basile Ormont', null, 93],
  ],
  [
    ['Élodie Vaugrenard', '1971', 17],
    ['Basile Ormont', '1999', 93],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-14', 17],
    ['Basile Ormont', '1968-11-02', 17],
  ],
  [
    ['Élodie Vaugrenard', '1971-03-14', 17],
    ['Basile Ormont', '1968-11-02', 93],
  ],
  [
    ['Élodie Vaugrenard', null, '9f1c2ab4-77aa-4c1d-8f0e-aa10bb20cc30'],
    ['Basile Ormont', null, '1a2b3c4d-0000-4aaa-9bbb-abcdef012345'],
  ],
  [
    ['Ana Roc', '1971-03-14'],
    ['Ida Roc', '1968-11-02'],
  ],
  [
    ['Mahaut de La Brande', '1971-03-14'],
    ['Guérin de La Brande', '1968-11-02'],
  ],
  [
    ['Mahaut d’Orvelle', '1971-03-14'],
    ['Mahaut de La Brande', '1968-11-02'],
  ],
  [
    ['Jean-Loup Sarvenac', '1971-03-14'],
    ['Jean-Marc Sarvenac', '1968-11-02'],
  ],
];

describe('whether two documents of one slug are of one person', () => {
  for (const [one, other] of corrected)
    it(`corrects ${one.join(' · ')} to ${other.join(' · ')}`, () => {
      expect(areDifferentPersons(documentOf(one), documentOf(other))).to.equal(false);
      expect(areDifferentPersons(documentOf(other), documentOf(one))).to.equal(false);
    });
  for (const [one, other] of reused)
    it(`tells ${one.join(' · ')} from ${other.join(' · ')}`, () => {
      expect(areDifferentPersons(documentOf(one), documentOf(other))).to.equal(true);
      expect(areDifferentPersons(documentOf(other), documentOf(one))).to.equal(true);
    });
  it('marks a person by the day of birth in any spelling, else by the words of the name', () => {
    expect(personIdentity(documentOf(['Basile Ormont', '02/11/1968']))).to.equal('1968-11-02');
    expect(personIdentity(documentOf(['Basile Ormont', '1968']))).to.equal(
      personIdentity(documentOf(['ORMONT Basile'])),
    );
  });
});
