import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { expect } from 'chai';
import type { DeliveryError } from '../../src/errors.ts';
import { runCommand } from '../../src/watches/command-channel.ts';
import type { MessageBody } from '../../src/watches/message.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { runProgram } from '../helpers/program.ts';
import { openDesk, type WatchDesk } from './watch-desk.ts';

const env = { PATH: process.env.PATH };
const body = { type: 'watch.test', id: 'msg_1' } as MessageBody;

describe('the command of a watch', () => {
  let desk: WatchDesk;
  beforeEach(() => {
    desk = openDesk();
  });
  afterEach(() => desk.remove());
  const reasonOf = (running: Promise<void>) =>
    running.then(
      () => null,
      (error: unknown) => (error as DeliveryError).message,
    );

  it('is told on its standard input, and its last words are kept where it fails', async () => {
    await runCommand(['sh', '-c', 'cat > "$0"', desk.path('told.json')], body, { env });
    expect(JSON.parse(desk.text('told.json'))).to.deep.equal(body);
    expect(await reasonOf(runCommand(['sh', '-c', 'echo pas prête >&2; exit 3'], body, { env }))).to.equal(
      'sh: ended with 3: pas prête',
    );
    expect(await reasonOf(runCommand([desk.path('none')], body, { env }))).to.match(/did not start/);
  });

  it('gets no secret of the run that tells it, and of its variables those alone that it needs or that are named', async () => {
    const demo = await createDemoMirror();
    const folders = { XDG_CACHE_HOME: desk.path('cache'), XDG_RUNTIME_DIR: '/run/x' };
    const plain = { HEMICYCLE_DB: demo.db, LC_ALL: 'C.UTF-8', TZ: 'Europe/Paris', ...folders };
    const passedVariables = { DISPLAY: ':7', NEWSROOM_KEY: 'theirs' };
    const secretVariables = {
      ...{
        HEMICYCLE_TOKEN: 'secret-1',
        HEMICYCLE_SMTP_URL: 'smtp://u:secret-2@localhost',
        PGPASSWORD: 'secret-3',
      },
      ...{
        HEMICYCLE_EMBEDDINGS_KEY: 'secret-4',
        HTTPS_PROXY: 'http://u:secret-5@proxy',
        AWS_SECRET_ACCESS_KEY: '6',
      },
    };
    const env = { HOME: demo.folder, ...plain, ...passedVariables, ...secretVariables };
    const file = desk.path('env');
    const command = JSON.stringify(['sh', '-c', 'env > "$0"', file]);
    const run = (...argv: string[]) => runProgram(argv, { env });
    expect((await run('watch', 'add', 'all', 'changes', '--command', command)).exit).to.equal(0);
    const commandEnvironment = async () => {
      const { exit, stderr } = await run('watch', 'test', 'all');
      expect(exit, stderr).to.equal(0);
      // The shell states some of its own.
      const lines = desk.text('env').match(/^(?!PWD=|SHELL=|SHLVL=|_=).+$/gm) ?? [];
      return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
    };
    expect(await commandEnvironment()).to.deep.equal({ PATH: process.env.PATH, HOME: demo.folder, ...plain });
    expect((await run('config', 'set', 'command-env', 'DISPLAY, NEWSROOM_KEY')).exit).to.equal(0);
    expect(await commandEnvironment())
      .to.deep.include({ ...plain, ...passedVariables })
      .and.to.not.include.any.keys(Object.keys(secretVariables));
    expect((await run('config', 'set', 'command-env', 'DISPLAY=:1')).exit).to.equal(10);
    demo.remove();
  });

  it('is over when it ends, whatever it leaves running with its stderr', async () => {
    const background = 'sleep 600 & echo $! > "$0"; echo fini >&2; exit';
    const pid = desk.path('pid');
    try {
      expect(await reasonOf(runCommand(['sh', '-c', `${background} 0`, pid], body, { env }))).to.equal(null);
      process.kill(Number(desk.text('pid')), 'SIGKILL');
      expect(await reasonOf(runCommand(['sh', '-c', `${background} 4`, pid], body, { env }))).to.equal(
        'sh: ended with 4: fini',
      );
    } finally {
      process.kill(Number(desk.text('pid')), 'SIGKILL');
    }
  });

  it('that takes too long is ended with all that it started', async () => {
    const pipe = desk.path('pipe');
    execFileSync('mkfifo', [pipe]);
    const controller = new AbortController();
    const running = reasonOf(
      runCommand(['sh', '-c', 'sleep 600 > "$0" & wait', pipe], body, { env, signal: controller.signal }),
    );
    // It opens when what the command started does, and ends with it.
    const reader = createReadStream(pipe);
    const ended = once(reader, 'close');
    await once(reader, 'open');
    controller.abort();
    reader.resume();
    await ended;
    expect(await running).to.match(/^sh: was ended by SIGKILL/);
  });
});
