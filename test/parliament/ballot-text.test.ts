import { expect } from 'chai';
import { legislativeTextName, subjectOf } from '../../src/parliament/ballot-text.ts';
import { textKey } from '../../src/parliament/text-key.ts';

const nameIn = (title: string) => legislativeTextName({ title });

describe('the text that a ballot is on', () => {
  it('is the legislative file where it states one, else the text that its title names', () => {
    const title = "l'article 2 de la proposition de loi relative aux lanternes (première lecture).";
    expect(legislativeTextName({ title, dossier: ' Les lanternes ' })).to.equal('Les lanternes');
    for (const field of ['title', 'titre', 'objet'])
      expect(legislativeTextName({ [field]: title }), field).to.equal('proposition de loi relative aux lanternes');
  });

  it('is none where the title names no text', () => {
    expect(legislativeTextName({ title: 'la motion de censure déposée par Mme Brume' })).to.equal(null);
    expect(legislativeTextName({})).to.equal(null);
  });

  it('has a name without readings, remarks and its course through the chambers', () => {
    expect(
      nameIn("l'ensemble du projet de loi de finances pour 2031 (texte de la commission) (seconde délibération)."),
    ).to.equal('projet de loi de finances pour 2031');
    expect(
      nameIn("sur la motion n° 3 au projet de loi, adopté par l'Assemblée nationale, relatif aux digues (urgence)"),
    ).to.equal('projet de loi relatif aux digues');
    expect(
      nameIn('sur le projet de loi relatif aux digues, dans la rédaction du texte proposé par la commission'),
    ).to.equal('projet de loi relatif aux digues');
  });

  it('is the same in any case, with any accents and punctuation, and with words written twice in a row', () => {
    const key = textKey("proposition de loi relative au droit à l'aide aux pêcheurs");
    expect(textKey('Proposition de loi relative au droit à l’aide aux pecheurs.')).to.equal(key);
    expect(textKey("proposition de loi relative au droit à l'aide à l'aide aux pêcheurs")).not.to.equal(
      textKey('l’aide'),
    );
    expect(textKey("droit à l'aide à l'aide à pêcher")).to.equal(textKey("droit à l'aide à pêcher"));
    expect(textKey('projet de loi de finances pour 2031')).not.to.equal(textKey('projet de loi de finances pour 2032'));
  });

  it('leaves as subject what of it was voted on', () => {
    expect(
      subjectOf(
        "l'amendement n° 5 de M. Merle à l'article 2 de la proposition de loi relative aux lanternes (première lecture).",
      ),
    ).to.equal("l'amendement n° 5 de M. Merle à l'article 2 (première lecture)");
    expect(subjectOf("l'ensemble de la proposition de loi relative aux lanternes.")).to.equal("l'ensemble");
    const text = 'de la proposition de loi relative aux lanternes';
    expect(subjectOf(`l'article 2, ${text}`)).to.equal("l'article 2");
    expect(subjectOf(`l'article 2 ${text} (première lecture). `)).to.equal("l'article 2 (première lecture)");
    expect(subjectOf('la motion de censure')).to.equal('la motion de censure');
    expect(subjectOf('Proposition de loi relative aux lanternes')).to.equal(
      'Proposition de loi relative aux lanternes',
    );
  });
});
