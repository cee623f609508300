import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { type KindName, kindOf } from '../../src/model/kinds.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { listBallots } from '../../src/store/records/ballots.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { transaction } from '../../src/store/transaction.ts';
import { searchWords } from '../helpers/search-words.ts';

const ballot = (number: number, date: string, title: string): Document => ({
  scrutin_id: `VTX${number}`,
  chamber: 'AN',
  number: String(number),
  date,
  title,
});

const ballots = [
  ballot(11, '2031-01-23', 'la digue du port'),
  ballot(12, '2031-01-23', 'les phares'),
  ballot(13, '2031-02-03', 'les retraites des gardiens'),
];

const texts: Document[] = [
  { id: 'AMX0011', title: 'Amendement n° 11', text: 'Le port, sans voile, avec une digue.', date: '2031-01-23' },
  { id: 'AMX0012', title: 'Amendement n° 12', text: 'La retraite des gardiens.', date: '2031-02-04' },
  { id: 'AMX0013', title: 'Amendement n° 13', text: 'Le port et la loi du 9 mai 2029.', date: '2031-03-01' },
  { id: 'AMX0014', title: 'Amendement n° 14', text: 'La retraite et les phares.', date: '2031-03-02' },
];

const acronymTexts: Document[] = [
  { id: 'AMX0021', title: 'Amendement n° 21', text: 'La caisse de secours des marins (CSM) paie.', date: '2031-03-03' },
  { id: 'AMX0022', title: 'Amendement n° 22', text: 'La CSM aide les veuves.', date: '2031-03-03' },
  {
    id: 'AMX0023',
    title: 'Amendement n° 23',
    text: 'Des secours aux veuves : les marins ont une caisse.',
    date: '2031-03-04',
  },
  { id: 'AMX0024', title: 'Amendement n° 24', text: 'Ont les marins une caisse des veuves, aux secours ?' },
];

/** What is typed, and the records that match, best or newest first. */
const queries: [query: string, ids: string[]][] = [
  ['VTX12', ['AN:VTX12']],
  ['vtx12', ['AN:VTX12']],
  ['an:vtx12', ['AN:VTX12']],
  ['amx0013', ['AMX0013']],
  ['scrutin n° 13', ['AN:VTX13']],
  ['scrutin 13', ['AN:VTX13']],
  ['Scrutin public n°13', ['AN:VTX13']],
  ['scrutin n° 99', []],
  ['23 janvier 2031', ['AN:VTX12', 'AN:VTX11', 'AMX0011']],
  ['23/01/2031', ['AN:VTX12', 'AN:VTX11', 'AMX0011']],
  ['scrutins du jeudi 23 janvier 2031', ['AN:VTX12', 'AN:VTX11']],
  ['scrutins janvier 2031', ['AN:VTX12', 'AN:VTX11']],
  ['retraites février 2031', ['AN:VTX13', 'AMX0012']],
  ['loi du 9 mai 2029', ['AMX0013']],
  ['9 mai 2029', ['AMX0013']],
  ['"9 mai 2029"', ['AMX0013']],
  ['port SAUF digue', ['AMX0013']],
  ['port sauf la digue', ['AMX0013']],
  ['port sans la digue', ['AMX0013']],
  ['port sans voile', ['AMX0011']],
  ['digue sans voile', ['AMX0011']],
  ['sans voile', ['AMX0011']],
  ['"digue sans phares"', []],
  ['CSM veuves', ['AMX0022']],
  ['caisse de secours des marins veuves', ['AMX0022', 'AMX0023', 'AMX0024']],
  ['#PortDigue', ['AN:VTX11', 'AMX0011']],
];

describe('a query', () => {
  let folder: string;
  let mirror: Mirror;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-reading-'));
    mirror = openWritableMirror(join(folder, 'mirror.db'));
    const save = (kind: KindName, documents: Document[]) => {
      const saver = createSaver(mirror, kindOf(kind), { at: '2031-04-01T00:00:00.000Z' });
      for (const document of documents) saver.save(document);
      saver.finish();
    };
    transaction(mirror, () => {
      save('ballot', ballots);
      save('content', [...texts, ...acronymTexts]);
    });
  });
  after(() => {
    mirror.close();
    rmSync(folder, { recursive: true });
  });

  for (const [query, ids] of queries) {
    it(`matches [${ids}] for ${JSON.stringify(query)}`, () => {
      const { items, total } = searchWords(mirror, { query, types: ['ballot', 'content'], limit: 10 });
      expect(items.map(({ id }) => id)).to.have.members(ids);
      expect(total).to.equal(ids.length);
    });

    it(`keeps to the same ballots for ${JSON.stringify(query)} in a list`, () => {
      const { items } = listBallots(mirror, { q: query, voted: [], sort: 'date', limit: 10 });
      const keys = items.map((json) => JSON.parse(json)).map(({ chamber, scrutin_id: id }) => `${chamber}:${id}`);
      expect(keys).to.have.members(ids.filter((id) => id.includes(':')));
    });
  }

  it('states what it reads as a period, a kind, a reference and an exclusion, and nothing for plain words', () => {
    const interpretations = (query: string) =>
      searchWords(mirror, { query, types: ['ballot', 'content'], limit: 1 }).interpretations;
    const kind = { words: 'scrutins', as: 'kind', values: ['ballot'] };
    expect(interpretations('scrutins janvier 2031')).to.deep.equal([
      { words: 'janvier 2031', as: 'period', values: ['2031-01-01', '2031-01-31'] },
      kind,
    ]);
    expect(interpretations('scrutins du 23 janvier 2031')).to.deep.equal([
      { words: '23 janvier 2031', as: 'period', values: ['2031-01-23', '2031-01-23'] },
      kind,
    ]);
    expect(interpretations('scrutin n° 12')).to.deep.equal([
      { words: 'scrutin n° 12', as: 'reference', values: ['12'] },
    ]);
    expect(interpretations('port sans digue')).to.deep.equal([
      { words: 'sans digue', as: 'exclusion', values: ['digue'] },
    ]);
    for (const query of ['retraites', '"janvier" 2031']) expect(interpretations(query), query).to.deep.equal([]);
  });

  it('finds what says an acronym in place of its long form before what only has the words', () => {
    const { items } = searchWords(mirror, {
      query: 'veuves caisses de secours des marins',
      types: ['content'],
      limit: 5,
    });
    expect(items.map(({ id }) => id)).to.deep.equal(['AMX0022', 'AMX0024', 'AMX0023']);
  });

  it('finds a pasted passage first, then what has all its words in another order', () => {
    const query = 'des secours aux veuves : les marins ont une caisse';
    const { items } = searchWords(mirror, { query, types: ['content'], limit: 5 });
    expect(items.map(({ id }) => id)).to.deep.equal(['AMX0023', 'AMX0024']);
  });

  it('keeps to a kind that a filter names beside a day', () => {
    const { items } = searchWords(mirror, {
      query: '23 janvier 2031 type:content',
      types: ['ballot', 'content'],
      limit: 5,
    });
    expect(items.map(({ id }) => id)).to.deep.equal(['AMX0011']);
  });

  it('takes the number of a ballot for words where no ballots are searched', () => {
    const { items, total } = searchWords(mirror, { query: 'scrutin n° 13', types: ['content'], limit: 5 });
    expect([items, total]).to.deep.equal([[], 0]);
  });

  it('finds a ballot by its number and any record by its id among the kinds of the service too', () => {
    for (const query of ['scrutin n° 12', 'vtx12'])
      expect(searchWords(mirror, { query, limit: 5 }).items.map(({ type, id }) => [type, id])).to.deep.equal([
        ['ballot', 'AN:VTX12'],
      ]);
  });
});
