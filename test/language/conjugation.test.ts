import { expect } from 'chai';
import { findVerbs } from '../../src/language/conjugation.ts';
import { analyseLexeme } from '../../src/language/prose.ts';

const conjugated = [
  ['voter', 'vote', 'votons', 'votait', 'votera', 'voté', 'votées'],
  ['protéger', 'protège', 'protégeons', 'protégeait'],
  ['financer', 'finançait', 'finançons'],
  ['appeler', 'appelle', 'appelait'],
  ['nettoyer', 'nettoie', 'nettoyait'],
  ['garantir', 'garantissait', 'garantit', 'garantie'],
  ['partir', 'partent', 'parti'],
  ['soutenir', 'soutient', 'soutiendra', 'soutenu'],
  ['interdire', 'interdit', 'interdisent', 'interdite'],
  ['élire', 'élisent', 'élira'],
  ['construire', 'construit', 'construisent', 'construites'],
  ['promettre', 'promis', 'promettent', 'promettait'],
  ['comprendre', 'comprennent', 'compris'],
  ['vendre', 'vend', 'vendait', 'vendus'],
  ['craindre', 'craignent', 'craint'],
  ['vouloir', 'veut', 'veulent', 'voudrait'],
  ['prévoir', 'prévoit', 'prévoyait', 'prévu'],
  ['devoir', 'doit', 'devra'],
  ['faire', 'font', 'faisait', 'fasse'],
];

describe('verbsOf', () => {
  for (const [infinitive, ...forms] of conjugated)
    it(`knows ${infinitive} by ${forms.join(', ')}, and these by ${infinitive}`, () => {
      const own = findVerbs(infinitive!).flatMap((verb) => verb.forms());
      expect(own).to.include.members(forms.map(analyseLexeme));
      for (const form of forms) {
        const verbs = findVerbs(form).map((verb) => verb.infinitive);
        expect(verbs, form).to.include(analyseLexeme(infinitive!));
      }
    });

  it('is not sure of a verb that a noun ends like', () => {
    const sure = (word: string) =>
      findVerbs(word)
        .filter(({ isSure }) => isSure)
        .map(({ infinitive }) => infinitive);
    expect(sure('content')).to.not.include('conter');
    expect(sure('interdisent')).to.include(analyseLexeme('interdire'));
  });

  it('knows none by a short word, a number or what is no French', () => {
    for (const word of ['dit', 'vu', '', '2026', 'δοκιμή', "l'", 'x'.repeat(5000)])
      expect(findVerbs(word).length, word).to.be.lessThan(2);
  });
});
