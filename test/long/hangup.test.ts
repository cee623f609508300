import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { dialects } from '../helpers/dialects.ts';
import { type FakeService, startFakeService } from '../helpers/fake-service.ts';
import { startServedProgram } from '../helpers/served-program.ts';

const program = fileURLToPath(new URL('../../bin/run.js', import.meta.url));
const hasBash = spawnSync('bash', ['-c', 'true']).status === 0;

describe('a terminal that is closed', () => {
  let folder: string;
  let service: FakeService;
  let env: Record<string, string>;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
    service = await startFakeService(dialects[0]!);
    env = {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      HEMICYCLE_DB: join(folder, 'mirror.db'),
      TERM: 'xterm',
    };
  });
  afterEach(async () => {
    await service.close();
    // Whose terminal is gone may end a moment after its report.
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  const reportPath = () => join(folder, 'report.json');
  /** A sync as words; at 7 requests a minute it waits after the seventh, else it runs through. */
  const sync = (rate: string) => [
    process.execPath,
    program,
    'sync',
    '--from',
    service.baseUrl,
    '--rate',
    rate,
    '--report',
    reportPath(),
  ];

  /** Starts a process in a group of its own, and hangs all of it up at the third request. */
  async function hungUp([file = '', ...argv]: string[]): Promise<{ exit: number | null; stderr: string }> {
    const child = spawn(file, argv, {
      cwd: folder,
      env,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    service.onRequest = (count) => {
      if (count === 3) process.kill(-child.pid!, 'SIGHUP');
    };
    let stderr = '';
    child.stderr!.setEncoding('utf8').on('data', (chunk) => {
      stderr += chunk;
    });
    const [exit] = await once(child, 'close');
    return { exit, stderr };
  }

  /** Starts a command line at a terminal of its own, which is closed at the third request. */
  async function closed(line: string): Promise<void> {
    const terminal: ChildProcess = spawn('script', ['-qec', line, '/dev/null'], {
      cwd: folder,
      env,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    service.onRequest = (count) => {
      if (count === 3) terminal.kill('SIGKILL');
    };
    await once(terminal, 'close');
  }

  async function reported(): Promise<{ exit: number; requests: number }> {
    while (!existsSync(reportPath())) await delay(20);
    return JSON.parse(readFileSync(reportPath(), 'utf8'));
  }

  it('ends a sync with exit 129, a report, and what was saved until then', async () => {
    const { exit, stderr } = await hungUp(sync('7'));
    expect(exit, stderr).to.equal(129);
    expect(stderr)
      .to.include('Error: interrupted\nsaved data is kept\n')
      .and.include('to continue: hemicycle sync --from');
    expect((await reported()).exit).to.equal(129);
    const status = spawnSync(process.execPath, [program, 'status', '--json'], { env, encoding: 'utf8' });
    expect(JSON.parse(status.stdout).last_sync).to.include({ exit: 129 });
  });

  it('ends a sync with a report where nobody can be told any more', async () => {
    await closed(sync('7').join(' '));
    expect((await reported()).exit).to.equal(129);
  });

  it('ends `serve` with exit 129', async () => {
    await hungUp([...sync('100000'), '--only', 'party']);
    const served = await startServedProgram([], env);
    served.signal('SIGHUP');
    expect((await served.ended).exit).to.equal(129);
    const workers = await startServedProgram(['--workers', '2'], env);
    workers.signal('SIGHUP');
    expect((await workers.ended).exit).to.equal(129);
  });

  it('does not end what `nohup` of a shell began', async function () {
    if (!hasBash) this.skip();
    const { exit, stderr } = await hungUp(['bash', '-c', 'nohup "$@"', 'bash', ...sync('100000')]);
    expect(exit, stderr).to.equal(0);
    expect((await reported()).exit).to.equal(0);
  });

  it('does not end what `nohup` began at that terminal', async function () {
    if (!hasBash) this.skip();
    env.SHELL = '/bin/bash';
    await closed(`nohup ${sync('100000').join(' ')}`);
    expect((await reported()).exit).to.equal(0);
    // The report is written before the last line is told.
    const outputText = () => readFileSync(join(folder, 'nohup.out'), 'utf8');
    while (!/requests in/.test(outputText())) await delay(20);
  });
});
