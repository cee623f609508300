import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** The one row that a new kind of record is. */
const row = `    "petition": {
      "number": 11,
      "description": "A petition that citizens handed in.",
      "search": { "name": [], "title": ["title"], "body": [], "about": [] },
      "sets": [],
      "columns": ["id", "date", "title"],
      "listColumns": ["id", "date", "title"]
    },
`;

const petitions = Array.from({ length: 120 }, (_, at) => ({
  id: `p-${at + 1}`,
  date: '2026-01-01',
  title: at === 0 ? 'Pour les phares' : `Pour le pont ${at}`,
}));

describe('a new kind of record', () => {
  let copy: string;
  let env: NodeJS.ProcessEnv;
  before(async () => {
    copy = mkdtempSync(join(tmpdir(), 'hemicycle-kind-'));
    for (const part of ['src', 'bin', 'fixtures/demo', 'package.json'])
      cpSync(join(root, part), join(copy, part), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    mkdirSync(join(copy, 'dist'));
    symlinkSync(join(root, 'dist/assets'), join(copy, 'dist/assets'));
    const table = join(copy, 'src/model/kinds.json');
    const text = readFileSync(table, 'utf8');
    expect(text).to.include('  "kinds": {\n');
    writeFileSync(table, text.replace('  "kinds": {\n', `  "kinds": {\n${row}`));
    env = { ...process.env, HOME: copy, HEMICYCLE_DB: join(copy, 'mirror.db') };
    const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const oclif = { ...pjson.oclif, commands: './src/cli/commands' };
    writeFileSync(join(copy, 'package.json'), JSON.stringify({ ...pjson, oclif }));
    await node('bin/build/manifest.ts');
    const lines = petitions.map((each) => JSON.stringify(each)).join('\n');
    writeFileSync(join(copy, 'fixtures/demo/petitions.ndjson'), `${lines}\n`);
    await hemicycle('import', join(copy, 'fixtures/demo'), '--quiet');
  });
  after(() => rmSync(copy, { recursive: true, force: true }));

  async function node(...argv: string[]): Promise<string> {
    const all = ['--disable-warning=ExperimentalWarning', ...argv];
    return (await run(process.execPath, all, { cwd: copy, env, maxBuffer: 2 ** 26 })).stdout;
  }

  /** The program of the copy, without a build. */
  const hemicycle = (...argv: string[]) => node(join(copy, 'bin/dev.js'), ...argv);

  it('is searched, shown and listed', async () => {
    expect(await hemicycle('search', 'phares', '--type', 'petition', '--format', 'csv')).to.include('p-1');
    expect(await hemicycle('show', 'petition', 'p-1')).to.include('Pour les phares');
    const listed = JSON.parse(await hemicycle('records', 'petition', '--limit', '2', '--json'));
    expect(listed.items).to.deep.equal([petitions[119], petitions[118]]);
    expect(listed.total).to.equal(120);
    for (const format of ['csv', 'tsv', 'markdown', 'ndjson'])
      expect(await hemicycle('records', 'petition', '--limit', '120', '--format', format), format).to.include(
        'Pour les phares',
      );
  });

  for (const format of ['csv', 'ndjson', 'parquet', 'xlsx'])
    it(`is exported as ${format}`, async () => {
      const out = join(copy, `petitions.${format}`);
      await hemicycle('export', 'petitions', '--format', format, '-o', out, '--quiet');
      expect(readFileSync(out).length).to.be.greaterThan(0);
      if (format === 'csv')
        expect(readFileSync(out, 'utf8')).to.match(/^id,date,title\np-1,2026-01-01,Pour les phares\n/);
    });

  for (const format of ['csv', 'ndjson', 'parquet'])
    it(`is part of a folder of ${format} that is verified`, async () => {
      const folder = join(copy, `out-${format}`);
      await hemicycle('export', '--all', '--format', format, '-o', folder, '--quiet');
      expect(existsSync(join(folder, `petitions.${format}`))).to.equal(true);
      await hemicycle('export', 'verify', folder, '--quiet');
    });

  it('has a list, a record and pages over HTTP, and lists that lead to it', async () => {
    const asking = `
      const { createApp } = await import('./src/server/app.ts');
      const { openMirror } = await import('./src/store/open.ts');
      const settings = { citation: { name: 'x', siteUrl: null }, rateLimit: false, semantic: false };
      const mirror = openMirror(process.env.HEMICYCLE_DB);
      const app = await createApp({ mirror, settings, assetsFolder: 'dist/assets' });
      const answers = {};
      for (const url of JSON.parse(process.argv[1])) {
        const { statusCode, body } = await app.inject({ url, headers: { accept: 'text/html' } });
        answers[url] = [statusCode, body];
      }
      console.log(JSON.stringify(answers));`;
    const urls = [
      '/api/v1/records/petition?limit=3',
      '/api/v1/records/petition/p-1',
      '/records/petition',
      '/records/petition.csv',
      '/records/petition.json',
      '/records/petition.atom',
      '/records/petition/p-1',
      '/records/petition/p-1.json',
      '/history/petition/p-1',
      '/search?q=phares',
      '/catalog',
      '/',
    ];
    const answers: Record<string, [status: number, body: string]> = JSON.parse(
      await node('--input-type=module', '-e', asking, JSON.stringify(urls)),
    );
    for (const url of urls) {
      const [status, body] = answers[url]!;
      expect(status, `${url} ${body}`).to.equal(200);
      expect(body, url).to.match(/petition|p-1/i);
    }
    expect(JSON.parse(answers[urls[0]!]![1])).to.deep.include({ total: 120 });
    for (const url of ['/catalog', '/']) expect(answers[url]![1], url).to.include('/records/petition');
  });

  it('has its pages in a site, in which no link is dead', async () => {
    const folder = join(copy, 'site');
    await hemicycle('site', '-o', folder, '--quiet');
    const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.html'));
    expect(pages).to.include.members(['records/petition.html', 'records/petition~2.html', 'records/petition/p1.html']);
    const dead: string[] = [];
    const reached = new Set(['index.html']);
    for (const page of reached) {
      if (!page.endsWith('.html')) continue;
      const text = readFileSync(join(folder, page), 'utf8');
      for (const [, written] of text.matchAll(/ (?:href|src|action)="([^"#]*)/g)) {
        if (written === '' || /^[a-z]+:/.test(written!)) continue;
        const aim = normalize(join(dirname(page), decodeURIComponent(written!.replaceAll('&amp;', '&'))));
        if (existsSync(join(folder, aim))) reached.add(aim);
        else dead.push(`${page}: ${written}`);
      }
    }
    expect(dead).to.deep.equal([]);
    const petitionPages = pages.filter((path) => path.startsWith('records/petition'));
    expect(petitionPages.filter((path) => !reached.has(path))).to.deep.equal([]);
  });
});
