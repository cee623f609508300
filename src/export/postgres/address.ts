import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientConfig } from 'pg';
import { ConfigurationError, UsageError } from '../../errors.ts';
import { maxListBytes, readSection, whyUnreadable } from '../../format/foreign-file.ts';
import { say } from '../../words/speech.ts';

/** The environment variables that libpq reads. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Parses `postgres://…`; throws a UsageError without the address, as it may contain a password. */
function parseAddress(address: string): URL {
  const url = /^postgres(ql)?:\/\//.test(address) ? URL.parse(address) : null;
  if (url) return url;
  throw new UsageError(
    say`--postgres is not the address of a database`,
    say`write postgres://USER@HOST/DATABASE; the password from PGPASSWORD or ~/.pgpass`,
  );
}

/** The address of a database without user, password and options, except `?service=`; for messages. */
export function displayAddress(address: string): string {
  const { hostname, port, pathname, searchParams } = parseAddress(address);
  const service = searchParams.get('service');
  const serviceQuery = service === null ? '' : `?service=${encodeURIComponent(service)}`;
  return `postgres://${hostname}${port ? `:${port}` : ''}${pathname}${serviceQuery}`;
}

/** An argument of a command line, with any database address reduced to `displayAddress`. */
export const hidePassword = (word: string): string =>
  word.replace(/postgres(ql)?:\/\/\S*/, (url) => (URL.canParse(url) ? displayAddress(url) : 'postgres://…'));

/** True for an address with a password, which other users could read in the process list. */
export function containsPassword(address: string): boolean {
  const { password, searchParams } = parseAddress(address);
  return password !== '' || searchParams.has('password');
}

/** Encryptions to try for each `sslmode`, in order: https://www.postgresql.org/docs/current/libpq-ssl.html */
const encryptionsByMode: Record<string, readonly ('tls' | 'plain')[]> = {
  disable: ['plain'],
  allow: ['plain', 'tls'],
  prefer: ['tls', 'plain'],
  require: ['tls'],
  'verify-ca': ['tls'],
  'verify-full': ['tls'],
};

/** The files of a TLS connection, with their default names in `~/.postgresql`. */
const certificates = { sslrootcert: 'root.crt', sslcert: 'postgresql.crt', sslkey: 'postgresql.key' };

/** Configurations to try, in order. Parameters come from the address, else its service, else the environment. */
export async function configurationsFor(address: string, env: Environment): Promise<ClientConfig[]> {
  const url = parseAddress(address);
  const parameters = url.searchParams;
  const service = parameters.get('service') ?? env.PGSERVICE;
  if (service !== undefined) for (const [name, value] of readService(service, env)) addParameter(url, name, value);
  addParameter(url, 'sslmode', env.PGSSLMODE ?? (parameters.get('ssl') === 'true' ? 'require' : 'prefer'));
  const mode = parameters.get('sslmode')!;
  const encryptions = encryptionsByMode[mode];
  if (!encryptions) throw new ConfigurationError(say`sslmode is one of ${Object.keys(encryptionsByMode).join(', ')}`);
  for (const [name, file] of Object.entries(certificates)) {
    const defaultPath = join(env.HOME ?? '', '.postgresql', file);
    addParameter(url, name, env[`PG${name.toUpperCase()}`] ?? (existsSync(defaultPath) ? defaultPath : undefined));
    const path = parameters.get(name);
    const reason = path === null ? null : whyUnreadable(path, maxListBytes);
    if (reason !== null) throw new ConfigurationError(say`${name}: ${path!}: ${reason}`);
  }
  if (mode === 'verify-ca' && !parameters.has('sslrootcert'))
    throw new ConfigurationError(say`sslmode=verify-ca needs the certificate of an authority`, trustHint);
  const { parse, toClientConfig } = await import('pg-connection-string');
  const config = toClientConfig(parse(url.href, { useLibpqCompat: true }));
  // A Unix socket has no TLS.
  const isSocket = (config.host || env.PGHOST || '').startsWith('/');
  const configOf = (encryption: string) => (encryption === 'tls' ? config : { ...config, ssl: false });
  return (isSocket ? ['plain'] : encryptions).map(configOf);
}

/** The advice for an untrusted certificate. */
export const trustHint = say`set sslrootcert=FILE in the address, or PGSSLROOTCERT; sslmode=require encrypts without asking who it is`;

/** Sets a connection parameter, unless the URL has it already or the value is undefined. */
function addParameter(url: URL, name: string, value: string | undefined): void {
  const { hostname: host, port, username: user, password, pathname } = url;
  const fields: Record<string, string> = { host, port, user, password, dbname: pathname.slice(1) };
  if (value === undefined || fields[name] || url.searchParams.has(name)) return;
  if (name === 'dbname') url.pathname = `/${encodeURI(value)}`;
  else url.searchParams.set(name, value);
}

/** Parameters in a section of a service file: https://www.postgresql.org/docs/current/libpq-pgservice.html */
function readService(name: string, env: Environment): [string, string][] {
  const userFile = env.PGSERVICEFILE ?? join(env.HOME ?? '', '.pg_service.conf');
  for (const path of [userFile, join(env.PGSYSCONFDIR ?? '/etc/postgresql-common', 'pg_service.conf')]) {
    const section = readSection(path, name);
    if (section !== null) return Object.entries(section);
  }
  throw new ConfigurationError(
    say`no service file has a section [${name}]`,
    say`add it to ~/.pg_service.conf, or set PGSERVICEFILE to another file`,
  );
}
