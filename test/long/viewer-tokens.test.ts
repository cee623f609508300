import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { runProgram } from '../helpers/program.ts';
import { type ServedProgram, startServedProgram } from '../helpers/served-program.ts';

describe('viewer tokens', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let env: Record<string, string>;
  let file: string;
  let server: ServedProgram | null;
  beforeEach(async () => {
    demo = await createDemoMirror();
    env = { HEMICYCLE_DB: demo.db, HOME: demo.folder };
    file = join(demo.folder, '.config/hemicycle/viewer-tokens.json');
    server = null;
  });
  afterEach(async () => {
    await server?.stop();
    demo.remove();
  });
  const token = (...argv: string[]) => runProgram(['token', ...argv], { env });
  const ask = (givenToken: string) =>
    fetch(`${server!.origin}/api/v1/parties`, { headers: { authorization: `Bearer ${givenToken}` } });

  it('are printed once and kept as a hash that only the user can read', async () => {
    const { stdout, stderr, exit } = await token('create', 'newsroom');
    expect(exit, stderr).to.equal(0);
    expect(stdout).to.match(/^hcv_[\w-]{43}\n$/);
    expect(stderr)
      .to.match(/token of newsroom is only shown this time/)
      .and.not.include(stdout.trim());
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    const storedTokens = readFileSync(file, 'utf8');
    expect(storedTokens)
      .to.match(/"sha256": "[0-9a-f]{64}"/)
      .and.not.include(stdout.trim().slice(4));
    const list = await token('list', '--json');
    expect(JSON.parse(list.stdout)).to.have.length(1);
    expect(JSON.parse(list.stdout)[0]).to.have.all.keys('name', 'created_at');
    expect((await token('list')).stdout).to.match(/newsroom/);
  });

  it('are refused under a name that is taken, or that is none; an unknown one cannot be revoked', async () => {
    await token('create', 'newsroom');
    const again = await token('create', 'newsroom');
    expect([again.exit, again.stdout]).to.deep.equal([2, '']);
    expect(again.stderr).to.match(/token revoke newsroom/);
    expect((await token('create', '../etc')).exit).to.equal(2);
    expect((await token('revoke', 'nobody')).exit).to.equal(3);
  });

  it('are all kept when several are made at once', async () => {
    const names = ['one', 'two', 'three', 'four'];
    const creations = await Promise.all(names.map((name) => token('create', name)));
    expect(creations.map(({ exit }) => exit)).to.deep.equal([0, 0, 0, 0]);
    const listed = JSON.parse((await token('list', '--json')).stdout) as { name: string }[];
    expect(listed.map(({ name }) => name)).to.have.members(names);
  });

  it('count at once in a server that runs, made or revoked', async () => {
    server = await startServedProgram([], env);
    expect((await ask('hcv_guess')).status).to.equal(401);
    const createdToken = (await token('create', 'newsroom')).stdout.trim();
    const admitted = await ask(createdToken);
    expect(admitted.status).to.equal(200);
    expect(admitted.headers.get('ratelimit-policy')).to.equal('"viewer";q=600;w=60');
    await token('revoke', 'newsroom');
    expect((await ask(createdToken)).status).to.equal(401);
  });

  it('admit nobody once their file is damaged, and say so', async () => {
    const createdToken = (await token('create', 'newsroom')).stdout.trim();
    server = await startServedProgram(['--viewer-tokens', file], env);
    writeFileSync(file, '{ half');
    expect((await ask(createdToken)).status).to.equal(401);
    await server.output(/viewer-tokens\.json: it is not JSON/);
  });

  it('keep a server from starting where their file is damaged', async () => {
    const other = join(demo.folder, 'tokens.json');
    writeFileSync(other, '{"newsroom":{"sha256":"the token itself"}}');
    const { exit, stderr } = await runProgram(['serve', '--port', '0', '--viewer-tokens', other], { env });
    expect(exit).to.equal(10);
    expect(stderr)
      .to.match(/tokens\.json: .*64 hexadecimal/)
      .and.not.match(/the token itself/);
  });
});

describe('a server behind a proxy', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  before(async () => {
    demo = await createDemoMirror();
  });
  after(() => demo.remove());

  it('refuses to trust what is no address', async () => {
    for (const proxies of ['localhost', '10.0.0.0/33', '0.0.0.0/0', '']) {
      const { exit, stderr } = await runProgram(['serve', '--port', '0', '--trust-proxy', proxies], {
        env: { HEMICYCLE_DB: demo.db, HOME: demo.folder },
      });
      expect(exit, proxies).to.equal(2);
      expect(stderr).to.match(/not an address or a network/);
    }
  });
});
