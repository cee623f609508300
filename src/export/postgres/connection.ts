import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client, ClientConfig } from 'pg';
import { BadTargetError, ConfigurationError, HemicycleError, NetworkError } from '../../errors.ts';
import { chunksOf } from '../../format/text-lines.ts';
import { isLoopback } from '../../service/public-address.ts';
import { type Phrase, say, verbatim } from '../../words/speech.ts';
import { configurationsFor, displayAddress, type Environment, trustHint } from './address.ts';

const connectTimeoutMs = 30_000;

/** The environment variables of libpq; `warn` receives a warning about an unencrypted connection. */
export type ConnectionOptions = { env: Environment; warn: (line: Phrase) => void };

/** Connects to a database; throws a NetworkError if it is unreachable, a BadTargetError if it refuses the client. */
export async function connect(address: string, { env, warn }: ConnectionOptions): Promise<Client> {
  const displayName = displayAddress(address);
  const configs = await configurationsFor(address, env);
  const client = await connectFirst(configs, env).catch((error: unknown) => {
    throw asTargetError(displayName, error);
  });
  if (configs[0]!.ssl && !client.ssl && !isLoopback(client.host))
    warn(
      say`warning: ${displayName} does not use TLS: the connection is not encrypted; to prevent this, use sslmode=require`,
    );
  return client;
}

/** Tries configurations in order; only an error about encryption leads to the next one. */
async function connectFirst([config, ...otherConfigs]: ClientConfig[], env: Environment): Promise<Client> {
  const { default: pg } = await import('pg');
  const client: Client = new pg.Client({
    ...config,
    password: config!.password || env.PGPASSWORD || (() => readPassword(client)),
    application_name: 'hemicycle',
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
  });
  // A lost connection rejects the pending query; without a listener the process would crash.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    if (otherConfigs.length > 0 && isEncryptionError(error)) return connectFirst(otherConfigs, env);
    throw error;
  }
}

/** The password from `~/.pgpass`, which the next version of pg will no longer read. */
async function readPassword(client: Client): Promise<string> {
  const { default: pgpass } = await import('pgpass');
  const password = await new Promise<string | undefined>((resolve) => pgpass(client, resolve));
  if (password !== undefined) return password;
  throw new ConfigurationError(
    say`the database asks for a password`,
    say`set PGPASSWORD, or add it to ~/.pgpass, readable only by you (chmod 600)`,
  );
}

/** True if a retry with or without TLS may succeed: the server has no TLS, or its rules refuse this client (28000). */
const isEncryptionError = (error: unknown) =>
  error instanceof Error &&
  (/does not support SSL/.test(error.message) || (error as { code?: string }).code === '28000');

/** Converts a database error to a BadTargetError or NetworkError that names it; returns other errors unchanged. */
export function asTargetError(displayName: string, error: unknown): unknown {
  if (error instanceof HemicycleError || !(error instanceof Error)) return error;
  const { code = '', errors } = error as { code?: string; errors?: Error[] };
  const reason = error.message || errors?.[0]?.message || code;
  if (/^[0-9A-Z]{5}$/.test(code)) return new BadTargetError(displayName, verbatim(`${reason} (${code})`), refusedHint);
  // Node appends advice for programmers after a semicolon.
  if (/CERT|VERIFY/.test(code))
    return new BadTargetError(displayName, say`its certificate is not trusted: ${reason.split(';')[0]!}`, trustHint);
  const isLost = /^E[A-Z]+$/.test(code) || /terminated|timeout|closed|SSL/i.test(reason);
  return isLost ? new NetworkError(displayName, verbatim(reason), { cause: error }) : error;
}

const refusedHint = say`nothing was written: a database export is a single transaction`;

/** Runs `work` in a transaction, which `begin` opens; rolls it back if `work` throws. */
export async function inTransaction<Result>(client: Client, work: () => Promise<Result>, begin = 'BEGIN') {
  await client.query(begin);
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** Sends lines to a COPY; calls `afterChunk` with the number of lines so far, and fails if that throws. */
export async function copyLines(
  client: Client,
  sql: string,
  { lines, afterChunk }: { lines: Iterable<string>; afterChunk: (count: number) => Promise<void> | undefined },
): Promise<void> {
  const { from } = await import('pg-copy-streams');
  let count = 0;
  const countedLines = Iterator.from(lines).map((line) => {
    count += 1;
    return line;
  });
  async function* chunks() {
    for (const chunk of chunksOf(countedLines)) {
      yield Buffer.from(chunk);
      await afterChunk(count);
    }
  }
  await pipeline(Readable.from(chunks()), client.query(from(sql)));
}
