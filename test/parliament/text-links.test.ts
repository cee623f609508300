import { expect } from 'chai';
import {
  amendmentAuthor,
  createAmendmentFileLookup,
  type FiledAmendment,
} from '../../src/parliament/filed-amendments.ts';
import { type FiledBallot, type NameInUse, textLinks } from '../../src/parliament/text-links.ts';

const may = { chamber: 'AN', first: '2031-05-02', until: '2031-06-20' };

const named = (name: string, { text = name, ...use }: Partial<NameInUse> = {}): NameInUse => ({
  ...{ text, name, ...may },
  ...use,
});

const linksOf = (names: NameInUse[], filed: FiledBallot[] = []): string[] =>
  textLinks(names, filed).map(({ text, linkedBy, other }) => `${text} ${linkedBy} ${other}`);

const ballotsIn = (text: string, name: string, count: number): FiledBallot[] =>
  Array.from({ length: count }, () => ({ text, name }));

const vergers = 'proposition de loi relative aux vergers et aux pommiers';

describe('texts of one subject', () => {
  it('are linked by amendments that records file under the name of the other', () => {
    const links = linksOf([named(vergers), named('planter')], ballotsIn(vergers, 'planter', 9));
    expect(links).to.deep.equal([`${vergers} amendments planter`]);
  });

  it('are not linked by one amendment, or a few among those of another file', () => {
    const names = [named(vergers), named('planter'), named('ports')];
    expect(linksOf(names, ballotsIn(vergers, 'planter', 1))).to.deep.equal([]);
    const filed = [...ballotsIn(vergers, 'vergers', 9), ...ballotsIn(vergers, 'ports', 2)];
    expect(linksOf(names, filed)).to.deep.equal([]);
  });

  it('are linked if both have amendments of one file, even if no ballot states it', () => {
    const filed = [...ballotsIn('a', 'c', 4), ...ballotsIn('b', 'c', 3)];
    expect(linksOf([named('a'), named('b')], filed)).to.deep.equal(['a amendments b']);
  });

  it('are linked by titles that give both names, or the same words but for the kind of the text', () => {
    const motion = named(vergers, { text: 'motion', chamber: 'Senat' });
    expect(linksOf([named(vergers), motion])).to.deep.equal([`${vergers} name motion`]);
    const file = named('vergers et pommiers', { chamber: 'Senat' });
    expect(linksOf([named(vergers), file])).to.deep.equal([`${vergers} name vergers et pommiers`]);
  });

  it('are linked once, by the strongest of several links', () => {
    const names = [named(vergers), named('vergers et pommiers')];
    const links = linksOf(names, ballotsIn(vergers, 'vergers et pommiers', 2));
    expect(links).to.deep.equal([`${vergers} amendments vergers et pommiers`]);
  });

  it('are linked by the main file of their amendments only', () => {
    const filed = [...ballotsIn(vergers, 'ports', 1), ...ballotsIn(vergers, 'planter', 9)];
    expect(linksOf([named('ports'), named('planter')], filed)).to.deep.equal([`${vergers} amendments planter`]);
  });

  it('are linked pair by pair, whatever their keys', () => {
    const filed = [...ballotsIn('a', 'bc', 2), ...ballotsIn('ab', 'c', 2)];
    expect(linksOf([named('bc'), named('c')], filed)).to.deep.equal(['a amendments bc', 'ab amendments c']);
  });

  it('are linked by the same words in another order, and not by the same letters', () => {
    const turned = named('proposition de loi relative aux pommiers et aux vergers', { chamber: 'Senat' });
    expect(linksOf([named(vergers), turned])).to.deep.equal([`${vergers} name ${turned.name}`]);
    const letters = named('proposition de loi abc dx', { chamber: 'Senat' });
    expect(linksOf([named('proposition de loi ab cdx'), letters])).to.deep.equal([]);
  });

  const later = 'proposition de loi visant a garantir les vergers et les pommiers';
  const pairs: [what: string, NameInUse, count: number][] = [
    ['by all words of a name, voted on soon after', named(later, { first: '2031-06-20' }), 1],
    ['by all words of a name, voted on that day', named(later), 1],
    ['not by these words a season later', named(later, { first: '2031-07-01' }), 0],
    ['not by these words in the other chamber', named(later, { chamber: 'Senat' }), 0],
    ['not by these words as a text of another kind', named(later.replace('proposition', 'projet')), 0],
    ['not by some of the words', named('proposition de loi sur les vergers et les ports'), 0],
    ['not by a single word', named('proposition de loi sur les vergers'), 0],
  ];
  for (const [what, other, count] of pairs)
    it(`are linked ${what}`, () =>
      expect(linksOf([named(vergers), other])).to.deep.equal(count ? [`${vergers} days ${other.name}`] : []));
});

describe('an amendment on which a ballot was held', () => {
  const onBallot = "l'amendement n° 12 de Mme Corbière et l'amendement identique suivant à l'article premier de la loi";
  const filed = (title: string, politician: string, file = 'Vergers'): FiledAmendment => ({
    ...{ title, politician, file, day: '2031-03-01', until: '2031-06-29' },
  });
  const fileOf = (...amendments: FiledAmendment[]) => createAmendmentFileLookup(amendments)(onBallot, '2031-05-02');

  const records: [title: string, author: string, isSame: boolean][] = [
    ['Amendement n° 12, ARTICLE 1ER', 'ysaline-corbiere', true],
    ['Amendement n° 12, ARTICLE PREMIER', 'ysaline-corbiere-2', true],
    ['Amendement n° 12, APRÈS L’ARTICLE 1ER, insérer l’article suivant', 'odon-corbiere', true],
    ['Amendement n° 13, ARTICLE PREMIER', 'ysaline-corbiere', false],
    ['Amendement n° CL12, ARTICLE PREMIER', 'ysaline-corbiere', false],
    ['Amendement n° 12, ARTICLE 2', 'ysaline-corbiere', false],
    ['Amendement n° 12, ARTICLE PREMIER', 'odon-varenne', false],
    [' Amendement n°12, ARTICLE PREMIER', 'ysaline-corbiere-12', true],
    ['Réponse à l’amendement n° 12, ARTICLE PREMIER', 'ysaline-corbiere', false],
    ['Question sur l’ARTICLE PREMIER', 'ysaline-corbiere', false],
    ['Amendement n° 12', 'ysaline-corbiere', false],
  ];
  for (const [title, author, isSame] of records)
    it(`is ${isSame ? '' : 'not '}that of ${author}: ${title}`, () =>
      expect(fileOf(filed(title, author))).to.equal(isSame ? 'Vergers' : null));

  const ballots: [title: string, amendment: string, politician: string, author: string][] = [
    ["l'amendement n°CE12 de M. Varenne avant l'article 3", 'Amendement n° ce12, ARTICLE 3', 'odon-varenne', 'Varenne'],
    ["l'amendement n° ce12 de M. Varenne et l'article 3", 'Amendement n° CE12, ARTICLE 3', 'odon-varenne', 'Varenne'],
    [
      "l'amendement de suppression n° 12, présenté par Mme Le Gall, après l'article 3",
      'Amendement n° 12, ARTICLE 3',
      'ada-le-gall',
      'Le Gall',
    ],
    [
      "l'amendement n° 12 (2ème rectification) de M. L’ Hermite tendant à l'article 3",
      'Amendement n° 12, ARTICLE 3',
      'odon-l-hermite',
      'L’ Hermite',
    ],
    ["l'amendement n° 12 de M. Varenne visant à planter", 'Amendement n° 12', 'odon-varenne', 'Varenne'],
  ];
  for (const [title, amendment, politician, author] of ballots)
    it(`is that of a record by number, author and article: ${title}`, () => {
      expect(createAmendmentFileLookup([filed(amendment, politician)])(title, '2031-05-02')).to.equal('Vergers');
      expect(amendmentAuthor(title)).to.equal(author);
    });

  const endings: [title: string, author: string][] = [
    ["l'amendement n° 12 de M. Varenne au titre de la proposition de loi pour les vergers", 'Varenne'],
    ["l'amendement n° 12 de Mme Le Gall de suppression de l'article 3", 'Le Gall'],
    ["l'amendement n° 12 de M. Varenne de rédaction globale de l'article unique de la proposition de loi", 'Varenne'],
    ["l'amendement n° 12 de Mme Corbière l'article 11 de la loi", 'Corbière'],
    ["l'amendement n° 12 de Mme Ysaline Corbière suivant après l'article 3", 'Ysaline Corbière'],
    ["l'amendement n° 12 de mme Corbière", 'Corbière'],
    ["l'amendement n° 12 de M. jean-Odon Varenne après l'article 3", 'jean-Odon Varenne'],
    ["sur l'amendement n° 12, présenté par M. Odon de la Varenne au nom de la commission", 'Odon de la Varenne'],
    ["sur l'amendement n° 12, présenté par Mme d'Orvelle, MM. Odon Varenne et les membres du groupe", "d'Orvelle"],
    ["sur l'amendement n° 12, présenté par MM. Odon Varenne, Ivo Écluse et Mme Corbière", 'Odon Varenne'],
    ["sur l'amendement n° 12, présenté par Mmes Ysaline Corbière et Ada Le Gall", 'Ysaline Corbière'],
    ["sur l'amendement n° 12, présenté par M. Odon Varenne,au nom de la commission", 'Odon Varenne'],
    [
      "sur l'amendement n° 12, présenté par Mme Ada Cerise-ben Orne et plusieurs de ses collègues",
      'Ada Cerise-ben Orne',
    ],
  ];
  for (const [title, author] of endings)
    it(`is by ${author}, whose name ends before any other word: ${title}`, () =>
      expect(amendmentAuthor(title)).to.equal(author));

  it('has no file if records of several files fit, or none of its days', () => {
    const one = filed('Amendement n° 12, ARTICLE 1ER', 'ysaline-corbiere');
    expect(fileOf({ ...one, day: '2031-05-02', until: '2031-05-02' }), 'of that day').to.equal('Vergers');
    expect(fileOf(one, { ...one, file: 'Ports' })).to.equal(null);
    expect(fileOf({ ...one, until: '2031-05-01' }), 'months earlier').to.equal(null);
    expect(fileOf({ ...one, day: '2031-05-03' }), 'later').to.equal(null);
  });

  it('is unknown without a member in the title', () => {
    const file = createAmendmentFileLookup([filed('Amendement n° 12, ARTICLE 2', 'odon-varenne')]);
    expect(file("l'amendement n° 12 du Gouvernement à l'article 2", '2031-05-02')).to.equal(null);
    expect(file("l'article 2 de la proposition de loi", '2031-05-02')).to.equal(null);
    expect(amendmentAuthor("l'amendement n° 12 du Gouvernement à l'article 2")).to.equal(null);
  });
});
