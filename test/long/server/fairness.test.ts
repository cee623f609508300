import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { kindOf } from '../../../src/model/kinds.ts';
import { questions } from '../../../src/questions/table.ts';
import { readContents } from '../../../src/store/records/contents.ts';
import { views } from '../../helpers/views.ts';
import { type DemoServer, saveAll, startDemoServer } from '../../server/demo-server.ts';

/** Counts the turns of the event loop, in each of which other callers are served, until it is stopped. */
function countTurns(): () => number {
  let turns = 0;
  const countTurn = () => {
    turns += 1;
    next = setImmediate(countTurn);
  };
  let next = setImmediate(countTurn);
  return () => {
    clearImmediate(next);
    return turns;
  };
}

describe('one caller', () => {
  let server: DemoServer;
  afterEach(() => server.close());

  for (const path of ['/api/v1/mirror', '/api/v1/export/dataset?entity=promises'])
    it(`lets others in between the parts of ${path}, however fast it takes them`, async () => {
      server = await startDemoServer();
      const long = Array.from({ length: 500 }, (_, at) => ({ id: `p${at}`, text: 'x'.repeat(10_000) }));
      saveAll(server.writer, 'promise', long);
      const turns = countTurns();
      // Takes every part at once: no socket is between.
      const { statusCode, rawPayload } = await server.app.inject(path);
      expect(turns()).to.be.above(rawPayload.length / 100_000);
      expect([statusCode, rawPayload.length > 5_000_000]).to.deep.equal([200, true]);
    });

  it('lets others in between the rows of a Parquet file', async () => {
    server = await startDemoServer();
    saveAll(
      server.writer,
      'promise',
      Array.from({ length: 5000 }, (_, at) => ({ id: `p${at}` })),
    );
    const turns = countTurns();
    await server.app.inject('/api/v1/export/dataset?entity=promises&format=parquet');
    expect(turns()).to.be.above(5000 / 500);
  });

  it('lets others in while the past of an export is put together', async () => {
    server = await startDemoServer();
    const promises = (text: string) => Array.from({ length: 3000 }, (_, at) => ({ id: `p${at}`, text }));
    saveAll(server.writer, 'promise', promises('before'), '2026-03-02T06:00:00.000Z');
    saveAll(server.writer, 'promise', promises('after'), '2026-03-03T06:00:00.000Z');
    const turns = countTurns();
    const { body } = await server.app.inject('/api/v1/export/dataset?entity=promises&as_of=2026-03-02T12:00:00Z');
    expect(turns()).to.be.above(3000 / 200);
    expect(body.match(/before/g)).to.have.length(3000);
    expect(body).not.to.match(/after/);
  });

  it('lets others in between the examples of /openapi.json', async () => {
    server = await startDemoServer();
    const turns = countTurns();
    const { statusCode } = await server.app.inject('/openapi.json');
    expect(turns()).to.be.above(20);
    expect(statusCode).to.equal(200);
  });

  it('is let through once in each turn, however many requests come at one time', async () => {
    server = await startDemoServer({ settings: { rateLimit: true, trustedProxies: ['127.0.0.1'] } });
    const answered: string[] = [];
    const ask = async (caller: string) => {
      const { statusCode } = await server.app.inject({
        url: '/api/v1/parties',
        headers: { 'x-forwarded-for': caller },
      });
      answered.push(`${caller} ${statusCode}`);
    };
    await Promise.all([...Array.from({ length: 30 }, () => '192.0.2.1'), '192.0.2.2'].map(ask));
    expect(answered).to.have.length(31);
    expect(answered.indexOf('192.0.2.2 200')).to.be.within(0, 10);
  });

  it('has names completed, and lists of one step written as CSV, in another process', async () => {
    const readerProgram = fileURLToPath(new URL('../../server/stuck-reader.ts', import.meta.url));
    server = await startDemoServer({ readerProgram });
    const withWords = views.filter(({ forms, parameters }) => forms.csv && 'q' in parameters && 'limit' in parameters);
    const lists = withWords.map(({ path, example }) => {
      const address = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(example[name]!));
      return `${address}.csv?q=fatal&limit=5`;
    });
    expect(lists).to.have.length.above(5);
    const names = ['/suggest?q=fatal', '/suggest.json?q=fatal', '/reconcile/suggest/entity?prefix=fatal'];
    const answered: [url: string, status: number][] = [];
    for (const url of [...names, ...lists]) answered.push([url, (await server.app.inject(url)).statusCode]);
    // The process falls at this word; here it would be a word like others.
    expect(answered.filter(([, status]) => status !== 500)).to.deep.equal([]);
  });

  it('has words searched in another process, by every list of the API and every page', async () => {
    const readerProgram = fileURLToPath(new URL('../../server/stuck-reader.ts', import.meta.url));
    server = await startDemoServer({ readerProgram });
    // Names of people and parties are looked up in an index of names.
    const searchesTexts = ({ parameters = {}, name = '' }: { parameters?: object; name?: string }) =>
      'q' in parameters && !['politicians', 'parties'].includes(name);
    const apiPaths = questions.flatMap((question) =>
      searchesTexts(question) && question.path ? `/api/v1${question.path}` : [],
    );
    const pagePaths = views.flatMap((view) => (view.question && searchesTexts(view.question) ? view.path : []));
    const urls = [...apiPaths, ...pagePaths].map((path) => {
      const example: Record<string, string> = { kind: 'quote', text: 'phare' };
      return `${path.replaceAll(/\{(\w+)\}/g, (_, name) => example[name]!)}?q=fatal&group=ADR,RIV`;
    });
    expect(urls).to.have.length.above(12);
    const answered: [url: string, status: number][] = [];
    for (const url of urls) answered.push([url, (await server.app.inject(url)).statusCode]);
    expect(answered.filter(([, status]) => status !== 500)).to.deep.equal([]);
  });

  it('is told in another process, as in this one, that a name is ambiguous', async () => {
    const readerProgram = fileURLToPath(new URL('../../../src/server/run/reader.ts', import.meta.url));
    server = await startDemoServer({ readerProgram });
    for (const url of ['/feed?politician=Camille+Rouvre', '/feed?politician=Camille+Rouvre&q=phare']) {
      const { body } = await server.app.inject({ url, headers: { accept: 'text/html' } });
      expect(body, url).to.include('<h1>Several records have this name</h1>');
    }
  });

  it('lets others in between the parts of nested lists in a Parquet file', async () => {
    server = await startDemoServer();
    const affiliations = Array.from({ length: 100 }, (_, at) => ({ party: `parti-${at}` }));
    saveAll(
      server.writer,
      'politician',
      Array.from({ length: 600 }, (_, at) => ({ slug: `p${at}`, affiliations })),
    );
    const turns = countTurns();
    await server.app.inject('/api/v1/export/dataset?entity=politicians&format=parquet');
    const columnCount = kindOf('politician').columns.length;
    // A row group of at most 66,000 cells in lists, and a turn for each of its columns.
    expect(turns()).to.be.above(2 * columnCount);
  });

  it('lets others in between the steps of a whole list as CSV', async () => {
    server = await startDemoServer();
    const person = (at: number) => ({ slug: `p${at}`, full_name: `Person ${at}`, last_name: `${at}` });
    saveAll(
      server.writer,
      'politician',
      Array.from({ length: 3000 }, (_, at) => person(at)),
    );
    const turns = countTurns();
    const { body } = await server.app.inject('/politicians.csv');
    expect(turns()).to.be.above(3000 / 100);
    expect(body.match(/\n/g)).to.have.length.above(3000);
  });

  it('makes nobody count the mirror twice between two of its commits', async () => {
    server = await startDemoServer();
    const counted = readContents(server.mirror);
    expect(readContents(server.mirror)).to.equal(counted);
    saveAll(server.writer, 'promise', [{ id: 'new' }]);
    const [, , , promises] = readContents(server.mirror);
    expect(promises).to.not.equal(counted[3]);
  });
});
