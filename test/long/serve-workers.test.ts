import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { childrenOf } from '../helpers/child-processes.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { runProgram } from '../helpers/program.ts';
import { type ServedProgram, startServedProgram } from '../helpers/served-program.ts';

describe('serve with workers', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let env: Record<string, string>;
  let server: ServedProgram | null;
  beforeEach(async () => {
    demo = await createDemoMirror();
    env = { HEMICYCLE_DB: demo.db, HOME: demo.folder };
    server = null;
  });
  afterEach(async () => {
    await server?.stop();
    demo.remove();
  });
  const start = async (...argv: string[]) => {
    server = await startServedProgram(['--workers', '2', ...argv], env);
    return server;
  };
  /** A connection of its own for each request, so that all workers get some. */
  const ask = (origin: string, path: string) => fetch(`${origin}${path}`, { headers: { connection: 'close' } });

  it('answers on one address, and ends all of them by SIGTERM with exit 143', async () => {
    const { origin, stop } = await start('--rate-limit', 'off');
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(origin, '/api/v1/politicians?limit=3')));
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).to.equal(1);
    const { stdout, stderr, exit } = await stop();
    expect(stdout).to.equal(`${origin}/api/v1\n`);
    expect(stderr).not.to.match(/Error|worker ended/);
    expect(exit).to.equal(143);
    const failure = await ask(origin, '/healthz').catch((error: Error) => error);
    expect(failure).to.be.instanceOf(Error);
  });

  it('ends whole by a signal that comes while they start', async () => {
    const bin = fileURLToPath(new URL('../../bin/run.js', import.meta.url));
    const words = [bin, 'serve', '--port', '0', '--workers', '2'];
    const child = spawn(process.execPath, words, { env: { PATH: process.env.PATH, ...env } });
    let output = '';
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    while (childrenOf(child.pid!, 'serve').length === 0) await setImmediate();
    child.kill('SIGTERM');
    expect(await once(child, 'close')).to.deep.equal([143, null]);
    expect(output).not.to.match(/Error/);
  });

  it('holds one limit for all of them', async () => {
    const { origin } = await start();
    const statuses = [];
    for (let n = 0; n < 100; n += 1) statuses.push((await ask(origin, '/api/v1/parties?limit=1')).status);
    expect(statuses.filter((status) => status === 200).length).to.equal(60);
    expect(statuses.filter((status) => status === 429).length).to.equal(40);
  });

  it('closes the connections of a worker that is killed, and only those, and another takes its place', async () => {
    const { origin, pid, output } = await start('--rate-limit', 'off');
    const [one, other] = childrenOf(pid, 'serve') as [number, number];
    process.kill(other, 'SIGSTOP');
    const ofOne = await Promise.all(Array.from({ length: 6 }, () => answered(origin)));
    process.kill(other, 'SIGCONT');
    process.kill(one, 'SIGSTOP');
    const ofOther = await Promise.all(Array.from({ length: 6 }, () => answered(origin)));
    const closed = Promise.all(ofOne.map((socket) => once(socket, 'close')));
    process.kill(one, 'SIGKILL');
    await closed;
    await output(/a worker ended \(SIGKILL\); another takes its place/);
    await Promise.all(ofOther.map((socket) => answer(socket)));
    process.kill(other, 'SIGSTOP');
    const ofNext = await answered(origin);
    process.kill(other, 'SIGCONT');
    for (const socket of [...ofOther, ofNext]) socket.destroy();
  });

  it('outlives a worker that is killed while its requests are being counted', async () => {
    const { origin, pid, output, stop } = await start();
    const [one, other] = childrenOf(pid, 'serve') as [number, number];
    process.kill(other, 'SIGSTOP');
    process.kill(pid, 'SIGSTOP');
    const counted = await Promise.all(Array.from({ length: 6 }, () => asking(origin, '/api/v1/parties')));
    const closed = Promise.all(counted.map((socket) => once(socket, 'close')));
    // What came before was read by then.
    const probe = await answered(origin);
    await answer(probe);
    process.kill(one, 'SIGKILL');
    await closed;
    process.kill(pid, 'SIGCONT');
    process.kill(other, 'SIGCONT');
    await output(/another takes its place/);
    expect((await ask(origin, '/api/v1/parties')).status).to.equal(200);
    expect((await stop()).exit).to.equal(143);
  });

  it('ends at once while a worker is starting', async () => {
    const { pid, output, stop } = await start();
    process.kill(childrenOf(pid, 'serve')[0]!, 'SIGKILL');
    await output(/another takes its place/);
    expect((await stop()).exit).to.equal(143);
    expect(childrenOf(pid, 'serve')).to.deep.equal([]);
  });

  it('says once why it cannot listen', async () => {
    const { origin } = await start();
    const usedPort = new URL(origin).port;
    const run = (...argv: string[]) => runProgram(['serve', '--workers', '2', ...argv], { env });
    const second = await run('--port', usedPort);
    expect(second.exit).to.equal(10);
    expect(second.stderr.match(/cannot listen on/g)?.length).to.equal(1);
  });

  it('shows what all of them answered on one page, and the mirror once', async () => {
    const { origin, output } = await start('--rate-limit', 'off', '--operator-port', '0');
    await Promise.all(Array.from({ length: 20 }, () => ask(origin, '/api/v1/parties')));
    const page = await fetch(`${(await output(/watches on (http:\S+)/))[1]!}/metrics`);
    expect(page.status).to.equal(200);
    expect(page.headers.get('content-type')).to.match(/^text\/plain; version=0\.0\.4/);
    const lines = (await page.text()).split('\n');
    const valuesOf = (name: string) =>
      lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.split(' ')[1]);
    expect(valuesOf('hemicycle_http_answers_total{route="/api/v1/parties",method="GET",status="200"}')).to.deep.equal([
      '20',
    ]);
    expect(valuesOf('hemicycle_mirror_records{kind="politician"}')).to.deep.equal(['50']);
  });
});

/** A connection of its own on which that was asked. */
async function asking(origin: string, path: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {}).resume();
  await once(socket, 'connect');
  await new Promise((resolve) => socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`, resolve));
  return socket;
}

/** A connection of its own that was answered once, and is kept. */
async function answered(origin: string): Promise<Socket> {
  const socket = await asking(origin, '/healthz');
  await once(socket, 'data');
  return socket;
}

/** Asks once more on a connection. */
async function answer(socket: Socket): Promise<void> {
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'data');
}
