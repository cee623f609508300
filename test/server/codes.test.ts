import { expect } from 'chai';
import { topicText } from '../../src/language/topic-text.ts';
import { codeLabel } from '../../src/server/pages/fields.ts';
import { loadLanguage, speechOf } from '../../src/words/speech.ts';

describe('codes of sources on pages', () => {
  before(() => loadLanguage('fr'));
  const english = speechOf('en');
  const french = speechOf('fr');

  it('are told in words where their meaning is known, in both languages', () => {
    expect(codeLabel(english, 'kind', 'groupe-an')).to.equal('group of the Assemblée nationale');
    expect(codeLabel(french, 'kind', 'groupe-an')).to.equal('groupe de l’Assemblée nationale');
    expect(codeLabel(french, 'action', 'restore')).to.equal('rétablissement');
    expect(codeLabel(english, 'session', 'SCR5A2025O1')).to.equal('ordinary session 2024–2025');
    expect(codeLabel(french, 'session', 'SCR5A2025E2')).to.equal('session extraordinaire 2 de 2024–2025');
  });

  it('stay as they are where nobody said what they mean, whatever they are called', () => {
    for (const [field, value] of [
      ['kind', 'mouvement'],
      ['kind', 'constructor'],
      ['constructor', 'name'],
      ['role', 'Membre du'],
      ['session', '2025'],
    ])
      expect(codeLabel(english, field!, value!), `${field} ${value}`).to.equal(null);
  });

  it('are topics with the accents and spaces that an address has no place for', () => {
    expect(topicText('securite')).to.equal('sécurité');
    expect(topicText('fiers-d-etre-francais')).to.equal('fiers d’être français');
    expect(topicText('investissement-ecologie')).to.equal('investissement écologie');
    expect(topicText('Budget & Co')).to.equal('Budget & Co');
    expect(topicText('')).to.equal('');
  });
});
