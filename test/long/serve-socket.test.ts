import { createServer } from 'node:net';
import { expect } from 'chai';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { listeningServers } from '../helpers/listening.ts';
import { startServedProgram } from '../helpers/served-program.ts';

describe('serve on a socket that systemd opened', function () {
  this.timeout(60_000);
  const servers = listeningServers();
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  beforeEach(async () => {
    demo = await createDemoMirror();
  });
  afterEach(() => demo.remove());

  const freePort = async () => {
    const server = createServer();
    const port = await servers.listen(server);
    await new Promise((resolve) => server.close(resolve));
    return port;
  };

  for (const workers of ['1', '2']) {
    it(`answers there and nowhere else, whatever --port says (${workers} process${workers === '1' ? '' : 'es'})`, async () => {
      const port = await freePort();
      const origin = `http://127.0.0.1:${port}`;
      const env = { HEMICYCLE_DB: demo.db, HOME: demo.folder };
      const activate = ['systemd-socket-activate', '--listen', `127.0.0.1:${port}`, '-E', 'HEMICYCLE_DB'];
      const starting = startServedProgram(['--rate-limit', 'off', '--workers', workers], env, [
        ...activate,
        '-E',
        'HOME',
      ]);
      // The socket is there before the program: the first caller waits until that has started.
      const first = await answered(`${origin}/api/v1/parties`);
      expect(first.status).to.equal(200);
      const served = await starting;
      expect(served.origin).to.equal(origin);
      expect((await fetch(`${origin}/healthz`)).status).to.equal(200);
      const { exit } = await served.stop();
      expect(exit).to.equal(143);
    });
  }
});

/** Asks as soon as somebody listens. */
async function answered(address: string): Promise<Response> {
  for (;;) {
    const answer = await fetch(address).catch(() => null);
    if (answer) return answer;
  }
}
