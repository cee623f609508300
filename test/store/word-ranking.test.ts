import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseQuery } from '../../src/language/query.ts';
import type { Document } from '../../src/model/document.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { openPast } from '../../src/store/history/past.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { openMirror, openWritableMirror } from '../../src/store/open.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { searchInMode } from '../../src/store/search/search.ts';
import { rankByAnyWord } from '../../src/store/search/word-ranking.ts';
import { transaction } from '../../src/store/transaction.ts';
import { refreshIndex } from '../../src/store/word-index/search-index.ts';

const filler = Array.from({ length: 60 }, (_, n) => ({
  id: `autre-${n}`,
  title: 'Amendement',
  text: `Le vote de la séance ${n} porte sur les comptes, les péages et le calendrier.`,
}));
const texts: Document[] = [
  {
    id: 'foret',
    title: 'Amendement',
    text: 'La forêt brûle : il faut replanter les chênes.',
    politician: 'marine-tilleul',
  },
  { id: 'forestier', title: 'Amendement', text: 'Les gardes forestiers replantent des chênes.' },
  { id: 'futaie', title: 'Amendement', text: 'Une futaie se replante lentement, ses chênes aussi.' },
  { id: 'chene', title: 'Amendement', text: 'Replanter des chênes, puis attendre cent ans.' },
  { id: 'les', title: 'Amendement', text: 'Que faire pour les autres ? Pour les uns, les mêmes.' },
  { id: 'mer', title: 'Amendement', text: 'La marine nationale veille sur la mer.' },
  ...filler,
];

describe('lexical expansion', () => {
  let folder: string;
  let mirror: Mirror;

  const save = (
    kind: 'content' | 'promise' | 'party' | 'politician',
    documents: Document[],
    at = '2026-01-01T00:00:00.000Z',
  ) =>
    transaction(mirror, () => {
      const saver = createSaver(mirror, kindOf(kind), { at });
      for (const document of documents) saver.save(document);
      saver.finish();
    });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-expansion-'));
    mirror = openWritableMirror(join(folder, 'mirror.db'));
    refreshIndex(mirror);
    save('content', texts);
  });

  afterEach(() => {
    mirror.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const find = (query: string, more: object = {}, from = mirror) =>
    searchInMode(from, 'semantic', { query, limit: 10, ...more });

  const ids = (query: string, more: object = {}, from = mirror) => find(query, more, from).items.map(({ id }) => id);

  it('finds what a question is about, and not what it is made of', () => {
    expect(ids('que faire pour les forêts ?')[0]).to.equal('foret');
    expect(ids('que faire pour les forêts ?')).not.to.include('les');
    expect(ids('que faire pour les autres ?')).to.deep.equal([]);
  });

  it('finds words of the same family behind the word itself', () => {
    expect(ids('forêt').slice(0, 2)).to.deep.equal(['foret', 'forestier']);
  });

  it('finds what texts of politics call what people say', () => {
    save('content', [{ id: 'soin', title: 'Amendement', text: 'Des praticiens pour les îles.' }]);
    expect(ids('toubib')).to.deep.equal(['soin']);
  });

  it('finds what several words of a question speak of, and none of them says', () => {
    save('content', [
      { id: 'peine', title: 'Amendement', text: 'Une peine est lue.' },
      { id: 'prison', title: 'Amendement', text: 'Les détenus de cette prison écrivent.' },
      { id: 'ecole', title: 'Amendement', text: 'Les enseignants et les élèves écrivent.' },
    ]);
    expect(ids('ceux que des gardiens enferment dans une cellule')[0]).to.equal('prison');
    expect(ids('un cachot et ses barreaux')).not.to.include('ecole');
  });

  it('takes no word for a slip that leads to others, though no text says it', () => {
    save('content', [
      { id: 'gel', title: 'Amendement', text: 'Le gel et la gelée.' },
      { id: 'prison', title: 'Amendement', text: 'Les détenus de cette prison écrivent.' },
    ]);
    const { corrected, items } = find('geôles');
    expect(corrected).to.deep.equal([]);
    expect(items[0]!.id).to.equal('prison');
    expect(find('les forestières').corrected).to.deep.equal([]);
    expect(find('calendreir').corrected).to.deep.equal([{ from: 'calendreir', to: 'calendrier' }]);
  });

  it('tells what whom a question names said of it before what others did', () => {
    save('politician', [{ slug: 'hugo-merlin', first_name: 'Hugo', last_name: 'Merlin', full_name: 'Hugo Merlin' }]);
    const sentence = 'Des chênes, et la forêt au loin.';
    save('content', [
      { id: 'sien', title: 'Amendement', text: sentence, politician: 'hugo-merlin' },
      { id: 'autre', title: 'Amendement', text: 'La mer.', politician: 'hugo-merlin' },
    ]);
    for (const query of ['que dit Hugo Merlin des forêts ?', 'la forêt selon Merlin']) {
      const texts = ids(query).filter((id) => id !== undefined);
      expect(texts[0], query).to.equal('sien');
      expect(texts, query).to.include('foret').and.not.include('autre');
    }
  });

  it('tells copies of a text once, and how many there are', () => {
    const copy = texts.find(({ id }) => id === 'mer')!;
    save('content', [{ ...copy, id: 'mer-2' }]);
    const [hit, ...otherHits] = find('la mer').items;
    expect([hit!.id, hit!.copies, otherHits]).to.deep.equal(['mer-2', 1, []]);
    expect(ids('la mer', { allCopies: true })).to.deep.equal(['mer-2', 'mer']);
  });

  it('keeps to the filters that a query states', () => {
    save('content', [{ id: 'neuf', title: 'Amendement', text: 'La mer monte.', date: '2026-05-01' }]);
    expect(ids('la mer since:2026-04')).to.deep.equal(['neuf']);
    expect(ids('la mer type:promise')).to.deep.equal([]);
  });

  it('finds records of a topic, of the kinds that bear one', () => {
    save('promise', [
      { id: 'p1', title: 'Forêts', text: 'Replanter la forêt.', topic: 'forets' },
      { id: 'p2', title: 'Forêts', text: 'Vendre la forêt.', topic: 'budget' },
    ]);
    expect(ids('forêt', { topic: 'forets' })).to.deep.equal(['p1']);
    expect(ids('forêt', { types: ['content'], topic: 'forets' })).to.deep.equal([]);
    expect(ids('forêt')).not.to.include('p1');
  });

  it('answers of the past what was said then', () => {
    save('content', [{ id: 'foret', title: 'Amendement', text: 'Le péage brûle.' }], '2026-03-01T00:00:00.000Z');
    save('content', [{ id: 'neuf', title: 'Amendement', text: 'Une forêt neuve.' }], '2026-03-01T00:00:00.000Z');
    mirror.close();
    mirror = openMirror(join(folder, 'mirror.db'));
    expect(ids('forêt')[0]).to.equal('neuf');
    const past = openPast(mirror.path, '2026-02-01T00:00:00.000Z');
    expect(ids('forêt', {}, past))
      .to.include('foret')
      .and.not.include('neuf');
    past.close();
  });

  it('ranks the newest records only where more than can be counted have a word', () => {
    const many = Array.from({ length: 10_500 }, (_, n) => ({
      id: `masse-${n}`,
      title: 'Amendement',
      text: `forêt chêne ${n}`,
    }));
    save('content', many);
    const scope = { kinds: [kindOf('content')] };
    const { hits, isTruncated } = rankByAnyWord(mirror, parseQuery('forêt'), {
      requiresWord: true,
      scope,
      limit: 20_000,
    });
    expect(isTruncated).to.equal(false);
    expect(hits).to.have.length(5000);
    const oldest = Math.min(...hits.map(({ id }) => id));
    expect(mirror.column<string>('SELECT key FROM record WHERE id = ?').get(oldest)).to.equal('masse-5500');
  });

  it('never fails, whatever is asked', () => {
    for (const query of ['', '   ', '"', '*', '😀', "l'", '\u0000', 'a'.repeat(20_000), '(AND) OR "" NEAR/', '-'])
      expect(ids(query)).to.be.an('array');
  });
});
