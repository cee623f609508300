import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { dialects } from '../helpers/dialects.ts';
import { type FakeService, startFakeService } from '../helpers/fake-service.ts';

const program = fileURLToPath(new URL('../../bin/run.js', import.meta.url));
const hasNamespaces = spawnSync('unshare', ['-m', 'true']).status === 0;

describe('a disk that refuses', () => {
  let folder: string;
  let service: FakeService;
  let shell: Shell;
  before(function () {
    if (hasNamespaces) return;
    console.log('    skipped: `unshare -m` is not allowed here, so that no small disk can be mounted');
    this.skip();
  });
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
    mkdirSync(join(folder, 'disk'));
    service = await startFakeService(wordy);
    shell = openShell(folder);
  });
  afterEach(async () => {
    await shell?.end();
    await service?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  const sync = (db: string) => hemicycle(`sync --from ${service.baseUrl} --db ${db} --rate 1000000 --quiet`);

  /** The mirror on the small disk, copied with all that belongs to it to where this process can open it. */
  async function looked<Result>(look: (database: Handle) => Result): Promise<Result> {
    await shell.mustRun('rm -rf copy && mkdir copy && cp disk/mirror.db* copy/');
    const database = new Database(join(folder, 'copy/mirror.db'));
    try {
      return look(database);
    } finally {
      database.close();
    }
  }

  async function undisturbed(): Promise<unknown[]> {
    await shell.mustRun(sync('undisturbed.db'));
    const database = new Database(join(folder, 'undisturbed.db'), { readonly: true });
    const records = recordsOf(database);
    database.close();
    expect(records.length).to.be.greaterThan(400);
    return records;
  }

  it('ends a sync with exit 10 when it is full, and keeps what was saved until there is room to go on', async () => {
    const expected = await undisturbed();
    service.requests.length = 0;
    await shell.mustRun('mount -t tmpfs -o size=11m tmpfs disk');
    const full = await shell.run(sync('disk/mirror.db'));
    expect(full.exit).to.equal(10);
    expect(full.stderr).to.match(
      /^Error: disk\/mirror\.db: the disk is full; data saved before is kept \(SQLITE_FULL\)\n/,
    );
    expect(full.stderr).not.to.match(stackTrace);
    const requestedProfiles = profilesAsked(service);
    expect(requestedProfiles.length, 'it ended before the last').to.be.below(58);
    const storedProfiles = await looked((database) => {
      expect(database.pragma('integrity_check', { simple: true })).to.equal('ok');
      expect(recordsOf(database).length).to.be.greaterThan(300);
      return profilesHeld(database);
    });
    // Four are asked for at a time: of those on their way when the disk was full none could be kept.
    expect(requestedProfiles).to.include.members(storedProfiles);
    expect(requestedProfiles.length - storedProfiles.length).to.be.within(0, 4);

    const still = await shell.run(sync('disk/mirror.db'));
    expect(still.exit).to.equal(10);
    expect((await shell.run(hemicycle('politicians --source mirror --json --db disk/mirror.db'))).exit).to.equal(0);

    service.requests.length = 0;
    await shell.mustRun('mount -o remount,size=64m disk');
    const further = await shell.run(sync('disk/mirror.db'));
    expect(further).to.deep.equal({ stdout: '', stderr: '', exit: 0 });
    expect(profilesAsked(service).filter((slug) => storedProfiles.includes(slug))).to.deep.equal([]);
    await looked((database) => {
      expect(database.pragma('integrity_check', { simple: true })).to.equal('ok');
      expect(recordsOf(database)).to.deep.equal(expected);
      expect(database.prepare('SELECT count(*) FROM version').pluck().get()).to.equal(0);
    });
  });

  it('ends a sync with exit 10 when a dataset on its way in fills it, and keeps what was saved', async () => {
    await shell.mustRun('mount -t tmpfs -o size=6m tmpfs disk');
    await shell.mustRun(`${sync('disk/mirror.db')} --only party --details none`);
    service.records.politicians![0]!.bio = noise(8_000_000);
    const full = await shell.run(`${sync('disk/mirror.db')} --only politician`);
    expect(full.exit).to.equal(10);
    expect(full.stderr).to.match(/^Error: .*the disk is full; data saved before is kept/);
    expect(full.stderr).not.to.match(stackTrace);
    await looked((database) => {
      expect(database.pragma('integrity_check', { simple: true })).to.equal('ok');
      expect(database.prepare('SELECT kind, count(*) FROM record GROUP BY kind').raw().all()).to.deep.equal([
        ['party', service.records.parties!.length],
      ]);
    });
    expect((await shell.run('test -e disk/mirror.db.incoming')).exit).to.equal(1);
    delete service.records.politicians![0]!.bio;
    await shell.mustRun('mount -o remount,size=64m disk');
    expect((await shell.run(sync('disk/mirror.db'))).exit).to.equal(0);
  });

  it('is told with advice that fits it', async () => {
    await shell.mustRun('mount -t tmpfs -o size=8m tmpfs disk');
    const whileSaving = await shell.run(sync('disk/mirror.db'));
    await shell.mustRun('rm disk/mirror.db*');
    service.records.politicians![0]!.bio = noise(16_000_000);
    const onItsWayIn = await shell.run(`${sync('disk/mirror.db')} --only politician`);
    for (const { stderr } of [whileSaving, onItsWayIn]) {
      expect(stderr).to.match(/the disk is full; data saved before is kept/);
      expect(stderr, 'contradicts the line before').not.to.match(/nothing was written/);
      expect(stderr, 'a sync has no such flag').not.to.match(/ -o\b/);
    }
  });

  it('ends a sync with exit 10 when it is read-only, and the mirror stays as it was', async () => {
    await shell.mustRun('mount -t tmpfs -o size=64m tmpfs disk');
    await shell.mustRun(sync('disk/mirror.db'));
    const before = await shell.mustRun('sha256sum disk/mirror.db');
    await shell.mustRun('mount -o remount,ro disk');
    const refused = await shell.run(sync('disk/mirror.db'));
    expect(refused.exit).to.equal(10);
    expect(refused.stderr).to.match(/^Error: disk\/mirror\.db.*\n/);
    expect(refused.stderr).not.to.match(stackTrace);
    expect(await shell.mustRun('sha256sum disk/mirror.db')).to.equal(before);
    expect(refused.stderr).to.match(/read-only/);
  });

  it('ends an export with exit 10, names the target and leaves what was there', async () => {
    await shell.mustRun('mount -t tmpfs -o size=64m tmpfs disk');
    const db = 'undisturbed.db';
    await shell.mustRun(sync(db));
    await shell.mustRun(`${hemicycle(`export parties --db ${db} -o disk/out/ --quiet`)}`);
    const targets = [
      ['-o disk/out/', 'disk/out/politicians.csv'],
      ['-o disk/p.csv', 'disk/p.csv'],
      ['--sqlite disk/p.db', 'disk/p.db'],
    ] as const;
    for (const [state, reason] of [
      ['dd if=/dev/zero of=disk/zero bs=64k 2>dd.txt; true', 'no space left on the device'],
      ['rm disk/zero && mount -o remount,ro disk', 'the file system is read-only'],
    ] as const) {
      await shell.mustRun(state);
      for (const [target, path] of targets) {
        const { exit, stderr } = await shell.run(hemicycle(`export politicians --accept-shrink --db ${db} ${target}`));
        expect([target, exit]).to.deep.equal([target, 10]);
        const reportedPath = reason.includes('read-only') && target.endsWith('/') ? 'disk/out/' : path;
        expect(stderr).to.equal(
          `Error: ${reportedPath}: ${reason}\nnothing was written there; choose another target with -o\n`,
        );
      }
      expect((await shell.run(hemicycle('export verify disk/out'))).exit).to.equal(0);
    }
    expect((await shell.mustRun('ls -A disk')).trim()).to.equal('out');
  });

  it('lets a mirror be read when it is read-only', async () => {
    await shell.mustRun('mount -t tmpfs -o size=64m tmpfs disk');
    await shell.mustRun(sync('disk/mirror.db'));
    await shell.mustRun('mount -o remount,ro disk');
    const answer = await shell.run(hemicycle('politicians --source mirror --db disk/mirror.db'));
    expect({ exit: answer.exit, stderr: answer.stderr.split('\n')[0] }).to.include({ exit: 0 });
    expect(answer.stdout).not.to.equal('');
  });
});

type Handle = InstanceType<typeof Database>;

const stackTrace = /^\s+at |node:internal/m;

/** A service whose profiles say much more than its datasets: these fit on the small disk, not so all of those. */
const wordy = {
  ...dialects[0]!,
  one: (document: Document) => ({ ...document, dossier: noise(200_000) }),
};

/** Text that cannot be made much smaller; the same for the same length. */
function noise(length: number): string {
  let state = 1;
  let text = '';
  while (text.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    text += (state >>> 0).toString(36);
  }
  return text.slice(0, length);
}

function hemicycle(words: string): string {
  return `'${process.execPath}' '${program}' ${words}`;
}

function recordsOf(database: Handle): unknown[] {
  return database
    .prepare('SELECT kind, key, hash, detail_hash, withdrawn IS NULL FROM record ORDER BY kind, key')
    .raw()
    .all();
}

function profilesHeld(database: Handle): string[] {
  return database.prepare('SELECT key FROM record WHERE detail IS NOT NULL').pluck().all() as string[];
}

function profilesAsked({ requests }: FakeService): string[] {
  return requests
    .map(({ path }) => /^\/(?:parties|politicians)\/(.+)$/.exec(path)?.[1])
    .filter((slug) => slug !== undefined)
    .map(decodeURIComponent);
}

/** A shell with mounts of its own, which go with it. */
type Shell = {
  run(command: string): Promise<{ stdout: string; stderr: string; exit: number }>;
  /** The same for a command that a test needs; gives what it wrote. */
  mustRun(command: string): Promise<string>;
  end(): Promise<void>;
};

function openShell(folder: string): Shell {
  const env = { PATH: process.env.PATH, HOME: folder, XDG_STATE_HOME: join(folder, 'state') };
  const child: ChildProcessWithoutNullStreams = spawn('unshare', ['-m', 'sh'], { cwd: folder, env });
  child.stdout.setEncoding('utf8');
  child.stderr.resume();

  async function run(command: string) {
    child.stdin.write(`( ${command} ) </dev/null >stdout.txt 2>stderr.txt; echo $?\n`);
    const [exit] = await once(child.stdout, 'data');
    const read = (name: string) => readFileSync(join(folder, name), 'utf8');
    return { stdout: read('stdout.txt'), stderr: read('stderr.txt'), exit: Number(exit) };
  }

  return {
    run,
    async mustRun(command) {
      const { stdout, stderr, exit } = await run(command);
      expect({ exit, stderr }, command).to.deep.equal({ exit: 0, stderr: '' });
      return stdout;
    },
    async end() {
      child.stdin.end();
      await once(child, 'close');
    },
  };
}
