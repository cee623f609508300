import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { get } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { kindOf } from '../../../src/model/kinds.ts';
import { newestVersion } from '../../../src/store/migrations.ts';
import { openWritableMirror } from '../../../src/store/open.ts';
import { createDemoMirror } from '../../helpers/demo-mirror.ts';
import { makeOlder } from '../../helpers/older-mirror.ts';
import { askProgram, runProgram } from '../../helpers/program.ts';
import { type ServedProgram, startServedProgram } from '../../helpers/served-program.ts';
import { type DemoServer, demoRecords, saveAll, startDemoServer } from '../../server/demo-server.ts';

describe('serve as a process', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let env: Record<string, string>;
  let server: ServedProgram | null;
  let upstream: DemoServer | null;
  beforeEach(async () => {
    demo = await createDemoMirror();
    env = { HEMICYCLE_DB: demo.db, HOME: demo.folder, HEMICYCLE_RATE: '100000' };
    server = null;
    upstream = null;
  });
  afterEach(async () => {
    await server?.stop();
    await upstream?.close();
    demo.remove();
  });
  const start = async (...argv: string[]) => {
    server = await startServedProgram(argv, env);
    return server;
  };
  const addressOfMetrics = async ({ output }: ServedProgram) =>
    `${(await output(/watches on (http:\S+)/))[1]!}/metrics`;
  const metricsOf = async (served: ServedProgram) => (await fetch(await addressOfMetrics(served))).text();

  it('prints where it listens, links the address that is set, encoded once, and ends by SIGTERM with exit 143', async () => {
    env.HEMICYCLE_SITE_URL = 'https://service.example/députés';
    const { origin, stop } = await start();
    const [answer, page] = await Promise.all([
      fetch(`${origin}/api/v1/parties`),
      fetch(origin, { headers: { accept: 'text/html' } }),
    ]);
    expect(answer.headers.get('link')).to.equal('<https://service.example/d%C3%A9put%C3%A9s>; rel="via"');
    expect(await page.text()).to.include('href="https://service.example/d%C3%A9put%C3%A9s"');
    const { stdout, stderr, exit } = await stop();
    expect(stdout).to.equal(`${origin}/api/v1\n`);
    expect(stderr).not.to.match(/warning|Error/);
    expect(exit).to.equal(143);
  });

  it('warns when others than this machine can reach it, and logs what was asked for where that is wanted', async () => {
    const { origin, output } = await start('--host', '0.0.0.0', '--rate-limit', 'off', '--log', '-', '--log-query');
    await output(/warning: listening on 0\.0\.0\.0.*without any limit/);
    await fetch(`${origin}/api/v1/search?q=port`);
    await output(/"path":"\/api\/v1\/search\?q=port"/);
  });

  it('warns where nothing says whom its answers should link', async () => {
    env.HEMICYCLE_DB = join(demo.folder, 'new.db');
    const file = fileURLToPath(new URL('../../../fixtures/demo/parties.ndjson', import.meta.url));
    expect((await runProgram(['import', file], { env })).exit).to.equal(0);
    const { output, origin } = await start('--quiet');
    await output(/^warning: no address of the service is known.*\n/);
    expect((await fetch(`${origin}/api/v1/parties`)).headers.get('link')).to.equal(null);
  });

  it('logs how it answered, without what was searched for and without addresses', async () => {
    const file = join(demo.folder, 'answers.log');
    const { origin, stop } = await start('--log', file);
    const response = await fetch(`${origin}/api/v1/search?q=secret+interest`, {
      headers: { 'x-request-id': '0f1e2d', 'accept-encoding': 'identity' },
    });
    const length = (await response.bytes()).length;
    await fetch(`${origin}/nothing`, { headers: { 'x-request-id': 'not "an" id' } });
    await stop();
    const text = readFileSync(file, 'utf8');
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines[0]).to.include({
      method: 'GET',
      path: '/api/v1/search',
      status: 200,
      caller: 'anonymous',
      msg: 'answered',
      id: '0f1e2d',
      route: '/api/v1/search',
    });
    expect(lines[0]!.bytes).to.be.within(length, length + 4000);
    expect(lines[1]).to.include({ path: '/nothing', status: 404, caller: 'anonymous', id: null, route: null });
    expect(text).not.to.match(/secret|127\.0\.0\.1/);
  });

  for (const [signals, argv] of [
    [['SIGHUP', 'SIGUSR2'], []],
    [['SIGHUP'], ['--workers', '2']],
  ] as const)
    it(`opens its log file again at ${[...signals, ...argv].join(' ')}, and goes on`, async () => {
      const file = join(demo.folder, 'answers.log');
      const served = await start('--log', file, ...argv);
      await fetch(`${served.origin}/api/v1/parties`);
      for (const signal of signals) {
        renameSync(file, `${file}.${signal}`);
        served.signal(signal);
        while (!existsSync(file)) expect((await fetch(`${served.origin}/healthz`)).status).to.equal(200);
      }
      await fetch(`${served.origin}/api/v1/topics`);
      expect((await served.stop()).exit).to.equal(143);
      const [first, ...later] = [...signals.map((signal) => `${file}.${signal}`), file].map((path) =>
        readFileSync(path, 'utf8'),
      );
      expect(first).to.include('"path":"/api/v1/parties"');
      expect([first, ...later].join('')).to.include('"path":"/api/v1/topics"');
    });

  it('reports that a second signal cut the requests in progress', async () => {
    const served = await start();
    const { hostname, port } = new URL(served.origin);
    const open = connect(Number(port), hostname);
    await once(open, 'connect');
    open.write('GET /healthz HTTP/1.1\r\n');
    await fetch(`${served.origin}/healthz`);
    served.signal('SIGTERM');
    const repeat = setInterval(() => served.signal('SIGTERM'), 400);
    const { exit, stderr } = await served.ended;
    clearInterval(repeat);
    open.destroy();
    expect([exit, stderr.match(/^ended at once.*$/m)?.[0]]).to.deep.equal([
      143,
      'ended at once: requests in progress were cut',
    ]);
  });

  it('takes the socket of a server that was killed', async () => {
    const socketPath = join(demo.folder, 'left.sock');
    const killed = spawnSync(process.execPath, [
      '-e',
      `require('node:net').createServer().listen(${JSON.stringify(socketPath)}, () => process.kill(process.pid, 'SIGKILL'))`,
    ]);
    expect([killed.signal, existsSync(socketPath)]).to.deep.equal(['SIGKILL', true]);
    const { output } = await start('--operator-port', socketPath);
    await output(/watches on .*left\.sock/);
  });

  it('is not ready without records, and logs no fault for it', async () => {
    env.HEMICYCLE_DB = join(demo.folder, 'empty.db');
    openWritableMirror(env.HEMICYCLE_DB).close();
    const { origin, stop } = await start();
    expect((await fetch(`${origin}/readyz`)).status).to.equal(503);
    expect((await stop()).stderr).to.not.match(/holds no records|\n +at /);
  });

  it('says what a log cannot be written to', async () => {
    const { exit, stderr } = await runProgram(
      ['serve', '--port', '0', '--log', join(demo.folder, 'none/answers.log')],
      { env },
    );
    expect(exit).to.equal(10);
    expect(stderr).to.match(/none\/answers\.log: the log cannot be written \(ENOENT\)/);
  });

  it('checks its configuration without listening, and ends with the exit code of the first fault', async () => {
    const check = (...argv: string[]) => askProgram(['serve', '--check-config', ...argv], { env });
    const usable = await check('--sync-every', '6h', '--from', 'http://127.0.0.1:9/api/v1', '--operator-port', '0');
    expect([usable.exit, usable.stdout]).to.deep.equal([0, 'the configuration is usable\n']);
    const logFile = join(demo.folder, 'none/answers.log');
    for (const [exit, ...argv] of [
      [2, '--trust-proxy', 'all'],
      [2, '--operator-port', 'data.example'],
      [2, '--edition-every', '5'],
      [2, '--sync-every', 'often', '--from', 'http://127.0.0.1:9'],
      [10, '--log', logFile],
      [10, '--host', '999.1.1.1'],
      [10, '--db', join(demo.folder, 'none.db')],
    ] as const)
      expect((await check(...argv)).exit, argv.join(' ')).to.equal(exit);
    const places = join(demo.folder, 'none.csv');
    const noTable = await askProgram(['serve', '--check-config'], { env: { ...env, HEMICYCLE_PLACES: places } });
    expect(noTable.exit).to.equal(10);
    expect(noTable.stderr).to.include(`${places} is no table of communes`);
  });

  it('goes on after SIGHUP where its log is stderr, which cannot be opened again', async () => {
    const served = await start('--log', '-');
    for (const signal of ['SIGHUP', 'SIGUSR2'] as const) served.signal(signal);
    expect((await fetch(`${served.origin}/readyz`)).status).to.equal(200);
    expect((await served.stop()).exit).to.equal(143);
  });

  it('shows metrics on a port of their own, by route, never by address and to no page of another origin', async () => {
    const served = await start('--operator-port', '0');
    await fetch(`${served.origin}/api/v1/parties/union-des-clairieres`);
    await fetch(`${served.origin}/api/v1/parties/nobody`);
    await fetch(`${served.origin}/nothing`);
    expect((await fetch(`${served.origin}/metrics`)).status).to.equal(404);
    const text = await metricsOf(served);
    expect(text).to.include('hemicycle_http_answers_total{route="/api/v1/parties/:slug",method="GET",status="200"} 1');
    expect(text).to.include('route="/api/v1/parties/:slug",method="GET",status="404"} 1');
    expect(text).to.include('route="none",method="GET",status="404"} 2');
    expect(text).to.match(/^hemicycle_mirror_records\{kind="politician"\} 50$/m);
    expect(text).to.match(/^hemicycle_mirror_age_seconds \d/m);
    expect(text).to.match(/^hemicycle_sync_running 0$/m);
    expect(text).to.match(/^process_resident_memory_bytes \d/m);
    // No page of another origin reads them.
    for (const method of ['GET', 'OPTIONS']) {
      const { status, headers } = await fetch(await addressOfMetrics(served), { method });
      expect(status).to.equal(method === 'GET' ? 200 : 204);
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).to.deep.equal([]);
    }
  });

  it('shows the operator metrics and watches on a Unix socket, and says what is no place for them', async () => {
    const socketPath = join(demo.folder, 'operator.sock');
    const { output, origin } = await start('--operator-port', socketPath);
    await output(/watches on .*operator\.sock/);
    const ask = async (path: string) => {
      const [answer] = await once(get({ socketPath, path, headers: { host: 'localhost' } }), 'response');
      return [answer.statusCode, await text(answer)];
    };
    expect((await ask('/metrics'))[1]).to.include('hemicycle_mirror_version');
    expect((await ask('/watches'))[1], 'a page that says there are none').to.include('<!doctype html>');
    for (const path of ['/metrics', '/watches']) expect((await fetch(origin + path)).status).to.equal(404);
    const { exit, stderr } = await runProgram(['serve', '--port', '0', '--operator-port', 'data.example'], {
      env,
    });
    expect([exit, stderr.split('\n')[0]]).to.deep.equal([
      2,
      'Error: --operator-port: "data.example" is neither a port nor the path of a socket',
    ]);
  });

  it('keeps itself fresh: a sync of its own shows at once', async () => {
    upstream = await startDemoServer();
    saveAll(upstream.writer, 'party', [...demoRecords(kindOf('party')), { slug: 'parti-neuf', name: 'Parti neuf' }]);
    const { origin, output } = await start('--sync-every', '6h', '--from', `${upstream.url}/api/v1`);
    await output(/^sync: done$/m);
    const answer = await fetch(`${origin}/api/v1/parties/parti-neuf`);
    expect(answer.status).to.equal(200);
    const status = (await (await fetch(`${origin}/statusz`)).json()) as { last_sync: object };
    expect(status.last_sync).to.include({ exit: 0 });
  });

  it('has the watches tell what a sync of its own brought', async () => {
    upstream = await startDemoServer();
    const messageFile = join(demo.folder, 'told.ndjson');
    const program = `require('node:fs').appendFileSync(process.argv[1], require('node:fs').readFileSync(0))`;
    const command = JSON.stringify([process.execPath, '-e', program, messageFile]);
    const words = ['watch', 'add', 'partis', 'changes', '--kind', 'party', '--command', command];
    expect((await runProgram(words, { env })).exit).to.equal(0);
    saveAll(upstream.writer, 'party', [...demoRecords(kindOf('party')), { slug: 'parti-neuf', name: 'Parti neuf' }]);
    const { output } = await start('--sync-every', '6h', '--from', `${upstream.url}/api/v1`);
    await output(/^sync: done$/m);
    const { data } = JSON.parse(readFileSync(messageFile, 'utf8'));
    expect(data.changes).to.have.length(1);
    expect(data.changes[0]).to.include({ change: 'added', key: 'parti-neuf' });
  });

  it('begins with an empty mirror where it is to sync, and is ready once that is filled', async () => {
    upstream = await startDemoServer();
    env.HEMICYCLE_DB = join(demo.folder, 'new.db');
    const { origin, output } = await start('--sync-every', '1d', '--from', `${upstream.url}/api/v1`);
    await output(/^sync: done$/m);
    expect((await fetch(`${origin}/readyz`)).status).to.equal(200);
  });

  it('serves the mirror of an older program as it is, and brings it up to date where it is to sync', async () => {
    const mirror = openWritableMirror(demo.db);
    makeOlder(mirror.database, 2);
    mirror.close();
    const versionOf = () => readFileSync(demo.db).readUInt32BE(60);
    const { origin: older, stop } = await start();
    expect((await fetch(`${older}/readyz`)).status).to.equal(200);
    expect((await stop()).stderr).to.match(/warning: an older Hemicycle wrote the mirror.*exports/);
    expect(versionOf()).to.equal(2);
    upstream = await startDemoServer();
    const { origin } = await start('--sync-every', '1d', '--from', `${upstream.url}/api/v1`);
    expect((await fetch(`${origin}/readyz`)).status).to.equal(200);
    expect(versionOf()).to.equal(newestVersion);
  });

  it('refuses to sync from nowhere, or all the time', async () => {
    const refused = (...argv: string[]) => runProgram(['serve', '--port', '0', ...argv], { env });
    expect((await refused('--sync-every', '6h')).exit).to.equal(10);
    for (const text of ['5s', 'often']) expect((await refused('--sync-every', text)).exit).to.equal(2);
  });
});
