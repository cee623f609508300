import { expect } from 'chai';
import { changeFacts, changeHeadline, changesSubject, excerptOf } from '../../src/format/change-text.ts';
import type { Document } from '../../src/model/document.ts';
import { loadLanguage, speechOf } from '../../src/words/speech.ts';

const withdrawn = (key: string, person: string): Document => ({
  ...{ change: 'withdrawn', kind: 'promise', key, title: `Promesse ${key}`, politician: 'x' },
  record: { person },
});

describe('a change in words', () => {
  const english = speechOf('en');
  const french = speechOf('fr');
  before(() => loadLanguage('fr'));

  it('is headed by what happened to what, of whom', () => {
    const change = withdrawn('p1', 'Océane Bruyèvre');
    expect(changeHeadline(change, english)).to.equal('Withdrawn: promise of Océane Bruyèvre, “Promesse p1”');
    expect(changeHeadline(change, french)).to.equal(
      'Retrait\u00a0: promesse d’Océane Bruyèvre, «\u00a0Promesse p1\u00a0»',
    );
    const person = {
      change: 'edited',
      kind: 'politician',
      key: 'o-b',
      politician: 'o-b',
      title: 'Océane Bruyèvre',
    };
    expect(changeHeadline(person, french)).to.equal('Modification\u00a0: Océane Bruyèvre');
    const silence = { change: 'silent', kind: 'silence', key: 'sync', title: 'rien depuis hier' };
    expect(changeHeadline(silence, french)).to.equal('Silence\u00a0: rien depuis hier');
  });

  it('counts in a subject what happened, names one person, and says how many more there are', () => {
    const two = [withdrawn('p1', 'Yves Falaise'), withdrawn('p2', 'Yves Falaise')];
    expect(changesSubject(two, 2, french)).to.equal('Retrait\u00a0: 2\u00a0promesses d’Yves Falaise');
    expect(changesSubject([...two, withdrawn('p3', 'Yaël Rive')], 3, english)).to.equal('Withdrawn: 3 promises');
    const edited = { ...withdrawn('p4', 'Yaël Rive'), change: 'edited' };
    expect(changesSubject([...two, edited], 9, english)).to.equal(
      'Withdrawn: 2 promises of Yves Falaise; edited: 1 promise of Yaël Rive; and 6 more',
    );
    expect(changesSubject([], 4, english)).to.equal('4 changes');
  });

  it('tells a long text to the end of a sentence', () => {
    const sentence = 'Nous ouvrirons une gare dans chaque vallée du littoral, avant la fin du mandat. ';
    const excerpt = excerptOf(sentence.repeat(12));
    expect(excerpt).to.equal(`${sentence.repeat(4)}[…]`);
    expect(excerptOf('mot '.repeat(300)))
      .to.match(/mot \[…\]$/)
      .and.to.have.length.below(410);
    expect(excerptOf('Un court.\nTexte')).to.equal('Un court. Texte');
  });

  it('tells of a ballot its result, its counts, and its groups by the position that the source states', () => {
    const group = (party_name: string, position: string | null) => ({
      ...{
        party: party_name,
        party_name,
        position,
        for: null,
        against: null,
        abstention: null,
        non_voting: null,
      },
    });
    const change = {
      ...{ change: 'new', kind: 'ballot', key: 'AN:V1', title: 'Un vote' },
      record: {
        ...{ chamber: 'AN', scrutin_id: 'V1', date: '2026-02-01', result: 'rejeté' },
        totals: { for: 3, against: 4, abstention: null, non_voting: null },
        votes_by_party: [group('A', 'pour'), group('B, C', 'contre'), group('D', 'pour'), group('E', null)],
      },
    };
    expect(changeFacts(change, english)).to.deep.equal([
      'AN · 1 February 2026',
      'Rejected: 3 for, 4 against',
      'For: A (no counts published); D (no counts published)',
      'Against: B, C (no counts published)',
      'No position stated: E (no counts published)',
    ]);
  });

  it('name a topic as it is written, not by the slug of its address', () => {
    const change = { kind: 'promise', key: 'p1', record: { topic: 'securite-sociale', party: 'ADR' } };
    expect(changeFacts(change, english)).to.deep.equal(['sécurité sociale · ADR']);
  });
});
