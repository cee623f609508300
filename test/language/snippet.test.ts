import { expect } from 'chai';
import { parseQuery, type Query } from '../../src/language/query.ts';
import { createExcerpter, markMatches } from '../../src/language/snippet.ts';

const marks = { open: '[', close: ']' };
const filler = 'mot vide '.repeat(60);

const whole = [
  ['La retraite à 64 ans', 'retraites', 'La [retraite] à 64 ans'],
  ["L'école et l’École", 'écoles', "L'[école] et l’[École]"],
  ['Le 49.3, encore le 49-3', '49,3', 'Le [49.3], encore le [49-3]'],
  ['Soit 50 000 euros', '50000', 'Soit [50 000] euros'],
  ['gouverner, gouvernement', 'gouv*', '[gouverner], [gouvernement]'],
  ['un  deux\n\ttrois', 'deux', 'un [deux] trois'],
  ['Le vote', '', 'Le vote'],
  ['', 'vote', ''],
  ['a\0b \ud800 vote', 'vote', 'a\0b \ud800 [vote]'],
] as const;

const excerpt = (text: string, terms: Query['terms'], maxChars = 160) => createExcerpter(terms)(text, maxChars);
const snippet = (
  text: string,
  terms: Query['terms'],
  { maxChars = 160, open = '', close = '' }: { maxChars?: number; open?: string; close?: string } = {},
) => markMatches(excerpt(text, terms, maxChars), { open, close });

describe('snippet', () => {
  for (const [text, query, shown] of whole) {
    it(`shows ${JSON.stringify(text)} for ${JSON.stringify(query)} as ${JSON.stringify(shown)}`, () => {
      expect(snippet(text, parseQuery(query).terms, marks)).to.equal(shown);
    });
  }

  it('marks nothing unless asked to', () => {
    expect(snippet('La retraite', parseQuery('retraite').terms)).to.equal('La retraite');
  });

  it('cuts between words around the matches, within the length', () => {
    const shown = snippet(`${filler}la réforme des retraites ${filler}`, parseQuery('réforme retraite').terms, {
      maxChars: 60,
    });
    expect(shown).to.match(/^…(?:mot|vide) .*la réforme des retraites .*(?:mot|vide)…$/);
    expect(shown.length).to.be.at.most(60);
  });

  it('prefers the place where most terms are', () => {
    const text = `port port port port ${filler}port fluvial ${filler}`;
    const shown = snippet(text, parseQuery('port fluvial').terms, { ...marks, maxChars: 40 });
    expect(shown).to.contain('[port] [fluvial]');
  });

  it('marks no word that says nothing, unless there is no other', () => {
    const show = (query: string) => snippet('La loi de la mer', parseQuery(query).terms, marks);
    expect(show('la loi de mer')).to.equal('La [loi] de la [mer]');
    expect(show('de la')).to.equal('[La] loi [de] [la] mer');
    expect(show('"la mer"')).to.equal('La loi de [la mer]');
  });

  it('shows the beginning when nothing matches', () => {
    expect(snippet(filler, parseQuery('retraite').terms, { maxChars: 20 })).to.equal('mot vide mot vide…');
  });

  it('cuts a text without spaces', () => {
    expect(snippet('x'.repeat(500), parseQuery('loi').terms, { maxChars: 20 })).to.equal(`${'x'.repeat(18)}…`);
    expect(snippet('😀'.repeat(500), parseQuery('loi').terms, { maxChars: 21 })).to.equal(`${'😀'.repeat(9)}…`);
  });

  it('stays within any length', () => {
    const text = `${filler}l'école${filler}${'y'.repeat(90)} retraite, ${filler}😀😀`;
    for (let maxChars = 0; maxChars < 200; maxChars += 1) {
      for (const query of ['retraite', 'école', `${'y'.repeat(90)}`, 'retraite école', 'mot*', '']) {
        const shown = snippet(text, parseQuery(query).terms, { maxChars });
        expect(shown.length, `${query} ${maxChars} ${shown}`).to.be.at.most(maxChars);
      }
    }
  });

  it('shows a match that stands far behind', () => {
    const text = `loi ${' '.repeat(30_000)} vote`;
    expect(snippet(text, parseQuery('vote').terms, marks)).to.equal('loi [vote]');
    const long = `${'loi '.repeat(30_000)}vote`;
    expect(snippet(long, parseQuery('vote').terms, marks)).to.match(/^…loi .*\[vote\]$/);
  });

  it('says where the matches are, whatever the text is written in', () => {
    for (const [text, query, expectedWords] of [
      ['La re\u0301forme et le cœur', 'réforme coeur', ['re\u0301forme', 'cœur']],
      ['Les\u00a0retraites\u202f: «\u00a0retraite\u00a0»', 'retraite', ['retraites', 'retraite']],
      [`${filler}la ﬁnance ${filler}`, 'finances', ['ﬁnance']],
    ] as const) {
      const shown = excerpt(text, parseQuery(query).terms);
      expect(shown.offsets.map(([start, end]) => shown.text.slice(start, end))).to.deep.equal(expectedWords);
    }
  });
});
