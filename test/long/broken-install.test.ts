import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { runProgram } from '../helpers/program.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('a program that is not whole', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let installFolder: string;
  before(async () => {
    demo = await createDemoMirror();
  });
  after(() => demo.remove());
  beforeEach(() => {
    installFolder = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
    for (const part of ['bin', 'dist', 'package.json', 'oclif.manifest.json'])
      cpSync(join(root, part), join(installFolder, part), {
        recursive: true,
        filter: (path) => !path.endsWith('/dist/assets'),
      });
    mkdirSync(join(installFolder, 'node_modules'));
    for (const name of readdirSync(join(root, 'node_modules')))
      symlinkSync(join(root, 'node_modules', name), join(installFolder, 'node_modules', name));
  });
  afterEach(() => rmSync(installFolder, { recursive: true, force: true }));
  const run = (...argv: string[]) =>
    runProgram(argv, {
      env: { HEMICYCLE_DB: demo.db, HOME: demo.folder, XDG_CACHE_HOME: join(demo.folder, '.cache') },
      program: join(installFolder, 'bin/run.js'),
    });
  const without = (part: string) => rmSync(join(installFolder, part), { recursive: true });
  const hint = 'install it again, with its packages (`npm ci` in a clone)';

  it('runs as long as nothing is missing', async () => {
    expect((await run('parties')).exit).to.equal(0);
  });

  for (const [what, part, argv] of [
    ['its code', 'dist', ['parties']],
    ['its entry', 'dist/hemicycle.cjs', ['parties']],
    ['its description', 'package.json', ['parties']],
    ['its description', 'package.json', ['--version']],
  ] as [string, string, string[]][])
    it(`says in one line that ${what} is missing, to \`${argv.join(' ')}\``, async () => {
      without(part);
      const { exit, stdout, stderr } = await run(...argv);
      expect([exit, stdout]).to.deep.equal([10, '']);
      expect(stderr).to.match(
        /^Error: the installation of Hemicycle is incomplete: \S+ is missing; install it again.*\n$/,
      );
      expect(stderr).to.include(join(installFolder, part));
    });

  it('says so in JSON where that is asked for', async () => {
    without('dist');
    const { exit, stderr } = await run('parties', '--json');
    expect(exit).to.equal(10);
    expect(JSON.parse(stderr).error).to.include({ code: 'CONFIGURATION', hint, exit: 10 });
  });

  it('names a package or a binary that is missing', async () => {
    without('node_modules/better-sqlite3');
    expect(await run('politicians')).to.deep.equal({
      stdout: '',
      stderr: `Error: the installation of Hemicycle is incomplete: the package better-sqlite3 is missing\n${hint}\n`,
      exit: 10,
    });
    for (const part of ['lib', 'package.json'])
      cpSync(
        join(root, 'node_modules/better-sqlite3', part),
        join(installFolder, 'node_modules/better-sqlite3', part),
        {
          recursive: true,
        },
      );
    const bare = await run('politicians');
    expect(bare.exit).to.equal(10);
    expect(bare.stderr).to.match(/^Error: the installation of Hemicycle is incomplete: \S+\.node is missing\n/);
    expect((await run('--help')).exit).to.equal(0);
  });

  it('does without its compiled code where that is damaged, or of another program, and keeps it anew', async () => {
    const home = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
    const cacheFile = join(home, '.cache/hemicycle/compiled/parties.code');
    const parties = (program: string) =>
      runProgram(['parties'], {
        env: { HEMICYCLE_DB: demo.db, HOME: home, XDG_CACHE_HOME: join(home, '.cache') },
        program,
      });
    try {
      const first = await parties(join(installFolder, 'bin/run.js'));
      const whole = readFileSync(cacheFile);
      for (const damaged of [
        whole.subarray(0, 1000),
        whole.with(whole.length >> 1, ~whole.at(whole.length >> 1)! & 255),
        Buffer.alloc(0),
      ]) {
        writeFileSync(cacheFile, damaged);
        expect(await parties(join(installFolder, 'bin/run.js'))).to.deep.equal(first);
        expect(readFileSync(cacheFile).length).to.be.above(whole.length / 2);
        expect(readFileSync(cacheFile)).not.to.deep.equal(damaged);
      }
      const ours = readFileSync(cacheFile);
      expect(await parties(join(installFolder, 'bin/run.js'))).to.deep.equal(first);
      expect(readFileSync(cacheFile), 'is as it was where nothing is wrong').to.deep.equal(ours);
      expect(await parties(join(root, 'bin/run.js'))).to.deep.equal(first);
      expect(readFileSync(cacheFile), 'is of the program that ran last').not.to.deep.equal(ours);
    } finally {
      rmSync(home, { recursive: true });
    }
  });

  it('reads no compiled code from a folder or a file that others may reach into', async () => {
    const home = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
    const cache = join(home, '.cache/hemicycle/compiled');
    const cacheFile = join(cache, 'parties.code');
    const parties = () =>
      runProgram(['parties', '--quiet'], {
        env: { HEMICYCLE_DB: demo.db, HOME: home, XDG_CACHE_HOME: join(home, '.cache') },
        program: join(installFolder, 'bin/run.js'),
      });
    const planted = Buffer.from('planted');
    const isRead = async () => {
      writeFileSync(cacheFile, planted);
      expect((await parties()).exit).to.equal(0);
      return !readFileSync(cacheFile).equals(planted);
    };
    try {
      await parties();
      expect(statSync(cache).mode & 0o777).to.equal(0o700);
      expect(statSync(cacheFile).mode & 0o777).to.equal(0o600);
      expect(await isRead(), 'ours alone').to.equal(true);
      for (const mode of [0o770, 0o707, 0o750, 0o1777]) {
        chmodSync(cache, mode);
        expect(await isRead(), mode.toString(8)).to.equal(false);
      }
      chmodSync(cache, 0o700);
      if (process.getuid?.() === 0) {
        chownSync(cache, 65534, 65534);
        expect(await isRead(), 'of another user').to.equal(false);
        chownSync(cache, 0, 0);
      }
      renameSync(cache, `${cache}-elsewhere`);
      symlinkSync(`${cache}-elsewhere`, cache);
      expect(await isRead(), 'a link').to.equal(false);
    } finally {
      rmSync(home, { recursive: true });
    }
  });

  it('goes without compiled code where that cannot be kept', async () => {
    const home = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
    try {
      mkdirSync(join(home, '.cache/hemicycle'), { recursive: true });
      writeFileSync(join(home, '.cache/hemicycle/compiled'), '');
      const { exit, stderr } = await runProgram(['parties', '--quiet'], {
        env: { HEMICYCLE_DB: demo.db, HOME: home, XDG_CACHE_HOME: join(home, '.cache') },
        program: join(installFolder, 'bin/run.js'),
      });
      expect([exit, stderr]).to.deep.equal([0, '']);
    } finally {
      rmSync(home, { recursive: true });
    }
  });

  it('says that its code is damaged', async () => {
    const file = join(installFolder, 'dist/hemicycle.cjs');
    for (const bytes of [readFileSync(file, 'utf8').lastIndexOf('{') + 1, 0]) {
      truncateSync(file, bytes);
      const { exit, stderr } = await run('parties');
      expect(exit, stderr).to.equal(10);
      expect(stderr).to.match(/^Error: the installation of Hemicycle is incomplete: .*; install it again/);
      expect(stderr).not.to.match(/^ {4}at /m);
    }
  });
});
