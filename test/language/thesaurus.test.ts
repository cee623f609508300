import { expect } from 'chai';
import { createThesaurus } from '../../src/language/thesaurus.ts';

/** Fictional entries: what stands at each byte, and an index over it, whose first lines are its encoding and a number. */
const entries: Record<string, string[]> = {
  forêt: ['(Nom)|bois|futaie|petit bois', '(Nom)|foule (sens voisin)'],
  foret: ['(Nom)|vrille|mèche'],
  bois: ['(Nom)|forêt|bûche'],
  marché: ['(Nom)|halle'],
  marche: ['(Nom)|promenade'],
};
const headwords = Object.keys(entries);
const index = ['UTF-8', headwords.length, ...headwords.map((word, at) => `${word}|${at}`)].join('\n');
const thesaurus = createThesaurus(index, (at) => entries[headwords[at]!]!);

describe('a thesaurus', () => {
  it('names what means the same, what names the word too first, without remarks', () => {
    expect(thesaurus.synonyms('forêt')).to.deep.equal(['bois', 'futaie', 'petit bois', 'foule']);
  });

  it('is asked with any form of a word, in any case', () => {
    expect(thesaurus.synonyms('Forêts')).to.deep.equal(thesaurus.synonyms('forêt'));
  });

  it('keeps to the accents of a word that has some, and understands one that has none as either', () => {
    expect(thesaurus.synonyms('forets')).to.have.members([
      ...entries
        .forêt!.join('|')
        .replaceAll(/\(Nom\)\||\s\(.*\)/g, '')
        .split('|'),
      'vrille',
      'mèche',
    ]);
    expect(thesaurus.synonyms('forêts')).not.to.include('vrille');
    expect(thesaurus.synonyms('marché')).to.deep.equal(['halle']);
  });

  it('knows nothing of other words', () => {
    expect(thesaurus.synonyms('océan')).to.deep.equal([]);
    expect(thesaurus.synonyms('')).to.deep.equal([]);
    expect(thesaurus.synonyms('petit bois')).to.deep.equal([]);
  });
});
