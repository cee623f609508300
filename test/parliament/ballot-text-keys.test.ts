import { expect } from 'chai';
import { billKeyInTitle, legislativeTextName, textNameInTitle } from '../../src/parliament/ballot-text.ts';
import { ballotTextKeys, type TextReference } from '../../src/parliament/ballot-text-keys.ts';
import { textKey } from '../../src/parliament/text-key.ts';
import { createRandom, seedOf } from '../helpers/random.ts';

const reference = ({ file = null, bill = null, name = null }: Partial<TextReference>): TextReference => ({
  ...{ file, bill, name },
});

const keysOf = (...references: Partial<TextReference>[]) => ballotTextKeys(references.map(reference));

describe('the text of a ballot', () => {
  it('is that of its file, whose ballots make their names aliases', () => {
    const [first, second, third] = keysOf(
      { file: 'lanternes', name: 'proposition de loi relative aux lanternes' },
      { name: 'proposition de loi relative aux lanternes' },
      { file: 'lanternes', name: 'proposition de loi lanternes et reverberes' },
    );
    expect([second, third]).to.deep.equal([first, first]);
  });

  it('is that of its bill under any name, and of its name without both', () => {
    const [first, second, third, fourth] = keysOf(
      { bill: 'AN:17:1364', name: 'projet de loi sur les digues' },
      { bill: 'AN:17:1364', name: 'projet de loi relatif aux digues' },
      { name: 'projet de loi relatif aux digues' },
      { name: 'projet de loi relatif aux ecluses' },
    );
    expect([second, third]).to.deep.equal([first, first]);
    expect(fourth).to.equal('projet de loi relatif aux ecluses');
  });

  it('is never that of another file, whatever name both bear', () => {
    const digues = 'projet de loi relatif aux digues';
    expect(keysOf({ file: 'a', name: digues }, { file: 'b', name: digues }, { name: digues })).to.deep.equal([
      ...['a', 'b', digues],
    ]);
    const throughBill = keysOf(
      { file: 'a', bill: 'AN:17:1' },
      { bill: 'AN:17:1', name: digues },
      { bill: 'AN:17:2', name: digues },
      { file: 'b', bill: 'AN:17:2' },
    );
    expect(throughBill[0]).to.equal('a');
    expect(throughBill[3]).to.equal('b');
  });

  it('is that of a file for ballots that give the file as their name, also if other files cite it', () => {
    const finance = 'projet de loi de finances pour 2031';
    const [own, named, citing] = keysOf({ file: finance }, { name: finance }, { file: 'motion', name: finance });
    expect([own, named, citing]).to.deep.equal([finance, finance, 'motion']);
  });

  it('is null where nothing names a text', () => {
    expect(keysOf({}, { name: 'a' })).to.deep.equal([null, 'a']);
  });

  const cases: [name: string, references: Partial<TextReference>[], keys: (string | null)[]][] = [
    ['the file that others with its bill state', [{ file: 'a', bill: '1' }, { bill: '1' }], ['a', 'a']],
    [
      'that file also where they state it several times',
      [{ file: 'a', bill: '1' }, { file: 'a', bill: '1' }, { bill: '1' }],
      ['a', 'a', 'a'],
    ],
    ['the only name of its bill', [{ bill: '1', name: 'n' }, { bill: '1' }], ['n', 'n']],
    [
      'its bill where that has two names',
      [{ bill: '1', name: 'n' }, { bill: '1', name: 'm' }, { name: 'm' }],
      ['1', '1', '1'],
    ],
    ['its bill where that has no name', [{ bill: '1' }], ['1']],
    [
      'the file that others with the name of its bill state',
      [{ file: 'a', name: 'n' }, { bill: '1', name: 'n' }, { bill: '1' }],
      ['a', 'a', 'a'],
    ],
    [
      'the file that others with the bill of its name state',
      [{ bill: '1', name: 'n' }, { file: 'a', bill: '1' }, { name: 'n' }],
      ['a', 'a', 'a'],
    ],
  ];
  for (const [name, references, keys] of cases)
    it(`has as its key ${name}`, () => expect(keysOf(...references)).to.deep.equal(keys));

  it('does not depend on the order of the ballots', () => {
    const random = createRandom(seedOf('TEXT_KEYS_SEED'));
    const anyKey = (letters: string[]) => random.pick([null, ...letters]);
    for (let round = 0; round < 200; round++) {
      const references = Array.from({ length: 1 + random.integer(12) }, () => ({
        ...{ file: anyKey(['a', 'b', 'c']), bill: anyKey(['1', '2', '3']), name: anyKey(['a', 'd', 'e', 'f']) },
      }));
      const keys = ballotTextKeys(references);
      const order = references.map((_, at) => ({ at, weight: random.integer(1000) }));
      order.sort((one, other) => one.weight - other.weight);
      const shuffled = ballotTextKeys(order.map(({ at }) => references[at]!));
      expect(shuffled).to.deep.equal(order.map(({ at }) => keys[at]!));
      for (const [at, { file }] of references.entries())
        for (const [otherAt, { file: otherFile }] of references.entries())
          if (file !== null && otherFile !== null)
            expect(keys[at] === keys[otherAt], `round ${round}`).to.equal(file === otherFile);
    }
  });
});

describe('the key of a name', () => {
  const keys: [name: string, key: string][] = [
    ['  Projet de loi : « Écluses » (2031). ', 'projet de loi ecluses 2031'],
    ['sur les sur les digues', 'sur les digues'],
    ['dans le cas prévu dans le cas prévu ailleurs', 'dans le cas prevu ailleurs'],
    ['sur sur les digues', 'sur sur les digues'],
    ['essur les sur les digues', 'essur les sur les digues'],
    ['sur les digues et sur les ports', 'sur les digues et sur les ports'],
  ];
  for (const [name, key] of keys) it(`is "${key}" for "${name}"`, () => expect(textKey(name)).to.equal(key));
});

const an = { chamber: 'AN', legislature: '17' };

describe('the number of a bill', () => {
  const numbers: [title: string, fields: Record<string, string>, bill: string | null][] = [
    ["l'ensemble de la proposition de loi verger (n° 1364) (première lecture).", an, 'AN:17:1364'],
    ["l'article 2 du projet de loi n° 1100 relatif aux digues", an, 'AN:17:1100'],
    ["l'ensemble de la proposition de loi verger (nos 1364, 1403)", an, 'AN:17:1364'],
    [
      'sur le projet de loi relatif aux digues (texte de la commission n° 324, 2030-2031)',
      { chamber: 'Senat' },
      'Senat:2030-2031:324',
    ],
    [
      'sur le projet de loi relatif aux digues, texte n° 324',
      { chamber: 'Senat', session: '2030-2031' },
      'Senat:2030-2031:324',
    ],
    ['sur le projet de loi relatif aux digues (n° 324)', { chamber: 'Senat' }, null],
    ["l'amendement n° 12 à l'article 3 du projet de loi relatif aux digues", an, null],
    ["le projet de loi ratifiant l'ordonnance n° 2005-1040 relative aux digues", an, null],
    ['la proposition de résolution visant à abroger la loi n° 2023-270', an, null],
    ["l'ensemble de la proposition de loi verger (n° 1364)", { chamber: 'AN' }, null],
    ['la proposition de loi verger(n°1364)', an, 'AN:17:1364'],
    ['la proposition de loi verger (texte n° 0324)', an, 'AN:17:324'],
    ['le projet de loi relatif aux digues texte n°324, adopté par le Sénat', an, 'AN:17:324'],
    ['le projet de loi relatif aux digues, texte n° 324-A', an, null],
    ['le projet de loi n°1100 relatif aux digues', an, 'AN:17:1100'],
    ['le projet de loi relatif à la proposition de loi n° 12 sur les ports', an, null],
    ['la motion de censure (n° 12)', an, null],
  ];
  for (const [title, fields, bill] of numbers)
    it(`is ${bill} in: ${title}`, () => expect(billKeyInTitle({ title, ...fields })).to.equal(bill));
});

describe('the name of a text', () => {
  const verger = 'proposition de loi visant à planter des vergers';
  const names: [title: string, name: string | null][] = [
    [`l'ensemble de la ${verger} (n° 1364) (première lecture).`, verger],
    [`l'ensemble de la proposition de loi n° 1364 visant à planter des vergers`, verger],
    [`l'article 3 de la ${verger} (création d'une aide, dite prime (PPV), aux jeunes)`, verger],
    [
      "sur l'article 3 du projet de loi de finances pour 2031, adopté par l'Assemblée nationale (franchise, seuils et taux)",
      'projet de loi de finances pour 2031',
    ],
    [
      'sur la motion n° 1 sur la proposition de loi, présentée par M. Odon Varenne et les membres de son groupe, apparentés et rattachés, visant à planter des vergers',
      verger,
    ],
    [
      'sur la demande de discussion immédiate de la proposition de loi présentée par M. Odon Varenne et les membres de son groupe visant à planter des vergers',
      verger,
    ],
    [
      "au projet de loi adopté par l'Assemblée nationale après déclaration d'urgence, portant réforme des ports",
      'projet de loi portant réforme des ports',
    ],
    [
      "l'ensemble du projet de loi, modifié par l'Assemblée nationale, ratifiant l'ordonnance sur les vergers",
      "projet de loi ratifiant l'ordonnance sur les vergers",
    ],
    [`l'ensemble de la ${verger}, rapporteure Mme Ysaline Corbière`, verger],
    ['la déclaration du Gouvernement', null],
    ['projet de loi relatif aux digues', 'projet de loi relatif aux digues'],
    ['article 2, projet de loi relatif aux digues', 'projet de loi relatif aux digues'],
    [
      'le projet de loi, relatif aux digues,aux ports et aux quais',
      'projet de loi relatif aux digues, aux ports et aux quais',
    ],
    [
      'le projet de loi relatif à la proposition de loi, aux digues',
      'projet de loi relatif à la proposition de loi, aux digues',
    ],
    [
      'sur le projet de loi relatif aux digues dans la rédaction du texte proposé par la commission',
      'projet de loi relatif aux digues',
    ],
    [`la ${verger} de Mme la première ministre`, verger],
    [`la ${verger} de M. le Premier ministre`, verger],
    [
      'le projet de loi sur les pouvoirs de M. le Premier ministre et des ports',
      'projet de loi sur les pouvoirs de M. le Premier ministre et des ports',
    ],
    ['le projet de loi relatif aux digues (urgence), adopté par le Sénat', 'projet de loi relatif aux digues'],
    ['le projet de loi relatif aux digues(urgence)(première lecture) . ', 'projet de loi relatif aux digues'],
    ['le projet de loi relatif aux digues(n° 12)', 'projet de loi relatif aux digues'],
    [
      'la proposition de loi relative aux digues, aux ports présentés après la crue',
      'proposition de loi relative aux digues, aux ports présentés après la crue',
    ],
    [
      'le projet de loi relatif à la proposition de loi adoptée hier visant les ports',
      'projet de loi relatif à la proposition de loi adoptée hier visant les ports',
    ],
    ['la proposition de loi présentée par M. Odon Varenne,visant à planter des vergers', verger],
    ['la proposition de loi adoptée par le Sénat relative aux ports', 'proposition de loi relative aux ports'],
  ];
  for (const [title, name] of names)
    it(`is ${name} in: ${title}`, () => expect(textNameInTitle({ title })).to.equal(name));

  it('is the name in the title also where the ballot states a file', () => {
    const ballot = { title: `l'ensemble de la ${verger}.`, dossier: 'Vergers' };
    expect(legislativeTextName(ballot)).to.equal('Vergers');
    expect(textKey(textNameInTitle(ballot)!)).to.equal('proposition de loi visant a planter des vergers');
  });
});
