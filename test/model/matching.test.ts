import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { likenessOf, matchRecords } from '../../src/model/matching.ts';
import { createRandom } from '../helpers/random.ts';

const quote = kindOf('quote');
const said = (text: string, otherFields: Document = {}): Document => ({
  ...{ politician: 'ada-valombre', date: '2025-03-01', text },
  ...otherFields,
});
const matched = (stored: Document[], received: Document[], kind = quote) =>
  matchRecords(
    stored.map((each) => likenessOf(kind, each)),
    received.map((each) => likenessOf(kind, each)),
  );

describe('the matching of records without an id', () => {
  const lamps = 'Les phares resteront allumés toute la nuit.';
  const cases: [what: string, stored: Document[], received: Document[], matches: (number | null)[]][] = [
    ['nothing', [], [said(lamps)], [null]],
    ['equal records in their order', [said(lamps), said(lamps)], [said(lamps), said(lamps)], [0, 1]],
    ['one of two equal records', [said(lamps), said(lamps)], [said(lamps)], [0]],
    ['two equal records where one was', [said(lamps)], [said(lamps), said(lamps)], [0, null]],
    ['a corrected text', [said(lamps)], [said('Les phares resteront éteints toute la nuit.')], [0]],
    ['another field', [said(lamps)], [said(lamps, { topic: 'mer' })], [0]],
    ['case and punctuation', [said(lamps)], [said('LES PHARES… resteront allumés, toute la nuit !')], [0]],
    ['another text', [said(lamps)], [said('Nous planterons mille pommiers.')], [null]],
    ['less than three fifths of the words', [said('un deux trois quatre cinq')], [said('un deux 3 4 5')], [null]],
    ['three fifths of the words', [said('un deux trois quatre cinq')], [said('un deux trois 4 5')], [0]],
    ['a text much longer', [said('un deux trois')], [said('un deux trois quatre cinq six')], [null]],
    ['a repeated word as another word', [said('non non non non oui')], [said('non oui a b c')], [null]],
    ['another day', [said(lamps)], [said(lamps, { date: '2025-03-02' })], [null]],
    ['another hour of the day', [said(lamps)], [said(lamps, { date: '2025-03-01T10:00:00Z' })], [0]],
    ['another politician', [said(lamps)], [said(lamps, { politician: 'bob-rivage' })], [null]],
    [
      'the equal one before the similar ones',
      [said(`${lamps} Ou non.`), said(lamps)],
      [said(lamps), said(`${lamps} Ou si.`)],
      [1, 0],
    ],
    [
      'the most similar pair first',
      [said('un deux trois quatre cinq six')],
      [said('un deux trois quatre 5 6'), said('un deux trois quatre cinq 6')],
      [null, 0],
    ],
    [
      'of equal texts, the one with more equal fields',
      [said(lamps, { topic: 'mer', context: 'Radio' }), said(lamps, { topic: 'port', context: 'Mairie' })],
      [said(lamps, { topic: 'pêche', context: 'Mairie' })],
      [1],
    ],
    ['empty texts by all their fields', [said('', { topic: 'mer' })], [said('', { topic: 'port' })], [0]],
  ];
  for (const [what, stored, received, matches] of cases)
    it(`decides about ${what}`, () => {
      expect(matched(stored, received)).to.deep.equal(matches);
    });

  it('takes a corrected title at the same address for the same source', () => {
    const source = { url: 'https://valombre.example/seances/2025/12', title: 'Compte rendu de la sceance', date: null };
    const corrected = { ...source, title: 'Compte rendu de la séance' };
    expect(matched([source], [corrected], kindOf('source'))).to.deep.equal([0]);
  });

  it('keeps the positions of parties on one ballot apart', () => {
    const position = { politician: null, title: "sur l'ensemble du texte", date: '2025-03-01', stance: 'pour' };
    const stored = ['rivages', 'verger'].map((party) => ({ ...position, party }));
    const received = ['verger', 'rivages'].map((party) => ({ ...position, party, stance: 'contre' }));
    expect(matched(stored, received, kindOf('position'))).to.deep.equal([1, 0]);
  });

  it('matches every stored record at most once, and every equal pair that is possible, in random lists', () => {
    const random = createRandom(51);
    const words = ['mer', 'port', 'phare', 'pomme', 'nuit', 'jour'];
    const draw = () =>
      said(Array.from({ length: 1 + random.integer(4) }, () => random.pick(words)).join(' '), {
        date: random.pick(['2025-03-01', '2025-03-02']),
      });
    for (let round = 0; round < 300; round += 1) {
      const stored = Array.from({ length: random.integer(13) }, draw);
      const received = Array.from({ length: random.integer(13) }, draw);
      const matches = matched(stored, received);
      const used = matches.filter((match) => match !== null);
      expect(new Set(used).size).to.equal(used.length);
      const texts = (records: Document[]) => Map.groupBy(records, (each) => JSON.stringify(each));
      const inStore = texts(stored);
      for (const [text, equal] of texts(received)) {
        const pairs = received.filter((each, at) => {
          const match = matches[at];
          return JSON.stringify(each) === text && typeof match === 'number' && JSON.stringify(stored[match]) === text;
        });
        expect(pairs.length).to.equal(Math.min(equal.length, inStore.get(text)?.length ?? 0));
      }
    }
  });

  it('pairs thousands of similar texts of one day by their rarest words', () => {
    const texts = Array.from({ length: 3000 }, (_, at) => said(`Amendement n° ${at} sur l'article ${at % 7} du texte`));
    const matches = matched(
      texts,
      texts.map((each) => ({ ...each, topic: 'mer' })),
    );
    expect(matches.every((match, at) => match === at)).to.equal(true);
  });
});
