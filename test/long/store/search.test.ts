import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Document } from '../../../src/model/document.ts';
import { type KindName, kindOf } from '../../../src/model/kinds.ts';
import { type Mirror, saveMeta } from '../../../src/store/mirror.ts';
import { openMirror, openWritableMirror } from '../../../src/store/open.ts';
import { listFeed } from '../../../src/store/records/feed.ts';
import { countRows } from '../../../src/store/rows.ts';
import { createSaver } from '../../../src/store/saving/save.ts';
import type { SearchFilter } from '../../../src/store/search/answer.ts';
import { searchInMode } from '../../../src/store/search/search.ts';
import { transaction } from '../../../src/store/transaction.ts';
import { refreshIndex } from '../../../src/store/word-index/search-index.ts';
import { createRandom, seedOf } from '../../helpers/random.ts';
import { searchWords } from '../../helpers/search-words.ts';

describe('search', () => {
  let folder: string;
  let mirror: Mirror;

  const save = (kind: KindName, ...documents: Document[]) =>
    transaction(mirror, () => {
      const saver = createSaver(mirror, kindOf(kind), { at: '2026-01-01T00:00:00.000Z' });
      for (const document of documents) saver.save(document);
      saver.finish();
    });
  const texts = (...sentences: string[]) =>
    save(
      'content',
      ...sentences.map((text, at) => ({
        id: `t${at}`,
        title: `Note ${at}`,
        text,
        date: `2026-01-0${at + 1}`,
      })),
    );
  /** The answer with its suggestions behind the results, as the service's own search gives them. */
  const ask = (query: string, more: Partial<SearchFilter> = {}) => {
    const { near, ...answer } = searchWords(mirror, { query, limit: 20, ...more });
    return { ...answer, items: [...answer.items, ...(near?.items ?? [])], relaxed: near?.relaxed ?? null };
  };
  const ids = (query: string, more: Partial<SearchFilter> = {}) =>
    ask(query, more).items.map(({ id, slug }) => id ?? slug);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-search-'));
    mirror = openWritableMirror(join(folder, 'mirror.db'));
  });
  afterEach(() => {
    mirror.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('tells whom a query names before any text', () => {
    texts('Le moulin de Zoé Verdier tourne.', 'Zoé Verdier répond à Zoé Verdier.');
    save('politician', { slug: 'zoe-verdier', full_name: 'Zoé Verdier' });
    const { items } = ask('Zoé Verdier');
    expect(items.map(({ matched }) => matched)).to.deep.equal(['name', 'words', 'words']);
    expect(ask('Zoé Verdier').counts).to.include({ politician: 1, content: 2 });
    expect(ask('Zoé Verdier').total).to.equal(3);
  });

  it('counts and ranks anew what was saved meanwhile, in a mirror that stays open to be read', () => {
    const notes = (count: number, text: string) =>
      Array.from({ length: count }, (_, at) => ({ id: `n${at}`, title: '', text: `${text} ${at}` }));
    save('quote', ...notes(400, 'Un port'));
    save('content', ...notes(150, 'Un long phare au loin'));
    const reading = openMirror(join(folder, 'mirror.db'));
    const search = () => searchWords(reading, { query: 'phare', limit: 1, types: ['content'] });
    expect(search()).to.deep.equal(search()).and.to.include({ total: 150 });
    save('content', ...notes(151, 'Un très long phare au loin').slice(1), { id: 'n0', text: 'Phare' });
    expect(search()).to.include({ total: 151 });
    expect(search().items.map(({ id }) => id)).to.deep.equal(['n0']);
    reading.close();
  });

  it('suggests no other spelling of the words of a name that is known', () => {
    texts(...Array.from({ length: 9 }, () => 'Une verdure.'));
    save('content', ...Array.from({ length: 20 }, (_, at) => ({ id: `p${at}`, text: `Les verdiers ${at}` })));
    save('politician', { slug: 'zoe-verdiere', full_name: 'Zoé Verdieer' });
    const words = (query: string) => ask(query).suggestions.filter((each) => 'word' in each);
    expect(words('Verdieer')).to.have.length(1);
    expect(words('Zoé Verdieer')).to.deep.equal([]);
  });

  it('tells a word of the text before one of a title that many share', () => {
    save(
      'speech',
      ...[1, 2, 3].map((at) => ({
        id: `s${at}`,
        title: 'Débat sur les moulins',
        text: 'Défavorable, merci.',
      })),
      {
        id: 'own',
        title: 'Questions',
        text: 'Nous voulons sauver les vieux moulins de nos vallées, et le dire longuement ici.',
      },
    );
    expect(ids('moulins')[0]).to.equal('own');
  });

  it('takes marché for no marche, and what lacks its accent for both', () => {
    texts('Le marché couvert.', 'La marche blanche.');
    expect(ids('marché')).to.deep.equal(['t0']);
    expect(ids('marche')).to.deep.equal(['t1', 't0']);
  });

  it('looks for words of the same family where nothing holds the word, but for none that is another word', () => {
    texts('Un agent forestier.', 'Les immigrations anciennes.', 'Cent francs.');
    expect(ask('immigrer').items.map(({ id, matched }) => [id, matched])).to.deep.equal([['t1', 'family']]);
    expect(ids('France')).to.deep.equal([]);
  });

  it('looks for another spelling of a word that nothing holds, and says so as records write it', () => {
    texts("L'Immigration des saumons.", 'Un autre texte.');
    const { items, corrected, relaxed } = ask('imigration des saumons');
    expect(items.map(({ id, matched }) => [id, matched])).to.deep.equal([['t0', 'corrected']]);
    expect(corrected).to.deep.equal([{ from: 'imigration', to: 'immigration' }]);
    expect(relaxed).to.equal('corrected');
    expect(ask('saumns 49.4').corrected).to.deep.equal([{ from: 'saumns', to: 'saumons' }]);
    expect(ask('samum').corrected).to.deep.equal([]);
  });

  it('runs no more searches for a long sentence of long misspelt words than for a few', () => {
    const random = createRandom(seedOf('MISSPELT_SEED'));
    const word = () => Array.from({ length: 9 + random.integer(6) }, () => random.pick([...'aeilnrst'])).join('');
    const vocabulary = Array.from({ length: 1500 }, word);
    texts(vocabulary.join(' '), 'Les éclusiers gardent l’écluse.');
    let looked = 0;
    const counting: Mirror = {
      ...mirror,
      column: <Value>(text: string) => {
        const statement = mirror.column<Value>(text);
        if (!text.includes('MATCH')) return statement;
        return new Proxy(statement, {
          get(target, name) {
            if (name === 'get') looked += 1;
            const value = Reflect.get(target, name);
            return typeof value === 'function' ? value.bind(target) : value;
          },
        });
      },
    };
    const misspelt = vocabulary
      .slice(0, 31)
      .map((each) => `${each.slice(0, 4)}${random.pick([...'wxz'])}${each.slice(5)}`);
    const { corrected } = searchWords(counting, { query: ['eclusirs', ...misspelt].join(' '), limit: 5 });
    // Some are of words of the same families.
    expect(looked).to.be.within(1, 3000);
    expect(corrected[0]).to.deep.equal({ from: 'eclusirs', to: 'éclusiers' });
  });

  it('takes any word that says something where no record contains all, and says so', () => {
    texts('Le moulin tourne.', 'Les forêts poussent pour tous.', 'Que faire pour les autres ?');
    const answer = ask('que faire pour les forêts et le moulin');
    expect(answer.relaxed).to.equal('any-word');
    expect(answer.items.map(({ id }) => id)).to.have.members(['t0', 't1']);
    expect(ask('forêts moulin inconnu').items.every(({ matched }) => matched === 'any-word')).to.equal(true);
  });

  it('tells whom a name with a slip means, however many share its first name', () => {
    const surnames = ['Verdier', 'Kermadec', 'Brossard', 'Lantier', 'Moulinet'];
    save('politician', ...surnames.map((name) => ({ slug: name.toLowerCase(), full_name: `Alain ${name}` })));
    texts('Alain Kermadec prend la parole.');
    const { items, relaxed, suggestions } = ask('Alain Kermdec');
    expect(items.map(({ slug }) => slug)).to.deep.equal(['kermadec']);
    expect(relaxed).to.equal('corrected');
    expect(suggestions[0]).to.deep.equal({ slug: 'kermadec', full_name: 'Alain Kermadec' });
    expect(ids('Alain Brossrad')).to.deep.equal(['brossard']);
  });

  it('tells whom a word with a slip may mean before texts with another spelling', () => {
    save('politician', { slug: 'zoe-joubert', full_name: 'Zoé Joubert' });
    texts('Un jouet de bois.', 'Un jouet de fer.', 'Un jouet de lin.', 'Le jouet de tous.');
    const { items, corrected } = ask('Joubet');
    expect(items.map(({ type }) => type)).to.deep.equal(['politician', ...Array(4).fill('content')]);
    expect(corrected).to.deep.equal([{ from: 'Joubet', to: 'jouet' }]);
  });

  it('suggests a word that many records hold where few hold the one that was typed', () => {
    texts(...Array.from({ length: 9 }, () => 'Le budget de la mer.'), 'Le bugdet écrit de travers.');
    save('content', ...Array.from({ length: 9 }, (_, at) => ({ id: `u${at}`, title: '', text: `budget ${at}` })));
    expect(ask('bugdet').suggestions).to.deep.equal([{ word: 'budget' }]);
    expect(ask('budget').suggestions).to.deep.equal([]);
  });

  it('leaves out what must not be there, and keeps to kinds, parties and days', () => {
    texts('Le port de pêche.', 'Le port de plaisance.');
    save('party', { slug: 'les-quais', name: 'Les Quais', short_name: 'LQ' });
    save('promise', {
      id: 'p',
      title: 'Un port',
      text: 'Agrandir le port.',
      party: 'les-quais',
      date: '2020-05-01',
    });
    const types: KindName[] = ['content', 'promise'];
    expect(ids('port -pêche')).to.deep.equal(['t1']);
    expect(ids('port -"de pêche"', { types })).to.have.members(['t1', 'p']);
    expect(ids('port type:promesse')).to.deep.equal(['p']);
    expect(ids('port party:LQ', { types })).to.deep.equal(['p']);
    expect(ids('port since:2026', { types })).to.have.members(['t0', 't1']);
    expect(ask('port type:navire').remarks.map(String)).to.deep.equal([
      'type:navire matches no searchable kind, and was searched as words',
    ]);
    expect(ids('port -type:promise', { types })).to.have.members(['t0', 't1']);
    expect(ids('port -type:content,speech', { types })).to.deep.equal(['p']);
    const none = ask('port type:content -type:content');
    expect(none.items).to.deep.equal([]);
    expect(none.remarks.map(String)).to.deep.equal(['no kind is left to search']);
    expect(ids('port type:speech type:promise')).to.deep.equal(['p']);
    expect(ids('port -party:LQ', { types })).to.have.members(['t0', 't1']);
    expect(ids('port until:2020', { types })).to.deep.equal(['p']);
    expect(ids('port until:2020-05-01', { types })).to.deep.equal(['p']);
    expect(ids('port until:2020-04', { types })).to.deep.equal([]);
    expect(ids('port -since:2021', { types })).to.deep.equal(['p']);
    expect(ids('port -until:2020-05-01', { types })).to.have.members(['t0', 't1']);
    expect(ask('port -type:navire').remarks.map(String)).to.deep.equal([
      '-type:navire matches no searchable kind, and excludes nothing',
    ]);
    expect(ask('port since:2024-02-31').remarks.map(String)).to.deep.equal([
      'since:2024-02-31 matches no valid date, and was searched as words',
    ]);
    save(
      'politician',
      { slug: 'zoe-verdier', full_name: 'Zoé Verdier' },
      { slug: 'luc-verdier', full_name: 'Luc Verdier' },
    );
    expect(ask('port politician:Verdier').remarks.map(String)).to.deep.equal([
      'politician:Verdier could mean luc-verdier, zoe-verdier, and was searched as words',
    ]);
    expect(ask('-port').remarks).to.have.lengthOf(1);
    expect(ask('!? --').remarks.map(String)).to.deep.equal(['there is no word to search for']);
    expect(ask('a*')).to.deep.include({ items: [], total: 0 });
  });

  it('takes several parties for any of them, and leaves out politicians too, named ones as well', () => {
    save(
      'party',
      { slug: 'les-quais', name: 'Les Quais', short_name: 'LQ' },
      { slug: 'les-vergers', name: 'Les Vergers', short_name: 'LV' },
    );
    save('politician', { slug: 'zoe-joubert', full_name: 'Zoé Joubert', party: 'les-vergers' });
    save(
      'content',
      { id: 'q', text: 'Le port.', party: 'les-quais' },
      { id: 'v', text: 'Le port.', party: 'les-vergers', politician: 'zoe-joubert' },
      { id: 'n', text: 'Un port.' },
    );
    const all = { allCopies: true };
    expect(ids('port party:LQ party:LV', all)).to.have.members(['q', 'v']);
    expect(ids('port -party:LQ -party:LV', all)).to.deep.equal(['n']);
    expect(ids('port -politician:zoe-joubert', all)).to.have.members(['q', 'n']);
    expect(ids('Joubert -party:LV')).to.deep.equal([]);
  });

  it('counts what states no party by where its politician sat on its day, and without a day by today', () => {
    save('party', { slug: 'les-quais', name: 'Les Quais' }, { slug: 'les-vergers', name: 'Les Vergers' });
    save(
      'politician',
      {
        slug: 'zoe-joubert',
        full_name: 'Zoé Joubert',
        party: 'les-vergers',
        affiliations: [
          { party: 'les-quais', start: '2019-01-01', end: '2020-06-30' },
          { party: { slug: 'les-vergers' }, start: '2020-07-01', end: null },
        ],
      },
      {
        slug: 'luc-aubin',
        full_name: 'Luc Aubin',
        party: 'les-quais',
        affiliations: [{ party: 'les-quais' }],
      },
    );
    const port = (id: string, of: Document) => ({ id, text: 'Le port.', politician: 'zoe-joubert', ...of });
    save(
      'promise',
      port('then', { date: '2020-06-30' }),
      port('now', { date: '2021-01-01' }),
      port('before', { date: '2018-01-01' }),
      port('stated', { date: '2021-01-01', party: 'les-quais' }),
      port('undated', {}),
      port('no-days', { date: '2010-01-01', politician: 'luc-aubin' }),
    );
    const types: KindName[] = ['promise'];
    const all = { types, allCopies: true };
    for (const [party, expectedIds] of Object.entries({
      'les-quais': ['then', 'stated', 'no-days'],
      'les-vergers': ['now', 'undated'],
    })) {
      expect(ids(`port party:${party}`, all)).to.have.members(expectedIds);
      const page = listFeed(mirror, { types, party, limit: 50 });
      expect(page.items.map((item) => JSON.parse(item).id)).to.have.members(expectedIds);
      expect(countRows(mirror, kindOf('promise'), { party })).to.equal(expectedIds.length);
    }
    expect(listFeed(mirror, { types, party: 'les-quais,les-vergers', limit: 3 }).total).to.equal(5);
    expect(ids('port -party:les-quais', all)).to.have.members(['now', 'before', 'undated']);
    expect(ask('port party:les-quais', all).remarks.map(String)).to.deep.equal([
      'records without a party count for the party of their politician on that date',
      'without a date, or without dated affiliations, the current party counts',
    ]);
  });

  it('takes the words of a phrase in their order in names too', () => {
    save('party', { slug: 'quais', name: 'Les Quais de la Rade et du Port' });
    save('politician', { slug: 'anne-le-roc', full_name: 'Anne Le Roc' });
    const types: KindName[] = ['party', 'politician'];
    expect(ids('"de la rade"', { types })).to.deep.equal(['quais']);
    expect(ids('"et de la"', { types })).to.deep.equal([]);
    expect(ids('"Anne Le Roc"', { types })).to.deep.equal(['anne-le-roc']);
    expect(ids('"le roc"', { types })).to.deep.equal(['anne-le-roc']);
    texts('Au roc du port.');
    expect(ids('"roc du port"')).to.deep.equal(['t0']);
    expect(ids('"anne le roc" port')[0]).to.equal('anne-le-roc');
  });

  it('says where a list ends that it holds only the newest of what was found', () => {
    save('quote', ...Array.from({ length: 10_002 }, (_, at) => ({ id: `q${at}`, text: `Le port ${at}.` })));
    const walk = (filter: Partial<SearchFilter>) => ask('port', { types: ['quote'], limit: 3000, ...filter });
    const first = walk({});
    expect(first).to.deep.include({ total: null, remarks: [] });
    const last = walk({ cursor: first.nextCursor! });
    expect(last.nextCursor).to.equal(null);
    expect(last.remarks.map(String)).to.deep.equal([
      'the list stops here, but there are more results, and only the newest are listed; add a word or until: to find others',
    ]);
  });

  it('looks for words with a sign between them by themselves', () => {
    texts('Le port et ses phares.', 'Un port.', 'Ports/digues.');
    expect(ids('ports/phares')[0]).to.equal('t0');
    expect(ids('port/digue')).to.deep.equal(['t2']);
  });

  it('keeps to parties and days also of many records, alone and together, to one word and several', () => {
    save('party', { slug: 'les-quais', name: 'Les Quais', short_name: 'LQ' });
    const notes = Array.from({ length: 7000 }, (_, at) => ({
      id: `n${at}`,
      text: at % 3 === 0 ? `Le port et la digue ${at}.` : `La mer ${at}.`,
      party: at % 7 === 0 ? 'autre' : 'les-quais',
      date: at < 6000 ? '2025-03-01' : '2020-03-01',
    }));
    save('content', ...notes);
    const many = (test: (note: (typeof notes)[number]) => boolean) => notes.filter(test).length;
    const isOfPort = ({ text }: { text: string }) => text.includes('port');
    mirror.close();
    mirror = openMirror(join(folder, 'mirror.db')) as Mirror;
    expect(ask('port party:LQ').total).to.equal(many((note) => isOfPort(note) && note.party === 'les-quais'));
    expect(ask('port digue since:2024').total).to.equal(many((note) => isOfPort(note) && note.date > '2024'));
    expect(ask('por* party:LQ since:2024').counts).to.include({
      politician: 0,
      content: many((note) => isOfPort(note) && note.party === 'les-quais' && note.date > '2024'),
    });
    expect(ids('port party:LQ since:2024', { limit: 100 }).map((id) => Number(id!.slice(1)) % 7)).to.not.include(0);
  });

  it('finds and ranks the few records of somebody among many as it does those of many', () => {
    const by = (politician: string | null) => (_: unknown, n: number) => ({
      ...{ id: `${politician}${n}`, title: '', politician, date: `2026-01-0${1 + (n % 9)}` },
      text: `${'Un port. '.repeat(1 + (n % 4))}Note ${n}.${n % 2 === 0 ? ' La digue.' : ''}`,
    });
    save('politician', { slug: 'zoe', full_name: 'Zoé Verdier' });
    save('content', ...Array.from({ length: 12 }, by('zoe')));
    const queries = ['port', 'port digue', 'port -digue', 'zygomatique', 'until:2026-01-04 port'];
    const foundIds = () => queries.map((query) => ids(`politician:zoe ${query}`).toSorted());
    const before = foundIds();
    expect(before.map((each) => each.length)).to.deep.equal([12, 6, 6, 0, 7]);
    save('content', ...Array.from({ length: 6500 }, by(null)));
    expect(foundIds()).to.deep.equal(before);
    expect(ids('Zoé Verdier port').slice(1).toSorted()).to.deep.equal(before[0]);
  });

  it('tells one of several copies of a text, the newest, with the number of the others', () => {
    texts(
      'Le même texte sur le phare.',
      'Le même  texte sur le phare.',
      'Un autre sur le phare.',
      'Le même texte sur le phare.',
    );
    const { items, total } = ask('phare');
    expect(items.map(({ id, copies }) => [id, copies])).to.have.deep.members([
      ['t3', 2],
      ['t2', 0],
    ]);
    expect(total).to.equal(4);
    expect(ids('phare', { allCopies: true })).to.have.lengthOf(4);
  });

  it('tells copies alike whether it looks at all that was found or at the first of many', () => {
    const long = (at: number) => `Au bout de la longue jetée de granit du vieux port se dresse le phare ${at}.`;
    const otherTexts = Array.from({ length: 100 }, (_, at) => long(at));
    for (const more of [[], otherTexts]) {
      texts('Un phare.', 'Un phare.', 'Un autre phare.', ...more);
      const copyCounts: [id: string | undefined, copies: number][] = [];
      let cursor: string | undefined;
      do {
        const { items, nextCursor } = ask('phare', { cursor });
        for (const { id, copies } of items) copyCounts.push([id, copies]);
        cursor = nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect(copyCounts).to.have.lengthOf(2 + more.length);
      expect(copyCounts).to.deep.include(['t1', 1]).and.deep.include(['t2', 0]);
      expect(copyCounts.map(([id]) => id)).not.to.include('t0');
    }
  });

  it('ranks once for a page, however many copies it folds', () => {
    const copies = (text: string) => Array.from({ length: 400 }, (_, at) => `${text}${' '.repeat(at)}`);
    texts('Un phare, le port et la digue du nord.', ...copies('Un phare.'), ...copies('Le phare.'));
    const statements: string[] = [];
    const counting: Mirror = {
      ...mirror,
      sql: <Row>(text: string) => {
        statements.push(text);
        return mirror.sql<Row>(text);
      },
    };
    const count = (part: string) => statements.filter((text) => text.includes(part)).length;
    const { items, total } = searchWords(counting, { query: 'phare', limit: 20 });
    expect(total).to.equal(801);
    expect(items.map(({ copies }) => copies)).to.have.members([399, 399, 0]);
    expect(count('bm25(')).to.equal(1);
    // Of each text at most the best match and the newest are read.
    expect(count('SELECT key, row, detail')).to.be.at.most(6);
    const last = searchWords(mirror, { query: 'phare', limit: 2 }).nextCursor!;
    statements.length = 0;
    expect(searchWords(counting, { query: 'phare', limit: 20, cursor: last }).items).to.have.lengthOf(1);
    expect(count('bm25(')).to.equal(1);
  });

  it('lists over its pages what remains of all matches when each text is listed as its newest copy', () => {
    const random = createRandom(seedOf('COPIES_SEED'));
    const words = ['phare', 'port', 'digue', 'môle', 'quai'];
    const sentence = () => Array.from({ length: 1 + random.integer(5) }, () => random.pick(words)).join(' ');
    const types = ['content', 'speech'] as const;
    const saved: { id: string; title: string; text: string }[] = [];
    for (let round = 0; round < 12; round += 1) {
      const pool = Array.from({ length: 1 + random.integer(40) }, sentence);
      const added = Array.from({ length: 60 }, (_, at) => ({
        ...{ id: `${round}-${at}`, title: sentence() },
        text: random.pick(pool).replace(' ', random.pick([' ', '\u00a0'])),
      }));
      save(types[round % 2]!, ...added);
      saved.push(...added);
      const query = Array.from({ length: 1 + random.integer(2) }, () => random.pick(words)).join(' ');
      const all = ask(query, { limit: 10_000, allCopies: true, types: [...types] }).items;
      const place = (id: string | undefined) => saved.findIndex((each) => each.id === id);
      const copiesOf = Map.groupBy(all, ({ type, matched, id }) =>
        [type, matched, saved[place(id)]!.text.replace('\u00a0', ' ')].join(),
      );
      const expected = all.flatMap(({ id }) => {
        const copies = [...copiesOf.values()].find((each) => each.some((one) => one.id === id))!;
        return copies.some((one) => place(one.id) > place(id)) ? [] : [[id, copies.length - 1]];
      });
      const walked: unknown[] = [];
      let cursor: string | undefined;
      do {
        const page = ask(query, { limit: 1 + random.integer(30), types: [...types], cursor });
        walked.push(...page.items.map(({ id, copies }) => [id, copies]));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect(walked, `${query}, seed ${random.seed}`).to.deep.equal(expected);
    }
  });

  it('keeps a quote beside the speech that it stands in word for word, whether few or many were found', () => {
    const one = 'Un phare ne se vend pas.';
    save('speech', { id: 's1', title: '', text: one });
    save('quote', { id: 'q1', text: one });
    for (const more of [0, 100]) {
      const otherTexts = Array.from({ length: more }, (_, at) => `Le phare numéro ${at} du vieux port.`);
      save('content', ...otherTexts.map((text, at) => ({ id: `c${at}`, title: '', text })));
      const { items } = ask('phare', { types: ['speech', 'quote', 'content'], limit: 200 });
      const copyCounts = items.filter(({ id }) => id === 's1' || id === 'q1').map(({ id, copies }) => [id, copies]);
      expect(copyCounts, `${more} others`).to.have.deep.members([
        ['s1', 0],
        ['q1', 0],
      ]);
    }
  });

  it('tells copies that differ in white space alone as copies, also where words are ranked by the segments', () => {
    // The white space is all that tells them apart, and makes of two words one.
    texts('Jetées et ports.', 'Jetéeset ports.');
    const otherContents = Array.from({ length: 60 }, (_, at) => ({
      id: `o${at}`,
      title: '',
      text: `Le port${' du vieux phare'.repeat(at + 2)}.`,
    }));
    save('content', ...otherContents);
    const reading = openMirror(join(folder, 'mirror.db'));
    for (const query of ['port', 'ports']) {
      const { items, total } = searchWords(reading, { query, limit: 61 });
      expect(total, query).to.equal(62);
      const copyCounts = items.filter(({ id }) => id?.startsWith('t')).map(({ id, copies }) => [id, copies]);
      expect(copyCounts, query).to.deep.equal([['t1', 1]]);
    }
    reading.close();
  });

  it('goes on behind a page to the end, each hit once, over all steps', () => {
    const numbered = Array.from({ length: 150 }, (_, at) => `${at % 3 ? 'marche' : 'marché'} numéro ${at}`);
    save('content', ...numbered.map((text, at) => ({ id: `n${at}`, title: '', text })));
    const whole = ids('marche', { limit: 1000 });
    expect(new Set(whole).size).to.equal(150);
    const walked: (string | undefined)[] = [];
    let cursor: string | undefined;
    do {
      const page = ask('marche', { limit: 7, cursor });
      walked.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(walked).to.have.lengthOf(150);
    expect(new Set(walked).size).to.equal(150);
    expect(() => ask('marche', { cursor: 'nonsense' })).to.throw(/cursor/);
  });

  it('says where in a snippet the matches stand', () => {
    texts('Les éclusiers gardent l’écluse.');
    const [hit] = ask('écluse').items;
    expect(hit!.offsets.map(([start, end]) => hit!.snippet.slice(start, end))).to.deep.equal(['écluse']);
  });

  it('is of a topic where one is asked for', () => {
    save('promise', { id: 'p', title: 'Un port', text: 'Agrandir le port.', topic: 'mer' });
    expect(ids('port', { topic: 'mer' })).to.deep.equal(['p']);
    expect(ids('port', { topic: 'terre' })).to.deep.equal([]);
  });

  it('gives a sentence what has all of its words, and as many suggestions as are asked for', () => {
    texts('Le moulin et la forêt.', 'La forêt seule.', 'Le moulin seul.');
    const answer = searchInMode(mirror, 'fallback', { query: 'la forêt et le moulin', limit: 2 });
    expect([answer.total, answer.items.map(({ matched }) => matched)]).to.deep.equal([1, ['words']]);
    expect([answer.near!.total, answer.near!.items.map(({ id }) => id)]).to.deep.equal([2, ['t1', 't2']]);
    const { items, near } = searchInMode(mirror, 'fallback', { query: 'la forêt et le moulin du port', limit: 2 });
    expect([items, near!.items.length, near!.total]).to.deep.equal([[], 2, 3]);
  });

  it('answers a plain question with what is about it, though no text holds all of its words', () => {
    texts(
      'Que faire de ceux qui en parlent ? Rien pour la forêt.',
      'La forêt est replantée.',
      'Nos forêts brûlent.',
      'On parle du port.',
    );
    const question = ask('Qui parle de replanter les forêts ?');
    expect(question.relaxed).to.equal('any-word');
    expect(question.items.map(({ id }) => id)).to.have.members(['t0', 't1', 't2']);
    expect(ids('replanter la forêt')[0]).to.equal('t1');
  });

  it('takes the short name of a party for every group that bears it, and says so', () => {
    save('party', { slug: 'rivage', name: 'Rivage', short_name: 'RV' });
    save('party', { slug: 'rv-an16', name: 'Groupe Rivage', short_name: 'RV' });
    save(
      'content',
      { id: 'old', title: '', text: 'Le phare.', party: 'rv-an16' },
      { id: 'new', title: '', text: 'Le phare.', party: 'rivage' },
      { id: 'other', title: '', text: 'Le phare.', party: 'autre' },
    );
    const { items, remarks } = ask('phare party:RV', { allCopies: true });
    expect(items.map(({ id }) => id)).to.have.members(['old', 'new']);
    expect(remarks.join()).to.equal('RV is Groupe Rivage, Rivage');
    expect(ids('phare party:rivage')).to.deep.equal(['new']);
    const feed = listFeed(mirror, { party: 'rivage,rv-an16', limit: 10 });
    expect(feed.items.map((item) => JSON.parse(item).id)).to.have.members(['old', 'new']);
  });

  it('corrects words by meaning too, leaves out what must not be there, and goes on behind a page', () => {
    const sentences = ['La forêt brûle.', 'La forêt dort.', 'Une forêt, un port.', 'Rien de cela.'];
    save('content', ...sentences.map((text, at) => ({ id: `t${at}`, title: '', text })));
    const semanticSearch = (query: string, more: Partial<SearchFilter> = {}) =>
      searchInMode(mirror, 'semantic', { query, limit: 20, ...more });
    const answer = semanticSearch('foret -port');
    expect(answer.items.map(({ id }) => id)).to.have.members(['t0', 't1']);
    expect(semanticSearch('forrêt').corrected).to.deep.equal([{ from: 'forrêt', to: 'forêt' }]);
    const { items: first, nextCursor } = semanticSearch('forêt', { limit: 2 });
    const { items: remainingItems, nextCursor: end } = semanticSearch('forêt', {
      limit: 2,
      cursor: nextCursor!,
    });
    expect([...first, ...remainingItems].map(({ id }) => id)).to.have.members(['t0', 't1', 't2']);
    expect(end).to.equal(null);
    expect(() => semanticSearch('forêt', { cursor: 'nonsense' })).to.throw(/cursor/);
  });

  it('builds the index of an older program anew', () => {
    texts('Le marché couvert de France.');
    mirror.sql('DELETE FROM search').run();
    const id = mirror.column<number>("SELECT id FROM record WHERE key = 't0'").get();
    mirror
      .sql('INSERT INTO search (rowid, name, title, body, about) VALUES (?, ?, ?, ?, ?)')
      .run(...[id, '', 'note 0', 'le march couvert de franc', '']);
    saveMeta(mirror, 'analyser', '1');
    refreshIndex(mirror);
    expect(ids('marché france')).to.deep.equal(['t0']);
    expect(ids('marche')).to.deep.equal(['t0']);
  });

  it('tells homonyms without a text apart by their years and groups', () => {
    save(
      'politician',
      { slug: 'zoe-balladin', full_name: 'Zoé Balladin', birth_date: '1948-02-01', profession: 'Pilote' },
      { slug: 'zoe-balladin-2', full_name: 'Zoé Balladin', affiliations: [{ party: 'marins-senat' }] },
    );
    const lines = searchWords(mirror, { query: 'Zoé Balladin', limit: 5 }).items.map(({ snippet }) => snippet);
    expect(lines).to.have.members(['1948– · Pilote', 'marins-senat']);
  });

  it('finds numbers and what they are of as others write them, and no other numbers', () => {
    texts('Une aide de 50 000 €.', 'La moitié, 50 %, a voté.', 'Cinquante pour cent du port.', '50 phares.');
    const foundIds = (query: string) => ids(query).toSorted();
    expect(foundIds('50000 euros')).to.deep.equal(['t0']);
    for (const query of ['50%', '50 %', '50 pour cent']) expect(foundIds(query), query).to.deep.equal(['t1']);
  });
});
