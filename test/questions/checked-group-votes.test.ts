import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { check } from '../../src/questions/check.ts';
import { readDemoMirror } from '../helpers/demo-mirror.ts';

describe('how a group voted, as an article without the number of the ballot states it', () => {
  const demo = readDemoMirror();

  const checkText = (text: string): Document[] =>
    [...check.read(demo.mirror, { q: text, article: true, limit: 1 }, {} as never).items].map((item) =>
      JSON.parse(item),
    );
  // Beside a quotation, a text without stated votes is not read as a list.
  const verdictsOn = (text: string) =>
    checkText(`« Oui ».\n\n${text}`).map(({ result, id }) => (id ? `${result} ${id}` : `${result}`));

  const sentences: [string, ...string[]][] = [
    ['Le groupe Union des Clairières a voté contre la motion de censure du 3 décembre 2025.', 'near AN:VAL1V7'],
    ['Le groupe Ligue des Ateliers a voté pour la motion de censure du 3 décembre 2025.', 'exact AN:VAL1V7'],
    ['Le groupe Union des Clairières a voté pour la motion de censure du 3 décembre 2025.', 'contradicted AN:VAL1V7'],
    [
      'Le 16 décembre 2025, le groupe Parti du Verger a voté pour le projet de loi de finances pour 2026.',
      'near AN:VAL1V8',
    ],
    [
      'Le 16 décembre 2025, à l’Assemblée nationale, le groupe Parti du Verger a voté pour le budget.',
      'contradicted AN:VAL1V8',
    ],
    [
      'Le 16 décembre 2025, l’Alliance des Rivages a voté pour le projet de loi de finances pour 2026.',
      'exact AN:VAL1V8',
    ],
    [
      'L’Union des Clairières s’est abstenue sur la proposition de loi relative à la taxe sur les marais salants, le 14 octobre 2025 à l’Assemblée nationale.',
      'contradicted AN:VAL1V1',
    ],
    [
      'Le 12 mai 2026, la Ligue des Ateliers a voté pour la question préalable sur les trains de nuit.',
      'exact Senat:2026-7',
    ],
    [
      'Le 12 mai 2026, l’Alliance des Rivages a voté pour la question préalable sur les trains de nuit, au Sénat.',
      'contradicted Senat:2026-7',
    ],
    ['Le 21 octobre 2025, le Parti du Verger a voté contre l’amendement de Mme Quatrevents.', 'exact AN:VAL1V3'],
    ['Le 21 octobre 2025, le Parti du Verger a voté contre l’amendement.', 'not-found'],
    ['Le Parti du Verger a voté contre la réforme.', 'not-found'],
    [
      'Le 3 février 2026, les députés de l’Union des Clairières ont voté contre la proposition de loi pour la sauvegarde des vergers de pommiers.',
      'contradicted AN:VAL1V12',
    ],
    ['Le 3 février 2026, l’Union des Clairières a voté contre l’amendement n° 31.', 'exact AN:VAL1V11'],
    [
      'Le 19 mai 2026, le Mouvement de la Lanterne s’est abstenu sur l’article premier de la proposition de loi sur le logement des saisonniers.',
      'exact AN:VAL1V17',
    ],
    [
      'À l’Assemblée nationale, le 19 mai 2026, le Parti du Verger a voté contre l’article premier de la proposition de loi relative au logement des saisonniers.',
      'contradicted AN:VAL1V17',
    ],
    ['Le 18 décembre 2025, le Parti du Verger a voté contre le budget.', 'not-found'],
    ['Lors de son congrès du 16 décembre 2025, le Parti du Verger a voté contre l’alliance.'],
    [
      'On 16 December 2025, in the National Assembly, the Alliance des Rivages group voted against the projet de loi de finances pour 2026.',
      'contradicted AN:VAL1V8',
    ],
    [
      'Le 16 décembre 2025, des députés du Parti du Verger ont voté pour le projet de loi de finances pour 2026.',
      'near AN:VAL1V8',
    ],
    [
      'Le 24 mars 2026, le Parti du Verger s’est abstenu sur le projet de loi relatif à la transition de l’énergie.',
      'near AN:VAL1V14',
    ],
    [
      'Le 23 avril 2026, l’Alliance des Rivages a voté pour la motion de rejet préalable du projet de loi sur les moulins à marée.',
      'not-found',
    ],
    ['Au scrutin n° 5 de l’Assemblée nationale, le Parti du Verger a voté pour l’article 5.', 'contradicted AN:VAL1V5'],
    [
      'Le 23 avril 2026, lors du scrutin n° 6 du Sénat, le Parti du Verger a voté pour le projet de loi relatif aux moulins à marée.',
      'contradicted Senat:2026-6',
    ],
    [
      'Le 19 novembre 2025, la Ligue des Ateliers a voté contre la première partie du projet de loi de finances.',
      'exact AN:VAL1V6',
    ],
  ];

  const budget = 'le projet de loi de finances pour 2026, le 16 décembre 2025 à l’Assemblée nationale';
  const uncertain: [string, ...string[]][] = [
    [`Un député de la Ligue des Ateliers a voté pour ${budget}.`, 'near AN:VAL1V8'],
    [`Octave Le Passeur (Parti du Verger) a voté contre ${budget}.`, 'near AN:VAL1V8'],
    [`La Ligue des Ateliers n’a pas voté contre ${budget}.`, 'near AN:VAL1V8'],
    [`La Ligue des Ateliers et le Parti du Verger ont voté pour ${budget}.`, 'near AN:VAL1V8'],
    [`Le groupe des Zorglubs a voté pour ${budget}.`, 'near AN:VAL1V8'],
    ['La Ligue des Ateliers a voté pour le budget, le 16 décembre à l’Assemblée nationale.', 'near AN:VAL1V8'],
    [
      'À l’Assemblée nationale, le 16 décembre 2025, la Ligue des Ateliers a voté pour la loi sur les hôpitaux.',
      'not-found',
    ],
    ['Le Parti du Verger a voté pour l’article 2 (scrutin n° 11 de l’Assemblée nationale).', 'near AN:VAL1V11'],
    ['Les élus rivages ont voté contre la motion de censure.', 'not-found'],
    [`Les Français ont voté pour ${budget}.`],
    [
      'Le 16 décembre 2025, à l’Assemblée nationale, des Parti du Verger ont voté pour le projet de loi de finances.',
      'near AN:VAL1V8',
    ],
    [
      'Le 3 décembre 2025, l’Union des Clairières a voté pour la motion de censure déposée par Octave Le Passeur.',
      'not-found',
    ],
    ['Avant le 3 décembre 2025, le groupe Union des Clairières a voté pour la motion de censure.', 'not-found'],
    ['Depuis le 3 décembre 2025, l’Union des Clairières a voté pour la motion de censure.', 'not-found'],
    [
      'Il est faux que le groupe Union des Clairières a voté pour la motion de censure du 3 décembre 2025.',
      'near AN:VAL1V7',
    ],
    [
      'Le 3 décembre 2025, l’Union des Clairières a voté pour la motion de censure, affirme à tort une vidéo.',
      'near AN:VAL1V7',
    ],
    ['Le 3 décembre 2025, est-ce que l’Union des Clairières a voté pour la motion de censure ?', 'near AN:VAL1V7'],
    [
      'Si l’Union des Clairières a voté pour la motion de censure le 3 décembre 2025, le gouvernement tombe.',
      'near AN:VAL1V7',
    ],
    [`En commission, la Ligue des Ateliers a voté pour ${budget}.`],
  ];

  it('is not contradicted, nor exact, where something else may be meant', () => {
    expect(uncertain.map(([text]) => [text, ...verdictsOn(text)])).to.deep.equal(uncertain);
  });

  it('is compared where the day, and the kind or the words of the vote, leave one ballot', () => {
    expect(sentences.map(([text]) => [text, ...verdictsOn(text)])).to.deep.equal(sentences);
  });
});
