import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Environment } from '../../src/export/postgres/address.ts';
import { connect } from '../../src/export/postgres/connection.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { hasPostgres, type RunningPostgres, startPostgres } from '../helpers/postgres-server.ts';
import { runProgram } from '../helpers/program.ts';

(hasPostgres() ? describe : describe.skip)('the connection to PostgreSQL', () => {
  let encrypted: RunningPostgres;
  let plain: RunningPostgres;
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let home: string;
  before(async () => {
    encrypted = await startPostgres({ hasTls: true });
    plain = await startPostgres();
    demo = await createDemoMirror();
  });
  after(async () => {
    await Promise.all([encrypted.stop(), plain.stop()]);
    demo.remove();
  });
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'hemicycle-home-'));
  });
  afterEach(() => rmSync(home, { recursive: true }));

  /** Whether the connection is encrypted, or how it was refused; and what was said. */
  async function tried(address: string, env: Environment = {}) {
    const messages: string[] = [];
    const options = {
      env: { HOME: home, ...env },
      warn: (line: unknown) => void messages.push(String(line)),
    };
    try {
      const client = await connect(address, options);
      const { rows } = await client.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
      await client.end();
      return { is: rows[0].ssl ? 'tls' : 'plain', messages };
    } catch (error) {
      return {
        is: (error as { exit: number }).exit,
        messages: [`${error}`, `${(error as { hint: string }).hint}`],
      };
    }
  }
  const open = ({ url, password }: RunningPostgres, options = '') =>
    `${url.replace('@', `:${password}@`)}${options === '' ? '' : `?${options}`}`;
  const byName = (address: string) => address.replace('127.0.0.1', 'localhost');

  it('is encrypted as the sslmode of libpq says, by default where the server has TLS', async () => {
    const root = `sslrootcert=${encrypted.certificate}`;
    for (const [server, options, wanted] of [
      [encrypted, '', 'tls'],
      [plain, '', 'plain'],
      [encrypted, 'sslmode=prefer', 'tls'],
      [plain, 'sslmode=prefer', 'plain'],
      [encrypted, 'sslmode=allow', 'plain'],
      [encrypted, 'sslmode=disable', 'plain'],
      [encrypted, 'sslmode=require', 'tls'],
      [plain, 'sslmode=require', 6],
      [encrypted, 'ssl=true', 'tls'],
      [plain, 'ssl=true', 6],
      [encrypted, `sslmode=require&${root}`, 'tls'],
      [encrypted, 'sslmode=verify-ca', 10],
      [encrypted, `sslmode=verify-ca&${root}`, 'tls'],
      [encrypted, 'sslmode=verify-full', 10],
      [encrypted, `sslmode=verify-full&${root}`, 10],
      [encrypted, 'sslmode=verify-full&sslrootcert=/nowhere.crt', 10],
      [encrypted, 'sslmode=always', 10],
    ] as const)
      expect((await tried(open(server, options))).is, options).to.equal(wanted);
    expect((await tried(byName(open(encrypted, `sslmode=verify-full&${root}`)))).is).to.equal('tls');
    expect((await tried(open(encrypted).replace('127.0.0.1', encodeURIComponent(encrypted.folder)))).is).to.equal(
      'plain',
    );
  });

  it('says what to set where it does not know who signed a certificate', async () => {
    const { is, messages } = await tried(byName(open(encrypted, 'sslmode=verify-full')));
    expect(is).to.equal(10);
    expect(messages[0]).to.match(/localhost:\d+\/postgres: its certificate is not trusted: self-signed certificate$/);
    expect(messages[1]).to.include('sslrootcert=FILE').and.to.include('PGSSLROOTCERT');
    expect((await tried(byName(open(encrypted)), { PGSSLMODE: 'verify-ca' })).messages.join()).to.include(
      'sslrootcert=FILE',
    );
  });

  it('is told of where it leaves the machine and is not encrypted', async () => {
    expect((await tried(open(plain))).messages).to.deep.equal([]);
    const elsewhere = open(plain).replace('127.0.0.1', '0.0.0.0');
    expect((await tried(elsewhere)).messages).to.deep.equal([
      `warning: ${plain.url.replace('vitrine@127.0.0.1', '0.0.0.0')} does not use TLS: the connection is not encrypted; to prevent this, use sslmode=require`,
    ]);
    expect((await tried(`${elsewhere}?sslmode=disable`)).messages).to.deep.equal([]);
  });

  it('takes from the environment, its service and the folder of libpq what the address does not state', async () => {
    const env = { PGSSLMODE: 'verify-full', PGSSLROOTCERT: encrypted.certificate };
    expect((await tried(byName(open(encrypted)), env)).is).to.equal('tls');
    expect((await tried(open(encrypted, 'sslmode=disable'), env)).is).to.equal('plain');
    mkdirSync(join(home, '.postgresql'));
    writeFileSync(join(home, '.postgresql/root.crt'), 'none');
    expect((await tried(byName(open(encrypted)), env)).is).to.equal('tls');
    const { port } = new URL(encrypted.url);
    const section = `host=localhost\nport = ${port}\nuser=vitrine\npassword=${encrypted.password}\ndbname=postgres`;
    const file = join(home, '.pg_service.conf');
    writeFileSync(file, `# ours\n[other]\nhost=nowhere\n[newsroom]\n${section}\nsslmode=disable\n[last]\nport=1\n`);
    expect((await tried('postgres://?service=newsroom', env)).is).to.equal('plain');
    expect((await tried('postgres:///postgres?sslmode=verify-full', { ...env, PGSERVICE: 'newsroom' })).is).to.equal(
      'tls',
    );
    expect((await tried('postgres:///?service=newsroom', { PGSERVICEFILE: '/nowhere' })).is).to.equal(10);
    expect((await tried('postgres:///?service=nobody')).messages[0]).to.include('[nobody]');
  });

  it('writes nothing to stderr beside what the export says, with a password of ~/.pgpass', async () => {
    const { port } = new URL(encrypted.url);
    const file = join(home, '.pgpass');
    writeFileSync(file, `localhost:${port}:*:vitrine:${encrypted.password}\n`, { mode: 0o600 });
    const address = byName(encrypted.url);
    const argv = ['export', 'parties', '--db', demo.db, '--quiet', '--postgres'];
    for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full']) {
      const env = { HOME: home, PGSSLMODE: mode, PGSSLROOTCERT: encrypted.certificate };
      expect(await runProgram([...argv, address], { env })).to.deep.equal({
        exit: 0,
        stdout: '',
        stderr: '',
      });
      const addressWithOptions = `${address}?sslmode=${mode}&sslrootcert=${encrypted.certificate}`;
      const result = await runProgram([...argv, addressWithOptions], { env: { HOME: home } });
      expect(result).to.deep.equal({ exit: 0, stdout: '', stderr: '' });
    }
    const bare = await runProgram([...argv, byName(plain.url)], { env: { HOME: home } });
    expect([bare.exit, bare.stderr]).to.deep.equal([
      10,
      'Error: the database asks for a password\nset PGPASSWORD, or add it to ~/.pgpass, readable only by you (chmod 600)\n',
    ]);
    const unknown = await runProgram([...argv, `${address}?sslmode=verify-full`], { env: { HOME: home } });
    expect(unknown.exit).to.equal(10);
    expect(unknown.stderr).to.include('self-signed certificate\nset sslrootcert=FILE');
    const shown = await runProgram([...argv, open(encrypted)], { env: { HOME: home } });
    expect(shown.exit).to.equal(0);
    expect(shown.stderr).to.equal(
      'warning: the process list shows the password in the address; use PGPASSWORD or ~/.pgpass instead\n',
    );
  });
});
