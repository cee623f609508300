import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { openWritableMirror } from '../../src/store/open.ts';
import { listeningServers } from '../helpers/loopback-servers.ts';
import { askProgram } from '../helpers/program.ts';
import { saveAll } from '../server/demo-server.ts';

const { serve, closeAll } = listeningServers();

describe('the token', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
  });
  afterEach(() => {
    closeAll();
    rmSync(folder, { recursive: true, force: true });
  });
  const argv = () => ['vote', 'X1', '--source', 'service', '--debug', '--db', join(folder, 'm.db')];

  for (const from of ['the environment', 'a file', 'the user’s settings'] as const) {
    it(`from ${from} is sent, and shown nowhere`, async () => {
      const got: unknown[] = [];
      const baseUrl = await serve((request, response) => {
        got.push(request.headers.authorization);
        response.writeHead(401).end('{"detail":"no"}');
      });
      const env: Record<string, string> = { HOME: folder, HEMICYCLE_BASE_URL: baseUrl };
      const file = join(folder, 'token');
      writeFileSync(file, 'hush-hush-7\n');
      if (from === 'the environment') env.HEMICYCLE_TOKEN = 'hush-hush-7';
      if (from === 'a file') env.HEMICYCLE_TOKEN_FILE = file;
      if (from === 'the user’s settings') await askProgram(['config', 'set', 'token'], { env, input: 'hush-hush-7\n' });
      const ended = await askProgram(argv(), { env });
      expect(got).to.deep.equal(['Bearer hush-hush-7']);
      expect(ended.exit).to.equal(4);
      const listed = await askProgram(['config', 'list', '--origin'], { env });
      expect(ended.stdout + ended.stderr + listed.stdout + listed.stderr).not.to.include('hush-hush');
    });
  }

  it('that no header can carry is refused without being shown', async () => {
    const ended = await askProgram(argv(), {
      env: { HOME: folder, HEMICYCLE_BASE_URL: 'http://127.0.0.1:1', HEMICYCLE_TOKEN: 'hush hush\u00e9' },
    });
    expect(ended.exit).to.equal(10);
    expect(ended.stderr).to.include('token').and.not.include('hush');
  });

  it('whose file cannot be read is a matter of configuration', async () => {
    const ended = await askProgram(argv(), {
      env: {
        HOME: folder,
        HEMICYCLE_BASE_URL: 'http://127.0.0.1:1',
        HEMICYCLE_TOKEN_FILE: join(folder, 'nowhere'),
      },
    });
    expect(ended.exit).to.equal(10);
    expect(ended.stderr).to.include(join(folder, 'nowhere'));
  });

  it('that a service repeats is kept out of errors, reports, traces and the mirror', async () => {
    const baseUrl = await serve((request, response) =>
      response.writeHead(500).end(JSON.stringify({ detail: `bad: ${request.headers.authorization}` })),
    );
    const env = { HOME: folder, HEMICYCLE_BASE_URL: baseUrl, HEMICYCLE_TOKEN: 'hush-hush-7' };
    const db = join(folder, 'm.db');
    // A run that fails before anything came leaves a mirror only where there was one.
    const mirror = openWritableMirror(db);
    saveAll(mirror, 'party', [{ slug: 'pp', name: 'Parti des Phares' }]);
    mirror.close();
    const ended = await askProgram(['sync', '--json', '--debug', '--db', db], { env });
    expect(ended.exit).to.equal(5);
    expect(ended.stdout).to.include('bad: Bearer [token]');
    const database = new Database(db, { readonly: true });
    const storedReports = JSON.stringify(database.prepare('SELECT report FROM run').all());
    database.close();
    expect(storedReports).to.include('[token]');
    expect(ended.stdout + ended.stderr + storedReports).not.to.include('hush-hush');
  });

  it('of the user’s settings goes to no other service than the user’s own', async () => {
    const got: Record<string, unknown> = {};
    const listener =
      (name: string): RequestListener =>
      (request, response) => {
        got[name] = request.headers.authorization ?? null;
        response.writeHead(500).end('{}');
      };
    const own = await serve(listener('own'));
    const other = await serve(listener('other'));
    const env = { HOME: folder };
    await askProgram(['config', 'set', 'base-url', own], { env });
    await askProgram(['config', 'set', 'token'], { env, input: 'hush-hush-7\n' });
    const sync = (...more: string[]) =>
      askProgram(['sync', '--only', 'party', '--db', join(folder, 'm.db'), ...more], { env });
    await sync();
    const { stderr } = await sync('--from', other);
    expect(got).to.deep.equal({ own: 'Bearer hush-hush-7', other: null });
    expect(stderr).to.include('is not sent to').and.not.include('hush');
    await askProgram(['sync', '--only', 'party', '--db', join(folder, 'm.db'), '--from', other], {
      env: { ...env, HEMICYCLE_TOKEN: 'hush-hush-8' },
    });
    expect(got.other).to.equal('Bearer hush-hush-8');
    const answer = await askProgram(['parties', '--source', 'service', '--db', join(folder, 'o.db')], {
      env: { ...env, HEMICYCLE_BASE_URL: other },
    });
    expect(got.other).to.equal(null);
    expect(answer.stderr).to.include('is not sent to');
  });

  it('that cannot be read keeps nobody from what needs none', async () => {
    const env = { HOME: folder, HEMICYCLE_TOKEN_FILE: join(folder, 'nowhere') };
    const { exit } = await askProgram(['config', 'list'], { env });
    expect(exit).to.equal(0);
    expect((await askProgram(['import', 'fixtures/demo', '--quiet'], { env })).exit).to.equal(0);
    expect((await askProgram(['parties', '--json'], { env })).exit).to.equal(0);
  });

  for (const address of ['https://me:pass/word-7@service.example/x y', 'me:pass-word-7@service.example']) {
    it(`is not needed to be told that ${address.slice(-12)} is no address, nor is a password shown`, async () => {
      const { exit, stdout, stderr } = await askProgram(['status'], {
        env: { HOME: folder, HEMICYCLE_BASE_URL: address },
      });
      expect(exit).to.equal(10);
      expect(stdout + stderr)
        .to.include('service.example')
        .and.not.match(/word-7|me:pass/);
    });
  }
});
