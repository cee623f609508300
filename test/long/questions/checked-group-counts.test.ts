import { expect } from 'chai';
import { type Document, documentsIn } from '../../../src/model/document.ts';
import { check } from '../../../src/questions/check.ts';
import { readDemoMirror } from '../../helpers/demo-mirror.ts';

describe('votes of a group that an article counts', () => {
  const demo = readDemoMirror();
  const pageOf = (q: string) => check.read(demo.mirror, { q, article: true, limit: 1 }, {} as never);
  const rowOf = (q: string): Document | undefined => [...pageOf(q).items].map((item) => JSON.parse(item))[0];
  const differencesOf = (q: string) =>
    documentsIn(rowOf(q)?.differences).map(({ quoted, said }) => `${quoted} | ${said}`);

  it('are compared with its row of the ballot, which the day, the number or the text identifies', () => {
    const exact = [
      'Le 5 mai 2026, le groupe Alliance des Rivages s’est divisé : 15 pour, 8 contre et 2 abstentions.',
      'Le groupe Rivages s’est partagé sur le projet de loi relatif aux écoles, le 5 mai 2026 : 15 voix pour, 8 contre.',
      'Le 5 mai 2026, le groupe Alliance des Rivages s’est divisé : 15 pour, 8 contre et 2 abstentions (scrutin n° 16).',
      'Le Parti du Verger a voté pour la sauvegarde des vergers le 3 février 2026 par 23 voix contre 0.',
      'Le groupe Union des Clairières a voté contre l’article premier par 14 voix contre 0, le 19 mai 2026.',
    ];
    for (const text of exact) expect([rowOf(text)?.result, ...differencesOf(text)], text).to.deep.equal(['exact']);
    const wrong = 'Le 5 mai 2026, le groupe Alliance des Rivages s’est divisé : 16 pour, 8 contre et 2 abstentions';
    for (const text of [`${wrong}.`, `${wrong} (scrutin n° 16).`]) {
      expect(rowOf(text)?.result).to.equal('near');
      expect(differencesOf(text)).to.deep.equal([
        'Alliance des Rivages : 16 pour, 8 contre, 2 abstentions | Alliance des Rivages : 15 pour, 8 contre, 2 abstentions',
      ]);
    }
  });

  it('lead to the ballot of the day on the text, also where the position is wrong', () => {
    const text = 'Le Parti du Verger a voté contre la sauvegarde des vergers le 3 février 2026 par 23 voix contre 0.';
    expect(rowOf(text)).to.include({ result: 'near', id: 'AN:VAL1V12' });
    expect(differencesOf(text)).to.deep.equal(['Parti du Verger : contre | Parti du Verger : pour']);
    const numbered = text.replace('le 3 février 2026', 'lors du scrutin n° 12 de l’Assemblée nationale');
    expect(rowOf(numbered)?.result).to.equal('contradicted');
  });

  it('are not compared, rather than not found, where no ballot is certain', () => {
    const texts = [
      'Le groupe Rivages s’est divisé : 15 pour, 8 contre et 2 abstentions.',
      'Le 6 mai 2026, le groupe Rivages s’est divisé : 15 pour, 8 contre et 2 abstentions.',
      'Le 3 février 2026, le groupe Rivages s’est divisé : 13 pour, 9 contre et 2 abstentions.',
      'En commission, le groupe Rivages s’est divisé le 5 mai 2026 : 15 pour, 8 contre et 2 abstentions.',
      'Le 3 février 2026, le groupe Zorglub s’est divisé : 15 pour, 8 contre et 2 abstentions.',
    ];
    for (const text of texts) {
      expect(rowOf(text), text).to.equal(undefined);
      expect(pageOf(text).extra?.uncompared_votes, text).to.deep.equal([{ line: 1, text }]);
    }
  });

  it('stand beside the counts of the chamber: the positions of all groups, or the number of their votes', () => {
    const tally =
      'Le 5 mai 2026, l’Assemblée nationale a adopté le projet de loi relatif aux écoles par 73 voix contre 12';
    const cases: [string, string, ...string[]][] = [
      [`${tally} ; le Parti du Verger a voté pour.`, 'exact'],
      [
        `${tally} ; le Parti du Verger a voté contre.`,
        'contradicted',
        'Parti du Verger : contre | Parti du Verger : pour',
      ],
      [`${tally}, le Parti du Verger votant pour.`, 'exact'],
      [`${tally}, le Parti du Verger votant pour et Ligue des Ateliers pour.`, 'exact'],
      [
        `${tally}, le Parti du Verger votant pour et Ligue des Ateliers contre.`,
        'near',
        'Parti du Verger : pour, Ligue des Ateliers : contre | Parti du Verger : pour, Ligue des Ateliers : pour',
      ],
      [`${tally}, le Parti du Verger votant pour et les zorglubs contre.`, 'near', 'Verger votant pour | '],
      [`${tally} ; le Parti du Verger a voté pour, les autres contre.`, 'near', 'Parti du Verger | '],
      [`${tally} ; le Parti du Verger a voté pour ; les ateliers aussi.`, 'near', 'Parti du Verger | '],
      [`${tally}, dont 22 du Parti du Verger.`, 'exact'],
      [`${tally}, dont 8 élus de l’Alliance des Rivages.`, 'exact'],
      [`${tally}, dont 30 du Parti du Verger.`, 'near', 'Parti du Verger : 30 pour | Parti du Verger : 22 pour'],
    ];
    expect(cases.map(([text]) => [text, rowOf(text)?.result, ...differencesOf(text)])).to.deep.equal(cases);
  });

  it('are never exact with another group whose vote is not compared', () => {
    const ballot = 'Lors du scrutin n° 16 de l’Assemblée nationale';
    expect(rowOf(`${ballot}, le Parti du Verger a voté pour.`)?.result).to.equal('exact');
    expect(differencesOf(`${ballot}, le Parti du Verger a voté pour avec les rivages.`)).to.deep.equal(['rivages | ']);
  });
});
