import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { kindOf } from '../../src/model/kinds.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { transaction } from '../../src/store/transaction.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { dialects } from '../helpers/dialects.ts';
import { type FakeService, startFakeService } from '../helpers/fake-service.ts';
import { makeOlder } from '../helpers/older-mirror.ts';
import { asOtherUser, skipUnlessRoot } from '../helpers/other-user.ts';
import { runProgram } from '../helpers/program.ts';
import { type ServedProgram, startServedProgram } from '../helpers/served-program.ts';

const slug = 'oceane-bruyevre';
const demoFiles = fileURLToPath(new URL('../../fixtures/demo', import.meta.url));

/** One of every way to read. */
const reading = [
  ['status', '--json'],
  ['politicians', '--format', 'ndjson'],
  ['politicians', slug, '--json'],
  ['parties', 'parti-du-verger', '--json'],
  ['search', 'retraites', '--json'],
  ['feed', '--json'],
  ['ballots', '--margin', '9', '--json'],
  ['vote', 'VAL1V7', '--json'],
  ['audit', '--json'],
  ['changes', '--since', '2026-10-01', '--json'],
  ['history', 'politician', slug, '--json'],
  ['topics', '--json'],
  ['politicians', slug, '--as-of', '2026-11-02', '--json'],
  ['search', 'retraites', '--as-of', '2026-11-02', '--json'],
  ['export', 'parties', '--format', 'csv'],
];

describe('a mirror that its reader cannot write', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let home: string;
  let env: Record<string, string>;
  let writer: Mirror | null;
  let service: FakeService | null;
  let server: ServedProgram | null;
  before(skipUnlessRoot);
  beforeEach(async () => {
    demo = await createDemoMirror();
    chmodSync(demo.folder, 0o755);
    home = join(demo.folder, 'home');
    mkdirSync(home);
    chmodSync(home, 0o777);
    env = { HEMICYCLE_DB: demo.db, HOME: home };
    writer = null;
    service = null;
    server = null;
  });
  afterEach(async () => {
    await server?.stop();
    await service?.close();
    if (writer?.database.open) writer.close();
    demo?.remove();
  });

  const run = (argv: string[], more: Record<string, string> = {}) =>
    runProgram(argv, { env: { ...env, ...more }, before: asOtherUser });
  const name = async (argv: string[] = []) => {
    const { stdout, stderr, exit } = await run(['politicians', slug, '--source', 'mirror', '--json', ...argv]);
    expect({ exit, stderr }, 'reads').to.deep.include({ exit: 0 });
    return JSON.parse(stdout).item.full_name;
  };
  const filesOf = () =>
    readdirSync(demo.folder)
      .filter((file) => file !== 'home' && file !== '.cache')
      .sort();
  /** As a program leaves it that closes the file and nothing else. */
  const withoutLog = () => {
    for (const ending of ['-wal', '-shm']) rmSync(`${demo.db}${ending}`, { force: true });
  };
  const open = () => {
    writer = openWritableMirror(demo.db);
    return writer;
  };
  const rename = (mirror: Mirror, full_name: string) => {
    const saver = createSaver(mirror, kindOf('politician'), { at: '2026-11-03T00:00:00.000Z' });
    const storedRow = mirror.column<string>('SELECT row FROM record WHERE key = ?').get(slug)!;
    saver.save({ ...JSON.parse(storedRow), full_name });
    saver.finish();
  };

  it('answers every command as it answers its owner, and is left as it was', async () => {
    withoutLog();
    const bytes = readFileSync(demo.db);
    const answers = async () => {
      const all: unknown[] = [];
      for (const argv of reading) all.push([argv.join(' '), await run(argv)]);
      return all;
    };
    const currentAnswers = await answers();
    expect(filesOf()).to.deep.equal(['mirror.db']);
    expect(readFileSync(demo.db).equals(bytes)).to.equal(true);
    const expected: unknown[] = [];
    for (const argv of reading) expected.push([argv.join(' '), await runProgram(argv, { env })]);
    expect((expected as [string, { exit: number }][]).filter(([, { exit }]) => exit !== 0)).to.deep.equal([]);
    expect(currentAnswers).to.deep.equal(expected);
  });

  it('is left by its writers so that any program can read it in place', () => {
    expect(filesOf()).to.deep.equal(['mirror.db', 'mirror.db-shm', 'mirror.db-wal']);
    expect(readFileSync(`${demo.db}-wal`).length).to.equal(0);
  });

  it('says what is committed, not what a writer has begun, until it is closed and after', async () => {
    withoutLog();
    expect(await name()).to.equal('Océane Bruyèvre');
    const mirror = open();
    expect(await name()).to.equal('Océane Bruyèvre');
    mirror.database.exec('BEGIN IMMEDIATE');
    rename(mirror, 'Océane Begun');
    expect(await name()).to.equal('Océane Bruyèvre');
    mirror.database.exec('COMMIT');
    expect(await name()).to.equal('Océane Begun');
    transaction(mirror, () => rename(mirror, 'Océane Committed'));
    mirror.close();
    expect(await name()).to.equal('Océane Committed');
    withoutLog();
    expect(await name()).to.equal('Océane Committed');
    expect(await name(['--as-of', '2026-11-02'])).to.equal('Océane Bruyèvre');
  });

  it('says what a writer committed that was killed, from the log that it left', async () => {
    const mirror = open();
    mirror.database.pragma('wal_autocheckpoint = 0');
    transaction(mirror, () => rename(mirror, 'Océane Logged'));
    const killed = join(demo.folder, 'killed.db');
    for (const ending of ['', '-wal', '-shm']) copyFileSync(`${demo.db}${ending}`, `${killed}${ending}`);
    mirror.close();
    expect(await name(['--db', killed])).to.equal('Océane Logged');
    rmSync(`${killed}-shm`);
    const { exit, stderr } = await run(['politicians', '--db', killed]);
    expect(exit).to.equal(10);
    expect(stderr).to.match(/^Error: \S+killed\.db: has changes in its log \(-wal\).*\n.*`hemicycle status`/);
    expect((await runProgram(['status', '--db', killed], { env })).exit).to.equal(0);
    expect(await name(['--db', killed])).to.equal('Océane Logged');
  });

  it('is read where an older program wrote it', async () => {
    const mirror = open();
    makeOlder(mirror.database, 1);
    mirror.close();
    for (const prepare of [() => {}, withoutLog]) {
      prepare();
      expect(await name()).to.equal('Océane Bruyèvre');
      expect(readFileSync(demo.db).readUInt32BE(60)).to.equal(1);
    }
  });

  it('is refused with exit 10 where it is not readable, or to be written', async () => {
    for (const argv of [
      ['import', demoFiles],
      ['sync', '--from', 'http://127.0.0.1:9/api/v1'],
    ]) {
      const { exit, stderr } = await run(argv);
      expect({ argv, exit }).to.deep.equal({ argv, exit: 10 });
      expect(stderr).to.match(/^Error: \S+: cannot be written: it is read-only \(EACCES\)/);
    }
    chmodSync(demo.db, 0o600);
    const { exit, stderr } = await run(['politicians']);
    expect(exit).to.equal(10);
    expect(stderr).to.match(/^Error: \S+mirror\.db: cannot be read \(EACCES/);
  });

  it('does not know of a sync whose lock it may not look at, and knows of one that it may', async () => {
    const { takeLock } = await import('../../src/store/lock.ts');
    const lock = await takeLock(demo.db, { sleep: async () => {} });
    const isRunning = async () => JSON.parse((await run(['status', '--json'])).stdout).sync_running;
    expect(await isRunning()).to.equal(true);
    chmodSync(`${demo.db}.lock`, 0o600);
    expect(await isRunning()).to.equal(null);
    lock.close();
  });

  it('keeps nothing of what the service answers, and shows it', async () => {
    service = await startFakeService(dialects[0]!);
    const { slug, full_name } = { slug: 'aube-nouvelle', full_name: 'Aube Nouvelle' };
    service.records.politicians!.push({ slug, full_name, current_role: null, source_ids: [] });
    const bytes = readFileSync(demo.db);
    const there = { HEMICYCLE_BASE_URL: service.baseUrl };
    for (const source of ['auto', 'service']) {
      const answer = await run(['politicians', slug, '--format', 'ndjson', '--source', source], there);
      expect({ source, ...answer }).to.deep.include({ source, exit: 0 });
      expect(JSON.parse(answer.stdout).full_name).to.equal(full_name);
      expect(answer.stderr).to.include('cannot be written: the response is not cached');
    }
    expect(readFileSync(demo.db).equals(bytes)).to.equal(true);
    const requestCount = service.requests.length;
    chmodSync(home, 0o755);
    rmSync(join(home, '.local'), { recursive: true });
    const uncounted = await run(['politicians', slug], there);
    expect(uncounted.exit).to.equal(10);
    expect(uncounted.stderr).to.include('where requests to the service are counted, cannot be written (EACCES)');
    expect((await run(['politicians', slug, '--source', 'service'], there)).exit).to.equal(10);
    expect(service.requests.length).to.equal(requestCount);
  });

  it('is served, and later changes show without a restart', async () => {
    withoutLog();
    server = await startServedProgram(['--rate-limit', 'off'], env, asOtherUser);
    const { origin } = server;
    const ask = async (path: string) => (await fetch(`${origin}${path}`)).text();
    const all = async () => ({
      profile: JSON.parse(await ask(`/api/v1/politicians/${slug}`)).full_name,
      searchHit: JSON.parse(await ask(`/api/v1/search?q=oceane&types=politician`)).items[0].title,
      past: JSON.parse(await ask(`/api/v1/politicians/${slug}?as_of=2026-11-02`)).full_name,
      exported: (await ask('/api/v1/export/dataset?entity=politicians')).match(/^oceane-bruyevre,([^,]*)/m)?.[1],
      version: JSON.parse(await ask('/statusz')).mirror_version,
    });
    const first = await all();
    const before = 'Océane Bruyèvre';
    expect(first).to.deep.include({ profile: before, searchHit: before, past: before, exported: before });
    const says = (now: string, changes: number) => ({
      ...{ profile: now, searchHit: now, past: before, exported: now, version: first.version + changes },
    });
    const save = (full_name: string) => transaction(writer!, () => rename(writer!, full_name));
    // Written elsewhere: with a log beside it, the server might open the file in place, whose log would then be lost.
    const elsewhere = join(home, 'elsewhere.db');
    copyFileSync(demo.db, elsewhere);
    writer = openWritableMirror(elsewhere);
    save('Océane Closed');
    writer.close();
    writeFileSync(demo.db, readFileSync(elsewhere));
    expect(await all()).to.deep.equal(says('Océane Closed', 1));
    open();
    save('Océane Open');
    expect(await all()).to.deep.equal(says('Océane Open', 2));
    save('Océane Still Open');
    expect(await all()).to.deep.equal(says('Océane Still Open', 3));
    writer!.close();
    expect(await all()).to.deep.equal(says('Océane Still Open', 3));
    open();
    save('Océane Again');
    writer!.close();
    expect(await all()).to.deep.equal(says('Océane Again', 4));
  });
});
