import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { listeningServers } from '../helpers/loopback-servers.ts';
import { skipUnlessRoot } from '../helpers/other-user.ts';
import { runProgram } from '../helpers/program.ts';
import { runToEnd } from '../helpers/run-to-end.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = join(root, 'bin/run.js');
const hasProc = existsSync('/proc/self/status');

describe('a machine that refuses', () => {
  const servers = listeningServers();
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let env: Record<string, string>;
  beforeEach(async () => {
    demo = await createDemoMirror();
    env = { PATH: process.env.PATH ?? '', HOME: demo.folder, HEMICYCLE_DB: demo.db };
  });
  afterEach(() => {
    servers.closeAll();
    demo.remove();
  });

  /** Runs a line of a shell, `hemicycle` being the program. */
  async function shell(line: string, more: Record<string, string> = {}) {
    const script = `hemicycle() { '${process.execPath}' '${program}' "$@"; }; ${line}`;
    const start = { command: 'sh', argv: ['-c', script], cwd: demo.folder, env: { ...env, ...more }, input: '' };
    const result = await runToEnd(start);
    if ('error' in result) throw new Error(result.error);
    return { ...result, exit: result.exit! };
  }

  const homes = ['/dev/null', ...(hasProc ? ['/proc'] : [])];
  const writing = ['demo', 'config set rate 50', 'token create reader', 'import fixtures/demo'];
  for (const home of homes) {
    for (const line of writing)
      it(`is told with exit 10 and what to do where \`${line}\` cannot write into a HOME of ${home}`, async () => {
        const { exit, stderr } = await runProgram(line.split(' '), { env: { HOME: home } });
        expect(exit, stderr).to.equal(10);
        expect(stderr)
          .to.match(/^Error: \/(dev\/null|proc)\/\.\S+: .+\nnothing was written.*(HOME|--db)/)
          .and.not.match(/fault of Hemicycle|^ {4}at /m);
      });

    it(`hinders no question to a mirror elsewhere with a HOME of ${home}`, async () => {
      const { exit, stderr } = await runProgram(['parties'], { env: { HOME: home, HEMICYCLE_DB: demo.db } });
      expect(exit, stderr).to.equal(0);
      expect(stderr).to.match(/^from the mirror, as of \S+\n$/);
    });
  }

  it('is asked for no folder that it takes for missing and will not make', async function () {
    if (!hasProc) this.skip();
    for (const line of ['import fixtures/demo --db /proc/a/b.db', 'export parties -o /proc/a/b/']) {
      const { exit, stderr } = await runProgram(line.split(' '), { env });
      expect(exit, stderr).to.equal(10);
    }
  });

  it('gets nothing written where the program was started when HOME or an XDG folder is no absolute path', async () => {
    const here = join(demo.folder, 'here');
    mkdirSync(here);
    for (const environment of [
      { HOME: '', XDG_DATA_HOME: demo.folder, XDG_CONFIG_HOME: demo.folder, XDG_CACHE_HOME: demo.folder },
      { HOME: demo.folder, XDG_DATA_HOME: 'data', XDG_CONFIG_HOME: '.', XDG_CACHE_HOME: 'cache' },
    ] as Record<string, string>[])
      expect((await runProgram(['config', 'set', 'rate', '50'], { env: environment, cwd: here })).exit).to.equal(0);
    expect(readdirSync(here)).to.deep.equal([]);
  });

  it('answers a user without an account and without a home', async function () {
    skipUnlessRoot.call(this);
    const asNobody = `chown -R 54321 . && exec setpriv --reuid 54321 --regid 54321 --clear-groups env -i`;
    const words = `PATH="$PATH" '${process.execPath}' '${program}'`;
    const { exit, stderr } = await shell(`${asNobody} ${words} parties --db '${demo.db}'`);
    expect(exit, stderr).to.equal(0);
    const refused = await shell(`${asNobody} ${words} import '${root}fixtures/demo'`);
    expect([refused.exit, refused.stderr.split('\n')[0]]).to.deep.equal([
      10,
      "Error: /.local/share/hemicycle/mirror.db: its folder cannot be created (EACCES: permission denied, mkdir '/.local')",
    ]);
  });

  for (const [what, line] of [
    ['a folder that is gone', 'mkdir gone && cd gone && rmdir ../gone && hemicycle parties'],
    ['no standard input', 'hemicycle parties <&-'],
    ['no place for temporary files', 'TMPDIR=/dev/null hemicycle parties'],
    ['no place for temporary files to export', 'TMPDIR=/dev/null hemicycle export --all --sqlite facts.db --quiet'],
  ] as [string, string][])
    it(`answers from ${what}`, async () => {
      const { exit, stderr } = await shell(line);
      expect(exit, stderr).to.equal(0);
    });

  it('is told in one line that too few files may be open', async function () {
    if (!hasProc) this.skip();
    const exits: (number | null)[] = [];
    for (const limit of [16, 20, 22, 23, 24, 26, 28, 64]) {
      const { exit, stderr } = await shell(`ulimit -n ${limit}; hemicycle parties; exit $?`);
      // With fewer Node itself ends, before it reads a line of the program.
      const isOfNode = exit > 128 || stderr.startsWith('node:internal/modules/run_main');
      if (isOfNode) continue;
      exits.push(exit);
      if (exit !== 0) {
        expect(exit, stderr).to.equal(10);
        expect(stderr).to.equal(
          'Error: the limit on open files is reached; raise it, for example with `ulimit -n 1024`\n',
        );
      }
    }
    expect(exits.at(-1)).to.equal(0);
    expect(exits).to.include(10);
  });

  it('is told what is missing where too few files may be open to ask a service', async function () {
    if (!hasProc) this.skip();
    const address = await servers.serve((_request, response) => response.writeHead(401).end());
    const exits = new Set<number>();
    for (let limit = 26; limit <= 36; limit += 1) {
      const sync = `hemicycle sync --from ${address} --db new${limit}.db`;
      const { exit, stderr } = await shell(`ulimit -n ${limit}; ${sync}; exit $?`);
      if (exit > 128 || stderr.startsWith('node:internal/modules/run_main')) continue;
      exits.add(exit);
      if (exit === 4) continue;
      expect([exit, stderr.includes('the limit on open files is reached')], stderr).to.deep.equal([10, true]);
    }
    expect(exits).to.deep.equal(new Set([10, 4]));
  });

  it('ends a demo where one of its steps failed', async () => {
    mkdirSync(join(demo.folder, 'demo'));
    writeFileSync(join(demo.folder, 'demo/out'), 'mine');
    const { exit, stdout } = await runProgram(['demo'], { env });
    expect([exit, stdout.includes('Go on by yourself')]).to.deep.equal([10, false]);
  });

  it('lets a demo be begun again that was cut short', async () => {
    const child = spawn(process.execPath, [program, 'demo'], { env });
    child.stdout.once('data', () => child.kill('SIGKILL'));
    await once(child, 'close');
    const { exit, stderr } = await runProgram(['demo'], { env });
    expect(exit, stderr).to.equal(0);
  });
});
