import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { countFieldsOf, readBallot } from '../../src/model/ballot.ts';
import type { Document } from '../../src/model/document.ts';
import {
  isDeletion,
  natureFilters,
  natureNames,
  natureOf,
  natures,
  titleFactsOf,
} from '../../src/parliament/nature.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t'));

const ballot = (title: string, type: string | null = null, chamber = 'AN'): Document => ({ chamber, title, type });

describe('the nature of a ballot', () => {
  for (const [label, type, title] of fixture('ballot-titles.tsv'))
    it(`is ${label} for "${title!.slice(0, 90)}" (${type || 'no type'})`, () => {
      expect(String(natureOf(ballot(title!, type || null)))).to.equal(label);
    });

  const titles: [title: string, nature: string | null, type?: string][] = [
    ['déclaration de politique générale', 'confidence'],
    ['programme du Gouvernement', 'confidence'],
    ['question de confiance', 'confidence'],
    ['article 49, alinéa 1 de la Constitution', 'confidence'],
    ['Engagement de la responsabilité du Gouvernement sur une déclaration de politique générale', 'confidence'],
    ['Déclaration du Gouvernement, de politique générale', 'confidence'],
    ['la déclaration du Gouvernement, de politique générale', 'confidence'],
    ['déclaration du Gouvernement sur les moulins', 'declaration'],
    ['le débat sur la déclaration du Gouvernement', null],
    ['le débat sur la déclaration du Gouvernement, de politique générale', null],
    ['le débat sur la déclaration de politique générale', null],
    ['le débat sur la question de confiance', null],
    ['motion de rejet préalable', 'rejection'],
    ['suspension de séance', 'procedure'],
    ['le rappel sur la demande de scrutin', null],
    ['amendement n° 3', 'amendment'],
    ['le sousamendement n° 3', 'amendment'],
    ["l'amendment n° 3", 'amendment'],
    ["l'amendemment n° 3", 'amendment'],
    ["le vote sur l'amendement n° 3", null],
    ['crédits de la mission Moulins', 'part'],
    ["l'état B", 'part'],
    ["l'état Z", null],
    ["l'article 12 et état B", 'part'],
    ["l'article 12 bis et l'état B", 'part'],
    ['le débat sur la première partie du projet', null],
    ["le vote sur l'ensemble des articles", null],
    ["l'ensemble des articles", 'article'],
    ['articles 2 et 3', 'article'],
    ["le vote sur l'article 2", null],
    ["le vote sur l'article unique", null],
    ["l'ensemble de l'annexe", null],
    ["le vote sur l'ensemble", null],
    ['conclusions de la commission mixte paritaire', 'whole'],
    ['le débat sur les conclusions de la commission mixte paritaire', null],
    ['projet de loi sur les moulins', 'whole'],
    ['Planter des pommiers', 'whole', 'Proposition de loi'],
    ['Planter des pommiers', null, 'Débat sur une proposition de loi'],
    ['Planter des pommiers', null, 'Débat sur une résolution'],
    ['', null, 'Proposition de loi'],
  ];
  for (const [title, nature, type] of titles)
    it(`is ${nature} for "${title}" (${type ?? 'no type'})`, () =>
      expect(natureOf(ballot(title, type))).to.equal(nature));

  it('has a name for people', () => {
    expect(Object.entries(natureNames).map(([nature, name]) => `${nature}: ${name}`)).to.deep.equal([
      'censure: motion of censure',
      'confidence: vote of confidence',
      'declaration: declaration of the Government',
      'rejection: motion to reject',
      'procedure: procedural motion',
      'amendment: amendment',
      'part: part of a finance bill',
      'whole: whole text',
      'article: article',
      'resolution: resolution',
    ]);
  });

  it('stands beside the reading that the title states last, in brackets', () => {
    const readings: [title: string, reading: string | null][] = [
      ["l'ensemble du projet de loi (première lecture).", 'première lecture'],
      [
        "l'ensemble du projet de loi ( texte de la commission mixte paritaire ) . ",
        'texte de la commission mixte paritaire',
      ],
      ["l'ensemble du projet de loi (lecture définitive)", 'lecture définitive'],
      ["l'ensemble du projet de loi (première lecture) et du reste", null],
      ["l'ensemble du projet de loi", null],
    ];
    for (const [title, reading] of readings) expect(titleFactsOf(ballot(title)).reading, title).to.equal(reading);
  });

  it('says whether a sole article is the whole text', () => {
    const isOnSoleArticle = (title: string) => titleFactsOf(ballot(title)).isOnSoleArticle;
    expect(isOnSoleArticle("l'article unique de la proposition de loi")).to.equal(true);
    expect(isOnSoleArticle("l'article unique constituant l'ensemble de la proposition de loi")).to.equal(false);
    expect(isOnSoleArticle("l'article 2 de la proposition de loi")).to.equal(false);
    expect(isOnSoleArticle("le vote sur l'article unique de la proposition de loi")).to.equal(false);
  });

  it('resolution is also a filter, for votes on whole resolutions', () => {
    expect(natureFilters).to.deep.equal([...natures, 'resolution']);
  });

  it('is a declaration for the general policy of the Government in the Sénat, which cannot censure it', () => {
    const title = 'sur la déclaration de politique générale du Gouvernement';
    expect(natureOf(ballot(title, null, 'AN'))).to.equal('confidence');
    expect(natureOf(ballot(title, null, 'Senat'))).to.equal('declaration');
  });

  it('of a sole article is the whole text', () => {
    const sole = ballot("l'article unique de la proposition de loi verger (première lecture).");
    expect(natureOf(sole)).to.equal('whole');
  });

  it('does not depend on case, apostrophes, no-break spaces or decomposed accents', () => {
    const title = "l'amendement n° 3 à l'article liminaire";
    const variants = [title.toUpperCase(), title.replaceAll("'", '’'), title.replaceAll(' ', '\u00a0')];
    for (const variant of [...variants, title.normalize('NFD')])
      expect(natureOf(ballot(variant))).to.equal('amendment');
  });
});

describe('the labels of real titles, where the records are present', () => {
  const file = new URL('../../../shared/data/real/ballots.ndjson.gz', import.meta.url);

  it('agree with the rules in 99 of 100, and no other nature is given to a ballot without one', function () {
    if (!existsSync(file)) return this.skip();
    const labels = new Map(fixture('ballot-natures.tsv').map(([key, label]) => [key!, label!]));
    const ballots = gunzipSync(readFileSync(file))
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const wrong = ballots.flatMap((each: Document) => {
      const key = `${each.chamber}:${each.scrutin_id}`;
      // Of a sole article, either is right here: the store knows the other ballots on the text.
      const isEither = String(each.title).startsWith("l'article unique");
      const label = labels.get(key);
      if (label === undefined || String(natureOf(each)) === label || (isEither && label === 'article')) return [];
      return [{ key, label, derived: natureOf(each), title: each.title }];
    });
    expect(labels.size).to.be.at.least(300);
    expect(wrong.length, JSON.stringify(wrong, null, 1)).to.be.at.most(labels.size / 100);
    expect(wrong.filter(({ label }) => label === 'null')).to.deep.equal([]);
  });
});

describe('a motion of censure', () => {
  it('is what has that nature, also where votes are counted', () => {
    const titles = {
      'Engagement de la responsabilité du Gouvernement sur le projet de loi de finances': true,
      'la motion de censure déposée par M. Odon Varenne': true,
      "l'amendement n° 3 relatif à la motion de censure": false,
    };
    for (const [title, isCensure] of Object.entries(titles)) {
      const each = readBallot(ballot(title));
      expect(natureOf(each) === 'censure', title).to.equal(isCensure);
      expect(countFieldsOf(each).includes('against'), title).to.equal(!isCensure);
    }
  });
});

describe('an amendment', () => {
  it('that deletes its object is marked, as a vote for it is a vote against the provision', () => {
    expect(isDeletion(ballot("l'amendement de suppression n° 3 de M. Odon Varenne à l'article 2"))).to.equal(true);
    expect(
      isDeletion(ballot("sur l'amendement n° 6, présenté par M. Odon Varenne, tendant à supprimer l'article 7")),
    ).to.equal(true);
    expect(
      isDeletion(ballot("l'amendement n° 3 à l'article 2 de la proposition de loi tendant à supprimer les péages")),
    ).to.equal(false);
    expect(isDeletion(ballot("l'article 2 (suppression maintenue)"))).to.equal(false);
    expect(isDeletion(ballot("l'article 2 de suppression"))).to.equal(false);
    expect(isDeletion(ballot("l'amendement de supression n° 3 à l'article 2"))).to.equal(true);
  });
});

describe('the kind of a text', () => {
  const kinds: [string, string | null][] = [
    ["l'ensemble du projet de loi de finances pour 2025", 'finance bill'],
    ["l'article 3 du projet de loi de financement de la sécurité sociale pour 2025", 'finance bill'],
    ["l'ensemble du projet de loi portant approbation des comptes de la sécurité sociale", 'finance bill'],
    ["l'ensemble du projet de loi sur les moulins", 'government bill'],
    ["l'amendement n° 3 à l'article 2 de la proposition de loi verger", 'member bill'],
    ["l'article unique de la proposition de résolution européenne sur les moulins", 'resolution'],
    ['la motion de censure', null],
    ['projet de loi sur les moulins', 'government bill'],
    ["la résolution jointe à l'ensemble du projet de loi sur les moulins", 'government bill'],
    [
      `l'ensemble du projet de loi sur les moulins${' et les quais'.repeat(12)} et de la proposition de loi`,
      'government bill',
    ],
  ];
  for (const [title, kind] of kinds)
    it(`is ${kind} in "${title}"`, () => {
      expect(titleFactsOf(ballot(title)).textKind).to.equal(kind);
    });

  it('comes from the type where the title is only a name', () => {
    expect(titleFactsOf(ballot('Planter davantage de pommiers', 'Proposition de loi')).textKind).to.equal(
      'member bill',
    );
    expect(titleFactsOf(ballot('Saluer les meuniers', 'Résolution')).textKind).to.equal('resolution');
  });
});
