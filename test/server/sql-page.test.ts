import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { UsageError } from '../../src/errors.ts';
import type { Document } from '../../src/model/document.ts';
import { serverSettings } from '../../src/server/run/settings.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { askProgram } from '../helpers/program.ts';
import { type DemoServer, startDemoServer } from './demo-server.ts';

describe('the page for free SQL', () => {
  let server: DemoServer;
  let folder: string;
  let file: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-sql-'));
    file = join(folder, 'facts.db');
    const demo = await createDemoMirror();
    const exported = await askProgram(['export', 'politicians', 'parties', 'votes', '--sqlite', file], {
      env: { HOME: folder, HEMICYCLE_DB: demo.db },
    });
    expect(exported.exit, exported.stderr).to.equal(0);
    demo.remove();
    server = await startDemoServer({ settings: { sqlFile: file } });
  });
  after(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  const jsonOf = async (path: string) => (await (await server.get(path)).json()) as Record<string, never>;
  const queryString = (sql: string, more = '') => `?sql=${encodeURIComponent(sql)}${more}`;
  const grouped = 'SELECT party, count(*) AS n FROM politicians GROUP BY party ORDER BY n DESC, party';

  it('shows the tables of the exported file before anything is asked, and a form', async () => {
    const response = await server.get('/sql?lang=en');
    expect(response.status).to.equal(200);
    const page = await response.text();
    expect(page).to.include('<textarea').and.include('politicians').and.include('full_name');
    expect(page).to.include('Transparence Valombre');
  });

  it('answers with rows, as a page, JSON and CSV, and cites the service in each', async () => {
    const page = await (await server.get(`/sql${queryString(grouped)}`)).text();
    expect(page)
      .to.match(/<th[^>]*>party<\/th>/)
      .and.include('aria-label');
    const json: Document = await jsonOf(`/sql.json${queryString(grouped)}`);
    expect(json).to.include({ columns: 'party,n', cut_after: null });
    expect((json.items as Document[])[0]!.n).to.be.a('number');
    expect((json.source as Document).attribution).to.include('Service');
    const csv = await server.get(`/sql.csv${queryString(grouped)}`);
    expect(csv.headers.get('link')).to.include('rel="via"');
    expect((await csv.text()).split('\n')[0]).to.equal('party,n');
  });

  it('takes parameters of the statement from the address', async () => {
    const { items } = await jsonOf(`/sql.json${queryString('SELECT :a AS a, :n + 1 AS n', '&a=x&n=4&other=1')}`);
    expect(items).to.deep.equal([{ a: 'x', n: 5 }]);
  });

  it('cuts an answer that would hold up others, and says after how many rows', async () => {
    const sql = 'SELECT a.*, b.* FROM votes a, votes b, votes c';
    const response = await server.get(`/sql.json${queryString(sql)}`);
    const text = await response.text();
    expect(text.length).to.be.within(1e6, 20e6);
    const { cut_after, items, total } = JSON.parse(text);
    expect([cut_after, total]).to.deep.equal([items.length, null]);
  });

  it('refuses in a sentence what does not only read the tables of the file, and what looks into the past', async () => {
    for (const sql of [
      'DELETE FROM politicians',
      "ATTACH '/etc/passwd' AS x",
      'SELECT * FROM sqlite_schema',
      "SELECT * FROM pragma_table_info('politicians')",
      'SELECT * FROM record',
      'SELECT 1; SELECT 2',
      'SELECT :missing',
      'WITH x AS (SELECT 1) DELETE FROM politicians',
    ]) {
      const response = await server.get(`/sql.json${queryString(sql)}`);
      expect(response.status, sql).to.equal(422);
      expect(((await response.json()) as Document).detail, sql).to.have.length.above(10);
    }
    expect((await server.get(`/sql${queryString(grouped, '&as_of=2026-02-01')}`)).status).to.be.within(400, 499);
  });

  it('is not there unless the operator names a file, and takes no other file than an exported one', async () => {
    const other = await startDemoServer();
    expect((await other.get(`/sql${queryString('SELECT 1')}`)).status).to.equal(404);
    await other.close();
    writeFileSync(join(folder, 'no.db'), 'text');
    const flags = { 'rate-limit': 'on', host: '127.0.0.1' };
    for (const path of [join(folder, 'none.db'), join(folder, 'no.db'), server.mirror.path]) {
      const run = { flags: { ...flags, sql: path }, settings: { embeddings: null }, viewerTokenFile: '' };
      expect(() => serverSettings(run as never), path).to.throw(UsageError);
    }
  });
});
