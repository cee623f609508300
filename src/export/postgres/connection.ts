import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { BadTargetError, HemicycleError, NetworkError, UsageError } from '../../errors.ts';
import { say } from '../../words/speech.ts';

const connectWithinMs = 30_000;

/** The address of a database without user, password and options. */
export function shownAddress(address: string): string {
  const { hostname, port, pathname } = parsed(address);
  return `postgres://${hostname}${port ? `:${port}` : ''}${pathname}`;
}

/** Throws a UsageError that hides the address, as it may hold a password. */
function parsed(address: string): URL {
  const url = /^postgres(ql)?:\/\//.test(address) && URL.canParse(address) ? new URL(address) : null;
  if (url) return url;
  throw new UsageError(
    say`--postgres is not the address of a database`,
    say`write postgres://USER@HOST/DATABASE; the password from PGPASSWORD or ~/.pgpass`,
  );
}

/** Connects to a database; throws a NetworkError if it is unreachable, a BadTargetError if it refuses. */
export async function connect(address: string): Promise<Client> {
  const shown = shownAddress(address);
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: address,
    application_name: 'hemicycle',
    connectionTimeoutMillis: connectWithinMs,
    keepAlive: true,
  });
  // A lost connection rejects the pending query; without a listener the process would crash.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw asTargetError(shown, error);
  }
}

/** Wraps a database error in one that names the database; our own errors pass unchanged. */
export function asTargetError(shown: string, error: unknown): unknown {
  if (error instanceof HemicycleError || !(error instanceof Error)) return error;
  const { code = '', errors } = error as { code?: string; errors?: Error[] };
  const reason = error.message || errors?.[0]?.message || code;
  if (/^[0-9A-Z]{5}$/.test(code)) return new BadTargetError(shown, `${reason} (${code})`, refusedHint);
  const isLost = /^E[A-Z]+$/.test(code) || /terminated|timeout|closed|SSL/i.test(reason);
  return isLost ? new NetworkError(shown, reason, { cause: error }) : error;
}

const refusedHint = say`nothing was written: an export into a database is all done, or not at all`;

const chunkLength = 64 * 1024;

/** Sends lines to a COPY; returns their number. `turn` is called between chunks and may throw. */
export async function copyLines(
  client: Client,
  sql: string,
  { lines, turn }: { lines: Iterable<string>; turn: (count: number) => Promise<void> | undefined },
): Promise<number> {
  const { from } = await import('pg-copy-streams');
  let count = 0;
  async function* chunks() {
    let waiting = '';
    for (const line of lines) {
      waiting += line;
      count += 1;
      if (waiting.length < chunkLength) continue;
      yield Buffer.from(waiting);
      waiting = '';
      await turn(count);
    }
    if (waiting !== '') yield Buffer.from(waiting);
    await turn(count);
  }
  await pipeline(Readable.from(chunks()), client.query(from(sql)));
  return count;
}

/** The same word of a command line, without what an address of a database in it may hold. */
export const withoutPassword = (word: string): string =>
  word.replace(/postgres(ql)?:\/\/\S*/, (address) =>
    URL.canParse(address) ? shownAddress(address) : 'postgres://…',
  );
