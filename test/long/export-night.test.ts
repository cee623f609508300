import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openWritableMirror } from '../../src/store/open.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { dialects } from '../helpers/dialects.ts';
import { startFakeService } from '../helpers/fake-service.ts';
import { askProgram } from '../helpers/program.ts';

describe('an export every night', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let out: string;
  let env: Record<string, string>;
  const old = '2026-01-02T03:04:05.000Z';
  beforeEach(async () => {
    demo = await createDemoMirror();
    out = join(demo.folder, 'out');
    env = { HEMICYCLE_DB: demo.db, HOME: demo.folder };
    aged('politician', new Date().toISOString());
  });
  afterEach(() => demo.remove());

  /** Sets when every kind came: the one that is named at its own moment, the others now. */
  function aged(kind: string, at: string | null) {
    const { database, close } = openWritableMirror(demo.db);
    database.prepare('UPDATE kind_state SET retrieved_at = ?').run(new Date().toISOString());
    database.prepare('UPDATE kind_state SET retrieved_at = ? WHERE kind = ?').run(at, kind);
    close();
  }
  function added(kind: string, plural: string, row: string) {
    writeFileSync(join(demo.folder, `${plural}.ndjson`), row);
    return askProgram(['import', join(demo.folder, `${plural}.ndjson`)], { env }).then(() => aged(kind, old));
  }
  const run = (...argv: string[]) => askProgram(['export', ...argv], { env });
  const read = (...path: string[]) => readFileSync(join(demo.folder, ...path), 'utf8');
  const night = ['--max-age', '36h'];

  it('writes what is fresh, and leaves what is too old as it was, with exit 8', async () => {
    expect((await run('--all', '-o', out, ...night)).exit).to.equal(0);
    const quotes = read('out/quotes.csv');
    await added('quote', 'quotes', '{"id":"q-new","text":"Nouveau"}\n');
    await added('quote', 'promises', '{"id":"p-new","title":"Nouvelle"}\n');

    const { exit, stderr } = await run('--all', '-o', out, '--quiet', ...night);
    expect(exit, stderr).to.equal(8);
    expect(stderr).to.equal(
      `Error: quotes, record_sources last came at ${old}, longer ago than 36h: not exported; what was exported before stays, the others were written or had not changed
run \`hemicycle sync\`, or allow a larger --max-age
`,
    );
    expect(read('out/quotes.csv')).to.equal(quotes);
    expect(read('out/promises.csv')).to.include('p-new');
    expect((await run('verify', out)).exit).to.equal(0);
    const { resources } = JSON.parse(read('out/datapackage.json'));
    const names = resources.map(({ name }: { name: string }) => name);
    expect(names.indexOf('quotes')).to.equal(names.indexOf('positions') + 1);
    expect(read('out/LICENSE.txt')).to.include('quotes.csv');
    expect(read('out/DICTIONARY.md')).to.include('## quotes.csv').and.include('| text | text |');
  });

  it('keeps of each table when it came, and takes the old one up again once it is fresh', async () => {
    await run('--all', '-o', out);
    const described = () => JSON.parse(read('out/datapackage.json'));
    const before = described();
    aged('quote', old);
    await run('--all', '-o', out, '--max-age', '36h');
    const quotesIn = ({ resources }: { resources: { name: string }[] }) =>
      resources.find(({ name }) => name === 'quotes');
    expect(quotesIn(described())).to.deep.equal(quotesIn(before));
    aged('quote', new Date().toISOString());
    const again = await run('--all', '-o', out, '--max-age', '36h', '--if-changed');
    expect([again.exit, again.stderr]).to.satisfy(
      ([exit, message]: [number, string]) => exit === 0 && message.includes('nothing changed'),
    );
  });

  it('begins without what never came whole, and with what nothing brings and nobody imported', async () => {
    aged('content', null);
    const { exit, stderr } = await run('--all', '-o', out, ...night);
    expect(exit).to.equal(8);
    expect(stderr).to.include('content, other_record_sources never came whole: not exported');
    expect(readdirSync(out)).to.include('speeches.csv').and.not.include('content.csv');
    expect((await run('verify', out)).exit).to.equal(0);
  });

  it('refuses one file that is too old, and leaves it', async () => {
    const file = join(demo.folder, 'quotes.csv');
    await run('quotes', '-o', file);
    const before = readFileSync(file);
    aged('quote', old);
    for (const target of [['quotes', '-o', file], ['quotes']]) {
      const { exit, stdout, stderr } = await run(...target, ...night);
      expect({ exit, stdout }, stderr).to.deep.equal({ exit: 8, stdout: '' });
      expect(stderr).to.match(/quotes last came at .*: not exported; what was exported before stays\n/);
    }
    expect(readFileSync(file)).to.deep.equal(before);
    expect((await run('parties', '--max-age', '36h')).exit).to.equal(0);
  });

  it('leaves a database alone of which one table is too old, and says so', async () => {
    const plain = join(demo.folder, 'plain.db');
    const sqlite = ['--all', '--sqlite', plain];
    expect((await run(...sqlite)).exit).to.equal(0);
    const before = readFileSync(plain);
    await added('quote', 'promises', '{"id":"p-new","title":"Nouvelle"}\n');
    const { exit, stderr } = await run(...sqlite, ...night);
    expect(exit, stderr).to.equal(8);
    expect(stderr).to.match(/quotes, record_sources last came at .*: not exported; what was exported before stays\n/);
    expect(readFileSync(plain).equals(before)).to.equal(true);
    aged('quote', new Date().toISOString());
    expect((await run(...sqlite, ...night)).exit).to.equal(0);
    expect(readFileSync(plain).includes('p-new')).to.equal(true);
  });

  it('that keeps nothing of a table whose file is no longer what it was, refuses to lose it', async () => {
    await run('--all', '-o', out);
    writeFileSync(join(out, 'quotes.csv'), 'spoilt');
    aged('quote', old);
    const { exit, stderr } = await run('--all', '-o', out, ...night);
    expect([exit, stderr]).to.satisfy(
      ([code, message]: [number, string]) => code === 12 && message.includes('quotes: missing from this export'),
    );
  });

  it('takes no age that is none, nor one for the past', async () => {
    expect((await run('quotes', '--max-age', 'soon')).stderr).to.include('--max-age "soon" is not a duration');
    expect((await run('quotes', '--max-age', '1d', '--as-of', '7d')).exit).to.equal(2);
    expect((await run('quotes', '--max-age', 'soon')).exit).to.equal(2);
  });

  it('goes on after a sync of which one endpoint fails for good', async () => {
    const service = await startFakeService(dialects[0]!);
    service.faults.push({
      path: /entity=quotes/,
      times: Number.POSITIVE_INFINITY,
      answer: (_request, response) => response.writeHead(500).end('{"detail":"broken"}'),
    });
    try {
      const db = join(demo.folder, 'synced.db');
      const rate = { ...env, HEMICYCLE_DB: db };
      const argv = [
        '--quiet',
        '--from',
        service.baseUrl,
        '--rate',
        '100000',
        '--report',
        join(demo.folder, 'sync.json'),
      ];
      expect((await askProgram(['sync', ...argv], { env: rate })).exit).to.equal(5);
      const { exit, stderr } = await run('--all', '--db', db, '-o', out, ...night);
      expect(exit, stderr).to.equal(8);
      expect(stderr).to.include('quotes never came whole: not exported');
      expect(readdirSync(out))
        .to.include.members(['politicians.csv', 'content.csv', 'votes.csv', 'audit.csv'])
        .and.not.include('quotes.csv');
      expect(read('out/politicians.csv').trim().split('\n')).to.have.length(51);
    } finally {
      await service.close();
    }
  });
});
