import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { kindOf } from '../../src/model/kinds.ts';
import { updateNameIndexAndCounts } from '../../src/names/name-index.ts';
import { searchNames } from '../../src/names/search.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { transaction } from '../../src/store/transaction.ts';

const people = [
  ['anne-lise-merlandon', 'Anne-Lise Merlandon', 'F'],
  ['oceane-le-brac', 'Océane Le Brac', 'F'],
  ['jean-marc-le-brac', 'Jean-Marc Le Brac', 'H'],
  ['zoe-vautrin-le-brac', 'Zoé Vautrin-Le Brac', 'F'],
  ['luc-le-bracquet', 'Luc Le Bracquet', 'H'],
  ['paul-d-ormesaye', "Paul d'Ormesaye", 'H'],
  ['valentin-sorel-d-ombrage', "Valentin Sorel d'Ombrage", 'H'],
  ['isaure-coeurdevent', 'Isaure Cœurdevent', 'F'],
  ['nadia-korsako-morivet', 'Nadia Korsako-Morivet', 'F'],
  ['bruno-le-maire-vif', 'Bruno Le Mairevif', 'H'],
  ['hugo-blanc', 'Hugo Blanc', 'H'],
  ['ines-forêt', 'Inès Forêt', 'F'],
  ['marc-duval', 'Marc Duval', 'H'],
  ['marc-duval-1954', 'Marc Duval', 'H'],
  ['elodie-duval', 'Élodie Duval', 'F'],
  ['mireille-banault', 'Mireille Banault', 'F'],
  ['ida-marc', 'Ida Marc', 'F'],
  ['odile-de-prairie', 'Odile de Prairie', 'F'],
  ['leo-attelan', 'Léo Attelan', 'H'],
  ['luc-delormeau', 'Luc Delormeau', 'H'],
] as const;

const parties = [
  { slug: 'parti-des-phares', name: 'Parti des phares', short_name: 'PP' },
  { slug: 'les-rivages', name: 'Les Rivages', short_name: 'LRIV' },
  { slug: 'gauche-du-large', name: 'La Gauche du large', short_name: 'LGL-NFR' },
  { slug: 'parti-littoral', name: 'Parti littoral de brume', short_name: 'PLB' },
  { slug: 'la-cote-ouverte', name: 'La Côte ouverte - Front des dunes', short_name: 'LCO' },
  { slug: 'embruns', name: 'Embruns', short_name: 'EMB' },
  { slug: 'union-des-barques', name: 'Union pour les barques et les navires' },
] as const;

/** What is typed, and whom it brings first. */
const first: [query: string, key: string, matched: string][] = [
  ['oceane-le-brac', 'oceane-le-brac', 'key'],
  ['Océane Le Brac', 'oceane-le-brac', 'exact'],
  ['LE BRAC Océane', 'oceane-le-brac', 'exact'],
  ['Le Brac, Océane', 'oceane-le-brac', 'exact'],
  ['oceane lebrac', 'oceane-le-brac', 'exact'],
  ['OCE\u0301ANE LE-BRAC', 'oceane-le-brac', 'exact'],
  ['oceane\u00a0le\u202fbrac', 'oceane-le-brac', 'exact'],
  ['Mme Océane Le Brac', 'oceane-le-brac', 'exact'],
  ['la sénatrice Océane Le Brac', 'oceane-le-brac', 'exact'],
  ['Madame la ministre Le Brac', 'oceane-le-brac', 'words'],
  ['M. Le Brac', 'jean-marc-le-brac', 'words'],
  ['Le Brac député', 'jean-marc-le-brac', 'words'],
  ['J.-M. Le Brac', 'jean-marc-le-brac', 'prefix'],
  ['JM Le Brac', 'jean-marc-le-brac', 'prefix'],
  ['vautrinlebrac', 'zoe-vautrin-le-brac', 'words'],
  ['Vautrin - Le Brac', 'zoe-vautrin-le-brac', 'words'],
  ['Dr Coeurdevent (LRIV)', 'isaure-coeurdevent', 'words'],
  ['dormesaye', 'paul-d-ormesaye', 'words'],
  ['d’Ormesaye', 'paul-d-ormesaye', 'words'],
  ['Anne-Lise de Merlandon', 'anne-lise-merlandon', 'typo'],
  ["d'Anne-Lise Merlandon", 'anne-lise-merlandon', 'typo'],
  ["qu'Attelan", 'leo-attelan', 'within'],
  ['De Lormeau', 'luc-delormeau', 'sound'],
  ['Le Bract', 'oceane-le-brac', 'sound'],
  ['Jean-Marc L.', 'jean-marc-le-brac', 'prefix'],
  ['UBN', 'union-des-barques', 'initials'],
  ['merland', 'anne-lise-merlandon', 'prefix'],
  ['NKM', 'nadia-korsako-morivet', 'initials'],
  ['VSO', 'valentin-sorel-d-ombrage', 'initials'],
  ['A.L.M.', 'anne-lise-merlandon', 'prefix'],
  ['V.S.O.', 'valentin-sorel-d-ombrage', 'prefix'],
  ['merlendon', 'anne-lise-merlandon', 'sound'],
  ['Korsaco Morivay', 'nadia-korsako-morivet', 'sound'],
  ['Anne-Lise Merladnon', 'anne-lise-merlandon', 'typo'],
  ['Jaen-Marc Le Brac', 'jean-marc-le-brac', 'typo'],
  ['JM Le Bract', 'jean-marc-le-brac', 'sound'],
  ['AL Merladnon', 'anne-lise-merlandon', 'typo'],
  ['PP', 'parti-des-phares', 'short-name'],
  ['pp', 'parti-des-phares', 'short-name'],
  ['LGL', 'gauche-du-large', 'prefix'],
  ['les rivages', 'les-rivages', 'exact'],
  ['les littoraux de brume', 'parti-littoral', 'forms'],
  ['groupe littoral', 'parti-littoral', 'words'],
  ['les élus phare', 'parti-des-phares', 'forms'],
  ['Bano', 'mireille-banault', 'sound'],
];

/** Names among other words, and the words that are left. */
const within: [query: string, keys: string[], rest: string[]][] = [
  ['merlandon retraites', ['anne-lise-merlandon'], ['retraites']],
  ['Océane Le Brac logement', ['oceane-le-brac'], ['logement']],
  ['le logement selon Mme Merlandon', ['anne-lise-merlandon'], ['le', 'logement', 'selon', 'Mme']],
  ['programme du parti des phares', ['parti-des-phares'], ['programme', 'du']],
  ['PP immigration', ['parti-des-phares'], ['immigration']],
  ['Merlandon PP', ['anne-lise-merlandon', 'parti-des-phares'], []],
  ['PP Merlandon', ['anne-lise-merlandon', 'parti-des-phares'], []],
  ['Océane Le Brac, Les Rivages', ['oceane-le-brac', 'les-rivages'], []],
  ["votes d'Océane Le Brac", ['oceane-le-brac'], ['votes']],
  ['qu’Anne-Lise Merlandon propose', ['anne-lise-merlandon'], ['propose']],
  ['Merlandon Duval', ['anne-lise-merlandon', 'elodie-duval', 'marc-duval', 'marc-duval-1954'], []],
  ['korsako logement', [], ['korsako', 'logement']],
  ['fleurs de prairie', [], ['fleurs', 'de', 'prairie']],
  ["votes d'Attelan", ['leo-attelan'], ['votes']],
  ['Océane Le Brac EMB', ['oceane-le-brac', 'embruns'], []],
  ['logement Embruns', [], ['logement', 'Embruns']],
  ['marc logement', ['ida-marc'], ['logement']],
  ['Marc Vatelin', [], ['Marc', 'Vatelin']],
  ['Marc XIV', [], ['Marc', 'XIV']],
  ['livre blanc', [], ['livre', 'blanc']],
  ['ferme Blanc', ['hugo-blanc'], ['ferme']],
  ['que faire pour les forêts ?', [], ['que', 'faire', 'pour', 'les', 'forêts']],
  ['de la', [], ['de', 'la']],
  ['les', [], ['les']],
  ['?!', [], []],
  ['', [], []],
];

describe('searchNames', () => {
  let folder: string;
  let mirror: Mirror;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-names-'));
    mirror = openWritableMirror(join(folder, 'mirror.db'));
    save(
      'politician',
      people.map(([slug, full_name, gender]) => ({ slug, full_name, gender })),
    );
    save('party', parties);
    save('promise', [{ id: 'p1', politician: 'oceane-le-brac', text: 'Des trains de nuit' }]);
  });
  after(() => {
    mirror.close();
    rmSync(folder, { recursive: true });
  });
  const save = (kind: Parameters<typeof kindOf>[0], documents: readonly object[]) =>
    transaction(mirror, () => {
      const saver = createSaver(mirror, kindOf(kind), { at: '2026-11-02T00:00:00.000Z' });
      for (const document of documents) saver.save({ ...document } as Parameters<typeof saver.save>[0]);
      saver.finish();
    });

  for (const [query, key, matchKind] of first) {
    it(`brings ${key} first for ${JSON.stringify(query)}, by ${matchKind}`, () => {
      const { names, remainingWords } = searchNames(mirror, query, { limit: 5 });
      expect(names[0]).to.include({ key, matchKind });
      expect(remainingWords).to.deep.equal([]);
    });
  }

  for (const [query, keys, remainingWords] of within) {
    it(`finds [${keys}] among the words of ${JSON.stringify(query)}`, () => {
      const result = searchNames(mirror, query, { limit: 5 });
      expect(result.names.map(({ key }) => key)).to.deep.equal(keys);
      expect(result.remainingWords).to.deep.equal(remainingWords);
    });
  }

  it('takes no party to be meant by forms of a small part of its name', () => {
    expect(searchNames(mirror, 'dune', { limit: 5 }).names.filter(({ matchKind }) => matchKind === 'forms')).to.be
      .empty;
  });

  it('puts the surname before parts of one, whole words before beginnings, and of equals the better known first', () => {
    const { names } = searchNames(mirror, 'le brac', { limit: 10 });
    expect(names.map(({ key }) => key)).to.deep.equal([
      'oceane-le-brac',
      'jean-marc-le-brac',
      'zoe-vautrin-le-brac',
      'luc-le-bracquet',
    ]);
  });

  it('puts first of whom more facts are known, and who writes the surname as it was typed', () => {
    save('politician', [
      { slug: 'ana-vigneul', full_name: 'Ana Vigneul' },
      { slug: 'bea-vigneul', full_name: 'Béa Vigneul', bio: 'Béa Vigneul est née au port.' },
      { slug: 'ana-du-mesnil', full_name: 'Ana Du Mesnil', bio: 'Ana Du Mesnil est née au port.' },
      { slug: 'bea-dumesnil', full_name: 'Béa Dumesnil' },
    ]);
    const keys = (query: string) => searchNames(mirror, query, { limit: 3 }).names.map(({ key }) => key);
    expect(keys('Vigneul')).to.deep.equal(['bea-vigneul', 'ana-vigneul']);
    expect(keys('Dumesnil')).to.deep.equal(['bea-dumesnil', 'ana-du-mesnil']);
    expect(keys('Du Mesnil')[0]).to.equal('ana-du-mesnil');
  });

  it('takes nobody for meant by a place or a church of a saint of that name', () => {
    const foundKeys = (query: string) => searchNames(mirror, query, { limit: 5 }).names.map(({ key }) => key);
    expect(foundKeys('Brume Saint Attelan phares')).to.deep.equal([]);
    expect(foundKeys('retraites à Ste Attelan')).to.deep.equal([]);
    expect(foundKeys('Brume Attelan phares')).to.deep.equal(['leo-attelan']);
  });

  it('takes a letter for no word that another begins', () => {
    const { names } = searchNames(mirror, 'Marc D.', { limit: 5 });
    expect(names.map(({ key }) => key)).to.deep.equal(['marc-duval', 'marc-duval-1954']);
  });

  it('brings all who bear one name, and gives none of them more', () => {
    const { names } = searchNames(mirror, 'marc duval', { limit: 10 });
    expect(names.map(({ key }) => key)).to.deep.equal(['marc-duval', 'marc-duval-1954']);
    expect(new Set(names.map(({ score }) => score)).size).to.equal(1);
  });

  it('looks among the kinds that are asked for, and gives as many as that', () => {
    const parties = searchNames(mirror, 'les rivages', { kinds: ['politician'], limit: 5 });
    expect(parties.names).to.deep.equal([]);
    expect(searchNames(mirror, 'duval', { limit: 2 }).names.length).to.equal(2);
  });

  for (const hostile of ['"', '*', '\0', '\ud800', "'".repeat(3000), 'a '.repeat(3000), 'le '.repeat(500)]) {
    it(`answers ${JSON.stringify(hostile.slice(0, 10))}`, () => {
      expect(searchNames(mirror, hostile, { limit: 5 }).names).to.be.an('array');
    });
  }

  it('tells of very many with one given name the best known, and whoever has it as a surname first', () => {
    transaction(mirror, () => {
      const people = createSaver(mirror, kindOf('politician'), { at: '2026-01-01T00:00:00.000Z' });
      for (let at = 0; at < 600; at += 1)
        people.save({ slug: `ondine-${at}`, full_name: `Ondine Larive${at}`, last_name: `Larive${at}` });
      people.save({ slug: 'luc-ondine', full_name: 'Luc Ondine', last_name: 'Ondine' });
      people.finish();
      const texts = createSaver(mirror, kindOf('content'), { at: '2026-01-01T00:00:00.000Z' });
      for (const id of ['a', 'b']) texts.save({ id, title: id, text: id, politician: 'ondine-431' });
      texts.finish();
      updateNameIndexAndCounts(mirror);
    });
    const { names } = searchNames(mirror, 'Ondine', { limit: 3 });
    expect(names.map(({ key }) => key)).to.deep.equal(['luc-ondine', 'ondine-431', 'ondine-0']);
  });
});
