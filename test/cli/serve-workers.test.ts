import { expect } from 'chai';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { runProgram } from '../helpers/program.ts';
import { type ServedProgram, startServedProgram } from '../helpers/served-program.ts';

describe('serve with workers', function () {
  this.timeout(60_000);
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
  const ask = (origin: string, path: string) =>
    fetch(`${origin}${path}`, { headers: { connection: 'close' } });

  it('answers on one address, and ends all of them by SIGTERM with exit 143', async () => {
    const { origin, stop } = await start('--rate-limit', 'off');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ask(origin, '/api/v1/politicians?limit=3')),
    );
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).to.equal(1);
    const { stdout, stderr, exit } = await stop();
    expect(stdout).to.equal(`${origin}/api/v1\n`);
    expect(stderr).not.to.match(/Error|worker ended/);
    expect(exit).to.equal(143);
    const gone = await ask(origin, '/healthz').catch((error: Error) => error);
    expect(gone).to.be.instanceOf(Error);
  });

  it('holds one limit for all of them', async () => {
    const { origin } = await start();
    const statuses = [];
    for (let n = 0; n < 100; n += 1) statuses.push((await ask(origin, '/api/v1/parties?limit=1')).status);
    expect(statuses.filter((status) => status === 200).length).to.equal(60);
    expect(statuses.filter((status) => status === 429).length).to.equal(40);
  });

  it('says once why it cannot listen', async () => {
    const { origin } = await start();
    const taken = new URL(origin).port;
    const run = (...argv: string[]) => runProgram(['serve', '--workers', '2', ...argv], { env });
    const second = await run('--port', taken);
    expect(second.exit).to.equal(10);
    expect(second.stderr.match(/cannot listen on/g)?.length).to.equal(1);
  });

  it('shows what all of them answered on one page, and the mirror once', async () => {
    const { origin, said } = await start('--rate-limit', 'off', '--metrics-port', '0');
    await Promise.all(Array.from({ length: 20 }, () => ask(origin, '/api/v1/parties')));
    const page = await fetch((await said(/metrics on (http:\S+)/))[1]!);
    expect(page.status).to.equal(200);
    expect(page.headers.get('content-type')).to.match(/^text\/plain; version=0\.0\.4/);
    const lines = (await page.text()).split('\n');
    const valuesOf = (name: string) =>
      lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.split(' ')[1]);
    expect(
      valuesOf('hemicycle_http_answers_total{route="/api/v1/parties",method="GET",status="200"}'),
    ).to.deep.equal(['20']);
    expect(valuesOf('hemicycle_mirror_records{kind="politician"}')).to.deep.equal(['50']);
  });
});
