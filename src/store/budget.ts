import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { HemicycleError, NoStateError, tooManyFiles } from '../errors.ts';
import { say, verbatim } from '../words/speech.ts';
import { fileIdentity } from './file-state.ts';
import { closeOnError, createStatements, type Handle } from './mirror.ts';
import { openFilesError } from './mirror-errors.ts';
import { openStateDatabase } from './open.ts';

/** The request budget that all processes of a user share: recent requests, pauses, and claims of waiting commands. */
export type Budget = ReturnType<typeof openBudget>;

/** Window of the request limit: longer than the service's minute, to allow for clock and network differences. */
const windowMs = 61_000;

const maxBlockMs = 86_400_000; // a day

/** Claims (one reserved request each) that end later than this from now are ignored: the clock was set back. */
const maxClaimMs = 3_600_000;

/** A claim expires this long after the wait of its command, since the process may have ended. */
const claimGraceMs = 2000;

/** Requests per window that a spread run reserves for commands. */
const reservedRequests = (limit: number) => Math.min(2, Math.floor(limit / 10));

/** Requests that a spread run may start in a window without delay, so that short runs are fast. */
const burstSize = (limit: number) => Math.max(12, limit / 4);

export type BudgetOptions = {
  account: string; // origin and identity that share a limit
  limit: number; // requests per window
  /** True for long runs: requests are spread over the window, so that a concurrent command waits only a second. */
  spreadsRequests?: boolean;
  /** Receives a note if a damaged file was recreated. */
  note?: ((text: string) => void) | undefined;
};

/** Opens the budget of one account; at most `limit` requests start in any 60 s, over all processes. */
export function openBudget(path: string, { note, ...options }: BudgetOptions) {
  const claimHolder = randomUUID();
  let connection: { database: Handle; account: Account; file: string } | null = null;

  function openConnection(): Account {
    connection ??= closeOnError(openStateDatabase(path), (database) => {
      return { database, account: openAccount(database, claimHolder, options), file: fileIdentity(path) };
    });
    return connection.account;
  }

  function removeDamagedFile(): void {
    const isReplaced = connection !== null && connection.file !== fileIdentity(path);
    connection?.database.close();
    connection = null;
    if (isReplaced) return;
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
    note?.(`${path} was damaged and is made anew; nothing is lost but the count of the last minute's requests`);
  }

  /** Runs `work`, recreating a damaged file. Throws a NoStateError that names the file. */
  function withAccount<Result>(work: (account: Account) => Result, isRetry = false): Result {
    try {
      if (isRetry) removeDamagedFile();
      return work(openConnection());
    } catch (error) {
      // SQLite cannot read the content, or it has other tables.
      const isDamage = /^SQLITE_(NOTADB|CORRUPT.*|ERROR|SCHEMA|FORMAT)$/.test(
        String((error as { code?: unknown }).code),
      );
      if (isRetry || !isDamage) throw asStateError(path, error);
      return withAccount(work, true);
    }
  }

  withAccount(() => {});
  return {
    /** Logs a request and returns 0, else the milliseconds to wait; an urgent caller (a command) then saves a claim. */
    take: (nowMs: number, isUrgent?: boolean) => withAccount((account) => account.take(nowMs, isUrgent)),
    /** Pauses the requests of the account in all processes, for `ms` but a day at most. */
    block: (nowMs: number, ms: number) => withAccount((account) => account.block(nowMs, ms)),
    unblock: () => withAccount((account) => account.unblock()),
    /** Requests that could start now, and the end of a pause requested by the service, or null. */
    readAvailability: (nowMs: number) => withAccount((account) => account.readAvailability(nowMs)),
    close: () => void connection?.database.close(),
  };
}

type Account = ReturnType<typeof openAccount>;

function openAccount(
  database: Handle,
  claimHolder: string,
  { account, limit, spreadsRequests = false }: Omit<BudgetOptions, 'note'>,
) {
  database.exec(`
    CREATE TABLE IF NOT EXISTS start (account TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
    CREATE INDEX IF NOT EXISTS start_time ON start(account, at);
    CREATE TABLE IF NOT EXISTS pause (account TEXT PRIMARY KEY, noted INTEGER NOT NULL, until INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS claim (
      account TEXT NOT NULL, holder TEXT NOT NULL, until INTEGER NOT NULL, PRIMARY KEY (account, holder)
    ) STRICT;
  `);
  const { sql, column } = createStatements(() => database);
  // A pause noted in the future comes from a clock that was set back: ignore it.
  const blockEndStatement = column<number>('SELECT until FROM pause WHERE account = ? AND until > ? AND noted <= ?');
  const blockedUntil = (nowMs: number) => blockEndStatement.get(account, nowMs, nowMs + windowMs);
  const deleteExpiredStarts = sql('DELETE FROM start WHERE account = ? AND (at <= ? OR at > ?)');
  const nthNewestStart = column<number>('SELECT at FROM start WHERE account = ? ORDER BY at DESC LIMIT 1 OFFSET ?');
  const insertStart = sql('INSERT INTO start (account, at) VALUES (?, ?)');
  const usageStatement = sql<Usage>(
    'SELECT count(*) AS count, min(at) AS oldest, max(at) AS newest FROM start WHERE account = ? AND at > ?',
  );
  const usageSince = (atMs: number) => usageStatement.get(account, atMs)!;
  const claimCountStatement = column<number>(
    'SELECT count(*) FROM claim WHERE account = ? AND holder <> ? AND until > ? AND until <= ?',
  );
  const saveClaim = sql('INSERT OR REPLACE INTO claim (account, holder, until) VALUES (?, ?, ?)');
  const deleteClaim = sql('DELETE FROM claim WHERE account = ? AND holder = ?');

  const take = database.transaction((nowMs: number, isUrgent: boolean): number => {
    const waitMs = computeWaitMs(nowMs, isUrgent);
    if (waitMs === 0) insertStart.run(account, nowMs);
    if (!isUrgent) return waitMs;
    if (waitMs === 0) deleteClaim.run(account, claimHolder);
    else saveClaim.run(account, claimHolder, nowMs + waitMs + claimGraceMs);
    return waitMs;
  });

  function computeWaitMs(nowMs: number, isUrgent: boolean): number {
    const blockEndMs = blockedUntil(nowMs);
    if (blockEndMs !== undefined) return blockEndMs - nowMs;
    // Future starts (clock set back) would block for ever. Keep two windows: a caller may pass an older `nowMs`.
    deleteExpiredStarts.run(account, nowMs - 2 * windowMs, nowMs + windowMs);
    const claimCount = isUrgent ? 0 : claimCountStatement.get(account, claimHolder, nowMs, nowMs + maxClaimMs)!;
    if (claimCount >= limit) return claimGraceMs;
    const isSpread = spreadsRequests && !isUrgent;
    const ownLimit = limit - (isSpread ? Math.max(claimCount, reservedRequests(limit)) : claimCount);
    const usage = usageSince(nowMs - windowMs);
    if (usage.count >= ownLimit) return Math.max(1, nthNewestStart.get(account, ownLimit - 1)! + windowMs - nowMs);
    if (!isSpread) return 0;
    // After a pause that ended within the last hour, the service may allow no burst.
    const wasPaused = blockEndStatement.get(account, nowMs - 60 * windowMs, nowMs + windowMs) !== undefined;
    if (usage.count < (wasPaused ? 1 : burstSize(ownLimit))) return 0;
    return Math.max(0, Math.ceil(spreadStart(usage, ownLimit) - nowMs));
  }

  return {
    take: (nowMs: number, isUrgent = false) => take.immediate(nowMs, isUrgent),
    block(nowMs: number, ms: number) {
      const until = Math.ceil(nowMs + Math.min(ms, maxBlockMs));
      sql(
        `INSERT INTO pause (account, noted, until) VALUES (?, ?, ?) ON CONFLICT (account) DO UPDATE SET
         until = CASE WHEN noted > excluded.noted + ? THEN excluded.until ELSE max(until, excluded.until) END,
         noted = excluded.noted`,
      ).run(account, Math.floor(nowMs), until, windowMs);
    },
    unblock: () => void sql('DELETE FROM pause WHERE account = ?').run(account),
    readAvailability: (nowMs: number) => ({
      requests: Math.max(0, limit - usageSince(nowMs - windowMs).count),
      blockedUntilMs: blockedUntil(nowMs) ?? null,
    }),
  };
}

type Usage = { count: number; oldest: number; newest: number };

/** Time of the next spread request: evenly spaced until the oldest start expires, at most 10 % above the even rate. */
function spreadStart({ count, oldest, newest }: Usage, ownLimit: number): number {
  return newest + Math.max((windowMs / ownLimit) * 0.9, (oldest + windowMs - newest) / (ownLimit - count + 1));
}

function asStateError(path: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (error instanceof HemicycleError || (syscall === undefined && !code?.startsWith('SQLITE_'))) return error;
  if (code?.startsWith('SQLITE_CANTOPEN') && openFilesError(path, error))
    return new NoStateError(path, tooManyFiles.reason, tooManyFiles.hint);
  const isFull = /^(SQLITE_FULL|ENOSPC|EDQUOT)$/.test(code ?? '');
  const hint = say`free some space there, or set XDG_STATE_HOME to a folder on another disk; no request was sent to the service`;
  return new NoStateError(path, isFull ? say`the disk is full` : verbatim(code ?? ''), isFull ? hint : null);
}
