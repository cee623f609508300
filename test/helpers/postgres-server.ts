import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { freePort } from './redis-server.ts';

/** A PostgreSQL of its own, empty; its user `vitrine` needs the password. */
export type RunningPostgres = {
  /** The address without a password. */
  url: string;
  password: string;
  /** The file of the certificate, where it has TLS. */
  certificate: string;
  /** The folder of its socket. */
  folder: string;
  /** A connection of whoever looks at what was written. */
  connect(): Promise<pg.Client>;
  stop(): Promise<void>;
};

const versions = '/usr/lib/postgresql';

/** Where the programs of PostgreSQL are, or null where it is not installed. */
const programs = (): string | null =>
  (existsSync(versions) ? readdirSync(versions) : [])
    .map((version) => join(versions, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb'))) ?? null;

/** True where a PostgreSQL is installed. */
export const hasPostgres = (): boolean => programs() !== null;

/** Who runs it: it refuses to be run by root. */
function owner(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const [uid, gid] = ['-u', '-g'].map((which) => Number(spawnSync('id', [which, 'postgres']).stdout));
  return { uid: uid!, gid: gid! };
}

/** Starts a PostgreSQL in a folder of its own, on a free port; where TLS is on, with a certificate that it signed for `localhost`. */
export async function startPostgres({ hasTls = false } = {}): Promise<RunningPostgres> {
  const bin = programs()!;
  const user = owner();
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'hemicycle-postgres-'));
  const password = 'mot-de-passe-secret';
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password);
  chmodSync(passwordFile, 0o644);
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const world = { ...user, cwd: '/', stdio: 'pipe' as const };
  execFileSync(
    join(bin, 'initdb'),
    [
      '-D',
      data,
      '-U',
      'vitrine',
      '-A',
      'scram-sha-256',
      `--pwfile=${passwordFile}`,
      '-E',
      'UTF8',
      '--no-sync',
      '--locale=C',
    ],
    world,
  );
  const certificate = join(folder, 'server.crt');
  if (hasTls) {
    const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=vitrine'];
    const files = ['-keyout', join(folder, 'server.key'), '-out', certificate];
    execFileSync('openssl', [...words, '-addext', 'subjectAltName=DNS:localhost', ...files], world);
  }
  const tls = { ssl: 'on', ssl_cert_file: certificate, ssl_key_file: join(folder, 'server.key') };
  const settings = {
    ...(hasTls ? tls : {}),
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: folder,
    fsync: 'off',
    full_page_writes: 'off',
  };
  const child = spawn(
    join(bin, 'postgres'),
    ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { ...user, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const exited = once(child, 'exit');
  for await (const line of createInterface({ input: child.stderr }))
    if (/ready to accept connections/.test(line)) break;
  child.stderr.resume();
  return {
    url: `postgres://vitrine@127.0.0.1:${port}/postgres`,
    password,
    certificate,
    folder,
    async connect() {
      const client = new pg.Client({
        host: '127.0.0.1',
        port,
        user: 'vitrine',
        password,
        database: 'postgres',
      });
      await client.connect();
      return client;
    },
    async stop() {
      // Fast shutdown, which waits for nobody who is connected.
      child.kill('SIGINT');
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}
