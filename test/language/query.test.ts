import { expect } from 'chai';
import { parseQuery } from '../../src/language/query.ts';

const proses = [
  ['impôts locaux', [['impot'], ['local']]],
  ["l'état d'urgence", [['etat'], ['urgenc']]],
  ['49.3', [['49_3']]],
  ['article 50 000 euros', [['articl'], ['50000'], ['euro']]],
  ['2024 577', [['2024'], ['577']]],
  ['L. 123-4', [['l'], ['123_4']]],
  ['n° 12', [['12']]],
  ['anne-lise', [['anne', 'lise']]],
  ['AND OR NOT NEAR', [['and'], ['or'], ['not'], ['near']]],
  ['"pouvoir d\'achat" loi', [['pouvoir', 'achat'], ['loi']]],
  ['«pouvoir d’achat»', [['pouvoir', 'achat']]],
  ['loi"projet de"vote', [['loi'], ['projet', 'de'], ['vote']]],
  ['loi "vote', [['loi'], ['vote']]],
  ['"a b" c"', [['a', 'b'], ['c']]],
  ['title:loi (vote) -non ^x', [['titl', 'loi'], ['vote'], ['non'], ['x']]],
  ['" " "" * ! \' d\' loi', [['loi']]],
  ['', []],
] as const;

describe('parseQuery', () => {
  for (const [query, prose] of proses) {
    it(`reads ${JSON.stringify(query)} as ${JSON.stringify(prose)}`, () => {
      expect(parseQuery(query).map((term) => term.prose)).to.deep.equal(prose);
    });
  }

  it('describes a word', () => {
    const [term] = parseQuery("  Borel-à-l'Aiguillier ");
    expect(term).to.deep.equal({
      text: "Borel-à-l'Aiguillier",
      prose: ['borel', 'a', 'aiguillier'],
      name: ['borel', 'a', 'l', 'aiguillier'],
      nameJoined: 'borelalaiguillier',
      phrase: false,
      prefix: false,
    });
  });

  it('describes a phrase and a prefix', () => {
    const shapes = parseQuery('"Le Roc" retr* "projet de l*" "vote bl"*').map(({ text, phrase, prefix }) => [
      text,
      phrase,
      prefix,
    ]);
    expect(shapes).to.deep.equal([
      ['Le Roc', true, false],
      ['retr', false, true],
      ['projet de l', true, true],
      ['vote bl', true, true],
    ]);
  });

  it('keeps 32 terms of 32 tokens', () => {
    expect(parseQuery('mot '.repeat(100))).to.have.lengthOf(32);
    expect(parseQuery('a-'.repeat(100))[0]?.prose).to.have.lengthOf(32);
    expect(parseQuery('a-'.repeat(100))[0]?.name).to.have.lengthOf(32);
  });

  const hostile = [
    '\0',
    '\ud800',
    '"'.repeat(10_001),
    '*'.repeat(10_000),
    '"*'.repeat(5000),
    '('.repeat(10_000),
  ];
  for (const query of [
    ...hostile,
    '\u202e"',
    "'; DROP TABLE x; --",
    '1 000 '.repeat(5000),
    'e\u0301"',
    'x'.repeat(10_000_000),
  ]) {
    it(`takes ${JSON.stringify(query.slice(0, 12))} without an error`, () => {
      for (const { prose, name, nameJoined } of parseQuery(query)) {
        expect(prose).to.not.be.empty;
        expect(name).to.not.be.empty;
        for (const token of [...prose, ...name, nameJoined])
          expect(token).to.match(/^[a-z0-9_\u0080-\u{10ffff}]{1,64}$/u);
      }
    });
  }
});
