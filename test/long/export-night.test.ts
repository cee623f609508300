import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { openWritableMirror } from '../../src/store/open.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { dialects } from '../helpers/dialects.ts';
import { startFakeService } from '../helpers/fake-service.ts';
import { runProgram } from '../helpers/program.ts';

type TableReport = Record<'table' | 'outcome' | 'path' | 'retrieved_at' | 'reason' | 'sha256', string> & {
  rows: number;
};

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
    return runProgram(['import', join(demo.folder, `${plural}.ndjson`)], { env }).then(() => aged(kind, old));
  }
  const run = (...argv: string[]) => runProgram(['export', ...argv], { env });
  const read = (...path: string[]) => readFileSync(join(demo.folder, ...path), 'utf8');
  const report = () => JSON.parse(read('report.json'));
  const reported = (): Record<string, TableReport> =>
    Object.fromEntries(report().tables.map((each: TableReport) => [each.table, each]));
  const night = ['--max-age', '36h', '--report'];

  it('writes what is fresh, and leaves what is too old as it was, with exit 8', async () => {
    expect((await run('--all', '-o', out, ...night, join(demo.folder, 'report.json'))).exit).to.equal(0);
    const quotes = read('out/quotes.csv');
    await added('quote', 'quotes', '{"id":"q-new","text":"Nouveau"}\n');
    await added('quote', 'promises', '{"id":"p-new","title":"Nouvelle"}\n');

    const { exit, stderr } = await run(
      '--all',
      '-o',
      out,
      '--quiet',
      ...night,
      join(demo.folder, 'report.json'),
    );
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

    const { quotes: kept, promises, parties, speeches } = reported();
    expect(kept).to.include({
      outcome: 'refused',
      path: join(out, 'quotes.csv'),
      retrieved_at: old,
      reason: `last came at ${old}, longer ago than 36h`,
    });
    expect([promises!.outcome, parties!.outcome, speeches!.outcome]).to.deep.equal([
      'written',
      'unchanged',
      'unchanged',
    ]);
    expect(report()).to.deep.include({ exit: 8, max_age: '36h', target: out });
    expect(report().errors[0]).to.include({ table: null, code: 'STALE' });
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
      ([exit, said]: [number, string]) => exit === 0 && said.includes('nothing changed'),
    );
  });

  it('begins without what never came whole, and with what nothing brings and nobody imported', async () => {
    aged('content', null);
    const { exit, stderr } = await run('--all', '-o', out, ...night, join(demo.folder, 'report.json'));
    expect(exit).to.equal(8);
    expect(stderr).to.include('content, other_record_sources never came whole: not exported');
    expect(readdirSync(out)).to.include('speeches.csv').and.not.include('content.csv');
    expect((await run('verify', out)).exit).to.equal(0);
    expect(reported().content).to.include({ outcome: 'refused', path: null, reason: 'never came whole' });
  });

  it('refuses one file that is too old, and leaves it', async () => {
    const file = join(demo.folder, 'quotes.csv');
    await run('quotes', '-o', file);
    const before = readFileSync(file);
    aged('quote', old);
    for (const target of [['quotes', '-o', file], ['quotes']]) {
      const { exit, stdout, stderr } = await run(...target, ...night, join(demo.folder, 'report.json'));
      expect({ exit, stdout }, stderr).to.deep.equal({ exit: 8, stdout: '' });
      expect(stderr).to.match(/quotes last came at .*: not exported; what was exported before stays\n/);
      expect(reported().quotes!.outcome).to.equal('refused');
    }
    expect(readFileSync(file)).to.deep.equal(before);
    expect((await run('parties', '--max-age', '36h')).exit).to.equal(0);
  });

  it('into a database writes what is fresh beside the old table, which is what it was', async () => {
    const plain = join(demo.folder, 'plain.db');
    const sqlite = ['--all', '--sqlite', plain];
    const dump = (table: string) => {
      const database = new Database(plain, { readonly: true });
      const [schema] = database.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').pluck().all(table);
      const rows = database.prepare(`SELECT * FROM "${table}"`).raw().all();
      const words = database.prepare('SELECT * FROM dictionary WHERE "table" = ?').raw().all(table);
      const indexes = database.prepare("SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?");
      const all = { schema, rows, words, indexes: indexes.pluck().all(table) };
      database.close();
      return all;
    };
    expect((await run(...sqlite)).exit).to.equal(0);
    const [quotes, ballots] = [dump('quotes'), dump('ballots')];
    await added('quote', 'quotes', '{"id":"q-new","text":"Nouveau"}\n');
    await added('quote', 'promises', '{"id":"p-new","title":"Nouvelle"}\n');
    const { exit, stderr } = await run(...sqlite, ...night, join(demo.folder, 'report.json'));
    expect(exit, stderr).to.equal(8);
    expect(dump('quotes')).to.deep.equal(quotes);
    expect(JSON.stringify(dump('promises').rows)).to.include('p-new');
    expect(reported().quotes).to.include({ outcome: 'refused', path: plain, rows: quotes.rows.length });
    expect(reported().promises).to.include({ outcome: 'written', path: plain });
    aged('ballot', old);
    expect((await run(...sqlite, '--max-age', '36h')).stderr).to.include(
      `ballots, votes, other_record_sources last came at ${old}`,
    );
    expect(dump('ballots')).to.deep.equal(ballots);
    expect(JSON.stringify(dump('quotes').rows)).to.include('q-new');
  });

  it('that keeps nothing of a table whose file is no longer what it was, refuses to lose it', async () => {
    await run('--all', '-o', out);
    writeFileSync(join(out, 'quotes.csv'), 'spoilt');
    aged('quote', old);
    const { exit, stderr } = await run('--all', '-o', out, ...night, join(demo.folder, 'report.json'));
    expect([exit, stderr]).to.satisfy(
      ([code, said]: [number, string]) => code === 12 && said.includes('quotes: not in this export'),
    );
    expect(report().errors[0]).to.include({ table: 'quotes', code: 'VERIFICATION' });
    expect(reported().parties).to.include({ outcome: 'skipped', path: null });
  });

  it('reports also what was refused for what it lost, and that there was no mirror', async () => {
    await run('--all', '-o', out);
    const { database, close } = openWritableMirror(demo.db);
    database.exec("UPDATE record SET withdrawn = '2026-11-01T07:00:00.000Z' WHERE kind = 'quote'");
    close();
    const target = join(demo.folder, 'report.json');
    expect((await run('--all', '-o', out, '--report', target)).exit).to.equal(12);
    expect(reported().quotes).to.include({ outcome: 'refused' });
    expect(reported().quotes!.reason).to.match(/^quotes: 0 rows, where the export before had \d+$/);
    const nowhere = await run('quotes', '--db', join(demo.folder, 'none.db'), '--report', target);
    expect(nowhere.exit).to.equal(10);
    expect(report()).to.deep.include({ exit: 10, target: '-', max_age: null, as_of: null });
    expect(report().errors[0].code).to.equal('NO_MIRROR');
  });

  it('takes no age that is none, nor one for the past', async () => {
    expect((await run('quotes', '--max-age', 'soon')).stderr).to.include(
      '--max-age "soon" is not a duration',
    );
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
      expect((await runProgram(['sync', ...argv], { env: rate })).exit).to.equal(5);
      const { exit, stderr } = await run(
        '--all',
        '--db',
        db,
        '-o',
        out,
        ...night,
        join(demo.folder, 'report.json'),
      );
      expect(exit, stderr).to.equal(8);
      const outcomes = Object.groupBy(Object.values(reported()), ({ outcome }) => outcome);
      expect(outcomes.refused!.map(({ table }) => table)).to.deep.equal(['quotes']);
      expect(outcomes.written!.map(({ table }) => table)).to.include.members([
        'politicians',
        'content',
        'votes',
        'audit',
      ]);
      expect(reported().politicians!.rows).to.equal(50);
    } finally {
      await service.close();
    }
  });
});
