import { openStateDatabase } from './open.ts';

/** The shared account of requests: a sliding log that all processes of this user write to. */
export type Budget = {
  /** Takes one request now and returns 0, or returns the milliseconds to wait before asking again. */
  take(nowMs: number): number;
  /** Lets no request of any process start before that moment. */
  block(untilMs: number): void;
  /** Requests that could start now, and until when the service asked us to pause (null if it did not). */
  left(nowMs: number): { requests: number; blockedUntilMs: number | null };
  close(): void;
};

/** Longer than the service's minute, so that clocks and networks that run apart never make it 61. */
const windowMs = 61_000;

/** Opens the budget of one origin and identity; at most `limit` requests start in any 60 s, over all processes. */
export function openBudget(path: string, { account, limit }: { account: string; limit: number }): Budget {
  const database = openStateDatabase(path);
  database.exec(`
    CREATE TABLE IF NOT EXISTS start (account TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
    CREATE INDEX IF NOT EXISTS start_time ON start(account, at);
    CREATE TABLE IF NOT EXISTS block (account TEXT PRIMARY KEY, until INTEGER NOT NULL) STRICT;
  `);
  const blocked = database.prepare('SELECT until FROM block WHERE account = ? AND until > ?').pluck();
  const forget = database.prepare('DELETE FROM start WHERE account = ? AND (at <= ? OR at > ?)');
  const limiting = database
    .prepare('SELECT at FROM start WHERE account = ? ORDER BY at DESC LIMIT 1 OFFSET ?')
    .pluck();
  const add = database.prepare('INSERT INTO start (account, at) VALUES (?, ?)');
  const used = database.prepare('SELECT count(*) FROM start WHERE account = ? AND at > ?').pluck();

  const take = database.transaction((nowMs: number): number => {
    const until = blocked.get(account, nowMs) as number | undefined;
    if (until !== undefined) return until - nowMs;
    // Starts from the future are left by a clock that was set back; they would block for ever.
    forget.run(account, nowMs - windowMs, nowMs + windowMs);
    const oldest = limiting.get(account, limit - 1) as number | undefined;
    if (oldest !== undefined) return Math.max(1, oldest + windowMs - nowMs);
    add.run(account, nowMs);
    return 0;
  });

  return {
    take: (nowMs) => take.immediate(nowMs),
    block(untilMs) {
      database
        .prepare(
          'INSERT INTO block VALUES (?, ?) ON CONFLICT (account) DO UPDATE SET until = max(until, excluded.until)',
        )
        .run(account, Math.ceil(untilMs));
    },
    left(nowMs) {
      const taken = used.get(account, nowMs - windowMs) as number;
      return {
        requests: Math.max(0, limit - taken),
        blockedUntilMs: (blocked.get(account, nowMs) as number | undefined) ?? null,
      };
    },
    close: () => database.close(),
  };
}
