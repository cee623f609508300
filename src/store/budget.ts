import { randomUUID } from 'node:crypto';
import type { Handle } from './mirror.ts';
import { openThrowaway } from './throwaway.ts';

/** The shared account of requests: a sliding log that all processes of this user write to. */
export type Budget = {
  /**
   * Takes one request now and returns 0, or returns the milliseconds to wait before asking again. A person who waits
   * (`isUrgent`) is given the next request that comes free; a sync leaves it to them.
   */
  take(nowMs: number, isUrgent?: boolean): number;
  /** Lets no request of any process start for that long, a day at most. */
  block(nowMs: number, ms: number): void;
  /** Requests that could start now, and until when the service asked us to pause (null if it did not). */
  left(nowMs: number): { requests: number; blockedUntilMs: number | null };
  close(): void;
};

/** Longer than the service's minute, so that clocks and networks that run apart never make it 61. */
const windowMs = 61_000;

/** Longer pauses are cut to a day. */
const longestBlockMs = 86_400_000;

/** No person waits longer; a later end was left by a clock that was set back. */
const longestClaimMs = 3_600_000;

/** How long a person who said to wait is kept a place, beyond that wait: they may be gone. */
const graceMs = 2000;

/** So many requests of a window are kept back for people by a run that is spread. */
const keptBack = (limit: number) => Math.min(2, Math.floor(limit / 10));

/** So many of a window's requests start at once in a run that is spread: what asks for little need not be slow. */
const atOnceOf = (limit: number) => Math.max(12, limit / 4);

export type BudgetOptions = {
  account: string;
  limit: number;
  /**
   * True for a run of many requests, which are then spread over the window: what comes free does so one by one, so that a
   * person beside it waits a second and not for the window's end. A handful is kept back for people.
   */
  isSpread?: boolean;
  /** Told where the file was damaged and had to be made anew. */
  note?: ((text: string) => void) | undefined;
};

/** Opens the budget of one origin and identity; at most `limit` requests start in any 60 s, over all processes. */
export function openBudget(path: string, { note, ...options }: BudgetOptions): Budget {
  const holder = randomUUID();
  const kept = openThrowaway(path, (database) => accountIn(database, holder, options), note);
  return {
    take: (nowMs, isUrgent) => kept.use((account) => account.take(nowMs, isUrgent)),
    block: (nowMs, ms) => kept.use((account) => account.block(nowMs, ms)),
    left: (nowMs) => kept.use((account) => account.left(nowMs)),
    close: () => kept.close(),
  };
}

/** The budget as its database holds it; `holder` is who asks. */
function accountIn(
  database: Handle,
  holder: string,
  { account, limit, isSpread = false }: Omit<BudgetOptions, 'note'>,
): Omit<Budget, 'close'> {
  database.exec(`
    CREATE TABLE IF NOT EXISTS start (account TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
    CREATE INDEX IF NOT EXISTS start_time ON start(account, at);
    CREATE TABLE IF NOT EXISTS pause (
      account TEXT PRIMARY KEY, noted INTEGER NOT NULL, until INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS claim (
      account TEXT NOT NULL, holder TEXT NOT NULL, until INTEGER NOT NULL, PRIMARY KEY (account, holder)
    ) STRICT;
  `);
  // A pause that is noted later than now was noted by a clock that was set back since.
  const blocked = database
    .prepare('SELECT until FROM pause WHERE account = ? AND until > ? AND noted <= ?')
    .pluck();
  const blockedUntil = (nowMs: number) => blocked.get(account, nowMs, nowMs + windowMs) as number | undefined;
  const forget = database.prepare('DELETE FROM start WHERE account = ? AND (at <= ? OR at > ?)');
  const limiting = database
    .prepare('SELECT at FROM start WHERE account = ? ORDER BY at DESC LIMIT 1 OFFSET ?')
    .pluck();
  const add = database.prepare('INSERT INTO start (account, at) VALUES (?, ?)');
  const used = database.prepare(
    'SELECT count(*) AS count, min(at) AS oldest, max(at) AS newest FROM start WHERE account = ? AND at > ?',
  );
  const usedSince = (atMs: number) => used.get(account, atMs) as Used;

  const claims = database
    .prepare('SELECT count(*) FROM claim WHERE account = ? AND holder <> ? AND until > ? AND until <= ?')
    .pluck();
  const claim = database.prepare('INSERT OR REPLACE INTO claim (account, holder, until) VALUES (?, ?, ?)');
  const unclaim = database.prepare('DELETE FROM claim WHERE account = ? AND holder = ?');

  const take = database.transaction((nowMs: number, isUrgent: boolean): number => {
    const waitMs = waitFor(nowMs, isUrgent);
    if (waitMs === 0) add.run(account, nowMs);
    if (!isUrgent) return waitMs;
    if (waitMs === 0) unclaim.run(account, holder);
    else claim.run(account, holder, nowMs + waitMs + graceMs);
    return waitMs;
  });

  function waitFor(nowMs: number, isUrgent: boolean): number {
    const until = blockedUntil(nowMs);
    if (until !== undefined) return until - nowMs;
    // Starts from the future are left by a clock that was set back; they would block for ever. Old ones are kept a while
    // longer for a process that read its clock before this one and waited for the file.
    forget.run(account, nowMs - 2 * windowMs, nowMs + windowMs);
    const claimed = isUrgent ? 0 : (claims.get(account, holder, nowMs, nowMs + longestClaimMs) as number);
    if (claimed >= limit) return graceMs;
    const ours = limit - (isUrgent || !isSpread ? claimed : Math.max(claimed, keptBack(limit)));
    const taken = usedSince(nowMs - windowMs);
    if (taken.count < ours)
      return isUrgent || !isSpread ? 0 : Math.max(0, Math.ceil(spreadStart(taken, ours) - nowMs));
    const oldest = limiting.get(account, ours - 1) as number;
    return Math.max(1, oldest + windowMs - nowMs);
  }

  return {
    take: (nowMs, isUrgent = false) => take.immediate(nowMs, isUrgent),
    block(nowMs, ms) {
      const until = Math.ceil(nowMs + Math.min(ms, longestBlockMs));
      database
        .prepare(
          `INSERT INTO pause (account, noted, until) VALUES (?, ?, ?) ON CONFLICT (account) DO UPDATE SET
           until = CASE WHEN noted > excluded.noted + ? THEN excluded.until ELSE max(until, excluded.until) END,
           noted = excluded.noted`,
        )
        .run(account, Math.floor(nowMs), until, windowMs);
    },
    left(nowMs) {
      return {
        requests: Math.max(0, limit - usedSince(nowMs - windowMs).count),
        blockedUntilMs: blockedUntil(nowMs) ?? null,
      };
    },
  };
}

/** The requests that started within a window: how many, the first and the last. */
type Used = { count: number; oldest: number; newest: number };

/**
 * When the next request of a run that is spread may start, milliseconds: what is left of `ours` lies evenly between the
 * last start and the moment at which the oldest is forgotten. Hardly faster than the even pace, so that a window
 * that began with many at once ends up even, and what was slept too long is made up for.
 */
function spreadStart({ count, oldest, newest }: Used, ours: number): number {
  if (count < atOnceOf(ours)) return 0;
  const evenMs = windowMs / ours;
  return newest + Math.max(evenMs * 0.9, (oldest + windowMs - newest) / (ours - count + 1));
}
