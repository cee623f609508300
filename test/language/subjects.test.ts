import { expect } from 'chai';
import namedSubjects from '../../src/language/named-subjects.json' with { type: 'json' };
import subjectLines from '../../src/language/subjects.json' with { type: 'json' };
import { isSubjectWord, relatedTerms, subjectsOf } from '../../src/language/subjects.ts';

const subjects = (text: string, weight = 1) => subjectsOf(new Map(text.split(' ').map((word) => [word, weight])));

describe('subjects of questions', () => {
  it('says what texts call a subject that several words speak of, before those of fewer', () => {
    const [prison, ...otherSubjects] = subjects('enfermés derrière les barreaux');
    expect(prison!.terms).to.include.members(['prison', 'detenu']);
    for (const other of otherSubjects) expect(other.score).to.be.below(prison!.score);
  });

  it('knows words in all their forms', () => {
    const [first] = subjects('arroser');
    expect(first!.terms).to.include('irrigation');
    expect(subjects('arrosent')[0]).to.deep.equal(first);
  });

  it('takes a word of several subjects for less of each', () => {
    const [one] = subjects('ruche');
    const many = subjects('vieux');
    expect(one!.score).to.equal(1);
    expect(many.length).to.be.above(1);
    expect(many[0]!.score).to.be.below(1);
  });

  it('counts each word as much as it weighs', () => {
    expect(subjects('ruche', 0.5)[0]!.score).to.equal(0.5);
  });

  it('knows its words, and its verbs in other forms, from slips of them', () => {
    for (const word of ['ruche', 'arroser', 'arrosent', 'arrose', 'répand', 'battues', 'meurent'])
      expect(isSubjectWord(word), word).to.equal(true);
    for (const slip of ['rucche', 'arossent', 'abeiile']) expect(isSubjectWord(slip), slip).to.equal(false);
  });

  it('names subjects by words of the table, no word in two of them', () => {
    const words = Object.values(namedSubjects).flat();
    expect(new Set(words)).to.have.length(words.length);
    for (const entry of words) expect(entry.match(/[\p{L}-]+/gu)!.some(isSubjectWord), entry).to.equal(true);
  });

  it('says nothing of words that belong to no subject', () => {
    expect(subjects('quelque chose de joli')).to.deep.equal([]);
  });

  it('relates the terms of a subject to a word of it, but none that stands on several lines', () => {
    const terms = relatedTerms(['logement']);
    expect(terms).not.to.be.empty;
    expect(terms).not.to.include.members(['logement']);
    for (const line of subjectLines)
      for (const term of relatedTerms(line.split(' : ')[0]!.split(' ')))
        expect(
          subjectLines.filter((each) => each.split(/ (?:: )?/).includes(term)),
          term,
        ).to.have.length(1);
    expect(relatedTerms(['fin de vie'])).to.deep.equal([]);
    expect(relatedTerms(['logement -"logement de fonction" -meublé']), 'excluded words').to.deep.equal(terms);
  });

  it('has lines of two parts, each word of a line once', () => {
    for (const line of subjectLines) {
      const parts = line.split(' : ');
      expect(parts, line).to.have.length(2);
      const words = parts.flatMap((part) => part.split(' '));
      expect(new Set(words).size, line).to.equal(words.length);
      expect(words, line).not.to.include('');
    }
  });
});
