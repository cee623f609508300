import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { compilePreloadedDisk } from '../helpers/recorded-disk.ts';

const helper = (name: string) => fileURLToPath(new URL(`../helpers/${name}`, import.meta.url));

describe('a disk that fails under SQLite', () => {
  let folder: string;
  let preloaded: string | null;
  beforeEach(function () {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
    mkdirSync(join(folder, 'disk'));
    preloaded = compilePreloadedDisk(folder);
    if (preloaded !== null) return;
    console.log('    skipped: what makes writes fail is compiled with gcc, on Linux; it is not here');
    this.skip();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const run = (file: string, argv: string[], env: Record<string, string>) =>
    spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...argv], {
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        LD_PRELOAD: preloaded!,
        FAULT_UNDER: join(folder, 'disk'),
        ...env,
      },
    });

  it('at any write of making and filling a mirror is told, and leaves none or a whole one', () => {
    const { stdout, stderr, status } = run(helper('failing-disk-child.ts'), [folder], {});
    expect(status, stderr).to.equal(0);
    const { rounds, outcomes } = JSON.parse(stdout) as { rounds: number; outcomes: string[] };
    expect(rounds).to.be.greaterThan(300);
    expect(outcomes.filter((each) => !/^(told|well); left (none|ok, [01]); then ok, 1$/.test(each))).to.deep.equal([]);
    expect(outcomes).to.include('told; left none; then ok, 1').and.include('told; left ok, 0; then ok, 1');
  });

  it('that gives no locks is told from one where another run holds the lock', () => {
    const program = fileURLToPath(new URL('../../bin/run.js', import.meta.url));
    const fixtures = fileURLToPath(new URL('../../fixtures/demo', import.meta.url));
    const argv = ['import', fixtures, '--db', join(folder, 'disk/mirror.db')];
    const { stderr, status } = run(program, argv, { FAULT_LOCK: '1' });
    expect(stderr).to.match(
      /^Error: \S+mirror\.db: cannot be locked: its file system does not support locks.*ENOLCK\)\n/,
    );
    expect(status).to.equal(10);
    expect(run(program, argv, {}).status).to.equal(0);
  });
});
