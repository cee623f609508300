import { expect } from 'chai';
import { AmbiguousNameError, NotFoundError } from '../../src/errors.ts';
import type { Document } from '../../src/model/document.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { findSlug } from '../../src/names/lookup.ts';
import { openPast } from '../../src/store/history/past.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { openMirror, openWritableMirror } from '../../src/store/open.ts';
import type { JsonPage } from '../../src/store/page.ts';
import { listFeed } from '../../src/store/records/feed.ts';
import { listPoliticians, type PoliticianSort } from '../../src/store/records/politicians.ts';
import { readCompleteRecord } from '../../src/store/records/profile.ts';
import { rows } from '../../src/store/rows.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { transaction } from '../../src/store/transaction.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { searchWords } from '../helpers/search-words.ts';

const at = '2026-11-02T00:00:00.000Z';

describe('a mirror', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let mirror: Mirror;
  beforeEach(async () => {
    demo = await createDemoMirror();
    mirror = openWritableMirror(demo.db);
  });
  afterEach(() => {
    mirror.close();
    demo.remove();
  });

  const save = (kind: Parameters<typeof kindOf>[0], document: Document) =>
    transaction(mirror, () => {
      const saver = createSaver(mirror, kindOf(kind), { at });
      const outcome = saver.save(document);
      saver.finish();
      return outcome;
    });
  const walk = (list: (cursor: string | undefined) => JsonPage, between: () => void = () => {}) => {
    const items: Document[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = list(cursor);
      items.push(...page.items.map((text) => JSON.parse(text)));
      if (page.nextCursor === null) return items;
      cursor = page.nextCursor;
      between();
    }
  };

  for (const sort of ['name', 'freshness', 'updated_at'] as PoliticianSort[]) {
    for (const limit of [1, 7, 49, 50]) {
      it(`lists every politician once by ${sort}, ${limit} at a time`, () => {
        const slugs = walk((cursor) => listPoliticians(mirror, { sort, limit, cursor })).map(({ slug }) => slug);
        expect(slugs.length).to.equal(50);
        expect(new Set(slugs).size).to.equal(50);
      });
    }
  }

  it('keeps what it has begun to read once, though another commits meanwhile', () => {
    const reader = openMirror(demo.db);
    try {
      const result = reader.readOnce('outer', () => {
        save('party', { slug: 'nouveau', name: 'Nouveau' });
        return reader.readOnce('inner', () => 'read');
      });
      expect(result).to.equal('read');
    } finally {
      reader.close();
    }
  });

  it('sorts names as French does: accents and hyphens do not count, "de" goes after the name', () => {
    const names = walk((cursor) => listPoliticians(mirror, { limit: 100, cursor })).map(({ full_name }) =>
      String(full_name),
    );
    const places = ['Mahaut de Brumelande', 'Océane Bruyèvre', 'Isaure Cœurdevent'].map((name) => names.indexOf(name));
    expect(places)
      .to.deep.equal([...places].sort((a, b) => a - b))
      .and.not.include(-1);
  });

  it('puts names that hold the words whole before those that begin with them, a page after the other', () => {
    for (const [slug, full_name] of [
      ['a-brac', 'Anne Le Bracquet'],
      ['m-brac', 'Max Le Brac'],
      ['z-brac', 'Zoé Vautrin-Le Brac'],
    ] as const)
      save('politician', { slug, full_name });
    for (const limit of [1, 2, 3])
      expect(
        walk((cursor) => listPoliticians(mirror, { q: 'le brac', limit, cursor })).map(({ slug }) => slug),
      ).to.deep.equal(['m-brac', 'z-brac', 'a-brac']);
    const past = openPast(demo.db, at);
    expect(listPoliticians(past, { q: 'le brac', limit: 9 }).total).to.equal(3);
    past.close();
  });

  it('goes on with a walk of the feed while records come and change', () => {
    let added = 0;
    const ids = walk(
      (cursor) => listFeed(mirror, { limit: 20, cursor }),
      () => {
        added += 1;
        save('content', { id: `new-${added}`, title: 'Nouveau', date: '2027-01-01' });
        save('content', { ...[...rows(mirror, kindOf('content'))][3]!, outcome: `vu ${added}` });
      },
    ).map(({ id }) => id);
    expect(ids.length).to.equal(140 + 66 + 95);
    expect(new Set(ids).size).to.equal(ids.length);
  });

  it('lists the feed newest first, each item with its type, and counts it', () => {
    const page = listFeed(mirror, { types: ['promise', 'position'], limit: 200 });
    const items = page.items.map((text) => JSON.parse(text) as Document);
    expect(page.total).to.equal(66 + 95);
    expect(new Set(items.map(({ type }) => type))).to.deep.equal(new Set(['promise', 'position']));
    const dates = items.map(({ date }) => String(date ?? ''));
    expect(dates).to.deep.equal([...dates].sort().reverse());
  });

  it('lists of the feed what is since a day, quotes and speeches where they are asked for', () => {
    const page = listFeed(mirror, {
      types: ['promise', 'quote', 'speech'],
      since: '2025-06-01',
      limit: 2000,
    });
    const items = page.items.map((text) => JSON.parse(text) as Document);
    expect(page.total).to.equal(items.length);
    expect(items.map(({ type }) => type)).to.include.members(['quote', 'speech']);
    expect(items.every(({ date }) => String(date) >= '2025-06-01')).to.equal(true);
    const older = listFeed(mirror, { types: ['promise', 'quote', 'speech'], limit: 1 });
    expect(older.total).to.be.greaterThan(items.length);
  });

  it('filters the feed by politician, topic and party together', () => {
    const items = listFeed(mirror, { politician: 'oceane-bruyevre', topic: 'logement', limit: 50 }).items.map((text) =>
      JSON.parse(text),
    );
    expect(items.length).to.be.greaterThan(0);
    expect(items.every(({ politician, topic }) => politician === 'oceane-bruyevre' && topic === 'logement')).to.equal(
      true,
    );
  });

  const hostile = [
    "l'état",
    'jean-luc',
    '49.3',
    'AND',
    'OR NOT',
    '"',
    '"""',
    '*',
    '(',
    'name:x',
    'NEAR(a b, 2)',
    '^a',
    '\0',
    'a\0b',
    '\ud800',
    '-',
    '…',
    'é"*( '.repeat(2500),
    '',
  ];
  for (const query of hostile) {
    it(`answers the search ${JSON.stringify(query).slice(0, 30)} without a syntax error`, () => {
      expect(searchWords(mirror, { query, limit: 5 }).items).to.be.an('array');
      expect(listPoliticians(mirror, { q: query, limit: 5 }).items).to.be.an('array');
    });
  }

  const searchCases: [string, string, string][] = [
    ['a name before its mentions', 'Bruyèvre', 'oceane-bruyevre'],
    ['a name without its accents', 'oceane bruyevre', 'oceane-bruyevre'],
    ['a hyphenated name as one word', 'morelalaulne', 'thibault-morel-a-l-aulne'],
    ['a name with œ', 'coeurdevent', 'isaure-coeurdevent'],
    ['the beginning of a name', 'bruyèv*', 'oceane-bruyevre'],
  ];
  for (const [what, query, slug] of searchCases) {
    it(`finds ${what}`, () =>
      expect(searchWords(mirror, { query, limit: 3 }).items[0]).to.include({ type: 'politician', slug }));
  }

  it('finds singular and plural, elided and plain alike', () => {
    const total = (query: string) =>
      searchWords(mirror, { query, limit: 1, types: ['content', 'speech', 'promise'] }).total;
    expect(total('retraite')).to.equal(total('retraites')).and.to.be.greaterThan(5);
    expect(total("l'énergie")).to.equal(total('ENERGIES')).and.to.be.greaterThan(0);
    expect(total('49.3')).to.be.greaterThan(0);
  });

  it('answers with a name that looks alike when nothing matches, and says so', () => {
    const answer = searchWords(mirror, { query: 'Bryuevre', limit: 5 });
    expect(answer.items).to.deep.equal([]);
    expect(answer.near!.items[0]).to.include({ slug: 'oceane-bruyevre', matched: 'corrected' });
    expect(answer.corrected).to.deep.equal([{ from: 'Bryuevre', to: 'Bruyèvre' }]);
    expect(answer.suggestions[0]).to.deep.equal({ slug: 'oceane-bruyevre', full_name: 'Océane Bruyèvre' });
  });

  it('finds an edited record under its new words only', () => {
    save('content', { id: 'x1', title: 'Xylophone municipal', text: 'a' });
    expect(searchWords(mirror, { query: 'xylophone', limit: 1 }).total).to.equal(1);
    expect(save('content', { id: 'x1', title: 'Trombone municipal', text: 'a' })).to.equal('edited');
    expect(searchWords(mirror, { query: 'xylophone', limit: 1 }).total).to.equal(0);
    expect(searchWords(mirror, { query: 'trombone', limit: 1 }).total).to.equal(1);
  });

  it('tells an edit from the same content written otherwise', () => {
    expect(save('source', { id: 's1', title: 'Un', url: null })).to.equal('added');
    expect(save('source', { id: 's1', title: 'Un', url: null })).to.equal('same');
    expect(save('source', { title: 'Un', id: 's1' })).to.equal('touched');
    expect(save('source', { id: 's1', title: 'Deux' })).to.equal('edited');
  });

  it('resolves a name in any order, and chooses between no homonyms', () => {
    expect(findSlug(mirror, 'politician', 'bruyevre oceane')).to.equal('oceane-bruyevre');
    expect(findSlug(mirror, 'politician', 'Mahaut de Brum')).to.equal('mahaut-de-brumelande');
    expect(() => findSlug(mirror, 'politician', 'Camille Rouvre')).to.throw(AmbiguousNameError);
    expect(() => findSlug(mirror, 'politician', 'Oceane Bruyevra'))
      .to.throw(NotFoundError)
      .with.property('hint')
      .match(/oceane-bruyevre/);
  });

  it('puts a profile together from what it holds', () => {
    const profile = readCompleteRecord(mirror, kindOf('politician'), 'oceane-bruyevre')!;
    const counts = ['promises', 'positions', 'quotes', 'sources'].map((field) => (profile[field] as unknown[]).length);
    expect(counts).to.deep.equal([11, 8, 6, 5]);
    const members = readCompleteRecord(mirror, kindOf('party'), 'alliance-des-rivages')!.members as Document[];
    expect(members.map(({ slug }) => slug)).to.include('oceane-bruyevre');
  });
});
