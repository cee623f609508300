import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { expect } from 'chai';
import type { DeliveryError } from '../../src/errors.ts';
import { runCommand } from '../../src/watches/command-channel.ts';
import type { MessageBody } from '../../src/watches/message.ts';
import { openDesk, type WatchDesk } from './watch-desk.ts';

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
    await runCommand(['sh', '-c', 'cat > "$0"', desk.path('told.json')], body);
    expect(JSON.parse(desk.text('told.json'))).to.deep.equal(body);
    expect(await reasonOf(runCommand(['sh', '-c', 'echo pas prête >&2; exit 3'], body))).to.equal(
      'sh: ended with 3: pas prête',
    );
    expect(await reasonOf(runCommand([desk.path('none')], body))).to.match(/did not start/);
  });

  it('is over when it ends, whatever it leaves running with its stderr', async () => {
    const left = 'sleep 600 & echo $! > "$0"; echo fini >&2; exit';
    const pid = desk.path('pid');
    try {
      expect(await reasonOf(runCommand(['sh', '-c', `${left} 0`, pid], body))).to.equal(null);
      process.kill(Number(desk.text('pid')), 'SIGKILL');
      expect(await reasonOf(runCommand(['sh', '-c', `${left} 4`, pid], body))).to.equal(
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
      runCommand(['sh', '-c', 'sleep 600 > "$0" & wait', pipe], body, controller.signal),
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
