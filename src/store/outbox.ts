import { hash } from 'node:crypto';
import type { Document } from '../model/document.ts';
import { bookTransaction, type WatchBook } from './watch-book.ts';
import { deleteUnusedContents, type Watch } from './watches.ts';

/** A change that a watch noticed, as stored in the table `told`. */
export type NoticedChange = {
  seq: number;
  at: string;
  /** 1, or the number of further changes of a run that were only counted, not stored. */
  count: number;
  change: Document;
};

/** States of a message; `dead` if it was given up. */
export const messageStates = ['waiting', 'delivered', 'dead'] as const;

/** One message of a channel: the changes of its watch whose `seq` is `first` to `last`. */
export type Message = Record<'id' | 'channel' | 'first' | 'last' | 'attempts', number> &
  Record<'made_at' | 'next_at', string> & {
    /** Idempotency key, the same for every attempt. */
    key: string;
    state: (typeof messageStates)[number];
    error: string | null;
  };

/** Saves noticed changes in order; creates no messages yet. */
export function saveChanges(
  book: WatchBook,
  watch: number,
  at: string,
  changes: Iterable<{ change: Document; count: number }>,
): void {
  const add = book.sql('INSERT INTO told (watch, at, count, json) VALUES (?, ?, ?, ?)');
  for (const { change, count } of changes) add.run(watch, at, count, JSON.stringify(change));
}

function selectChanges(book: WatchBook, condition: string, parameters: number[]): NoticedChange[] {
  const sql = `SELECT seq, at, count, json FROM told WHERE watch = ? ${condition} LIMIT ?`;
  const rows = book.sql<Omit<NoticedChange, 'change'> & { json: string }>(sql).all(parameters);
  return rows.map(({ json, ...row }) => ({ ...row, change: JSON.parse(json) }));
}

/** The first `limit` changes of a message, `total` of all, and `part`: its number among messages created at once. */
export function messageContents(
  book: WatchBook,
  watch: number,
  { message, limit }: { message: Message; limit: number },
) {
  const { first, last, channel, made_at } = message;
  const changes = selectChanges(book, 'AND seq BETWEEN ? AND ? ORDER BY seq', [watch, first, last, limit]);
  const totalSql = 'SELECT coalesce(sum(count), 0) FROM told WHERE watch = ? AND seq BETWEEN ? AND ?';
  const total = book.column<number>(totalSql).get(watch, first, last)!;
  const partSql = 'SELECT sum(first <= ?) AS number, count(*) AS "of" FROM message WHERE channel = ? AND made_at = ?';
  return { changes, total, part: book.sql<{ number: number; of: number }>(partSql).get(first, channel, made_at)! };
}

/** The newest changes of a watch, newest first. */
export function newestChanges(book: WatchBook, watch: number, limit: number): NoticedChange[] {
  return selectChanges(book, 'ORDER BY seq DESC', [watch, limit]);
}

/** The `seq` of the newest change of a watch; 0 for none. */
export function newestSeq(book: WatchBook, watch: number): number {
  return book.column<number | null>('SELECT max(seq) FROM told WHERE watch = ?').get(watch) ?? 0;
}

/** Marks changes up to `seq` as put into messages of a channel. */
export function markBundled(book: WatchBook, channel: number, seq: number): void {
  book.sql('UPDATE channel SET bundled = max(bundled, ?) WHERE id = ?').run(seq, channel);
}

/** In a transaction: bundles changes into messages of at most `maxPerMessage`; daily digests wait for the day's end. */
export function createMessages(
  book: WatchBook,
  { id, uid, digest, channels }: Watch,
  { at, maxPerMessage }: { at: string; maxPerMessage: ReadonlyMap<string, number> },
): void {
  const sql = `SELECT min(seq) AS first, max(seq) AS last FROM (
      SELECT seq, day, (row_number() OVER (PARTITION BY day ORDER BY seq) - 1) / $maxChanges AS part FROM (
        SELECT seq, iif($isPerRun, '', substr(at, 1, 10)) AS day FROM told
        WHERE watch = $id AND seq > $bundled AND ($isPerRun OR substr(at, 1, 10) < $today)))
    GROUP BY day, part ORDER BY 1`;
  const rangesStatement = book.sql<{ first: number; last: number }>(sql);
  const add = book.sql(
    `INSERT INTO message (channel, key, first, last, made_at, state, next_at) VALUES (?, ?, ?, ?, ?, 'waiting', ?)`,
  );
  const isPerRun = digest === 'run' ? 1 : 0;
  for (const channel of channels) {
    const maxChanges = maxPerMessage.get(channel.kind);
    if (channel.disabledAt !== null || maxChanges === undefined) continue;
    // `maxChanges` is a BigInt: SQLite binds a number as REAL, whose division is not integral.
    const range = { id, isPerRun, bundled: channel.bundled, today: at.slice(0, 10) };
    for (const { first, last } of rangesStatement.all({ ...range, maxChanges: BigInt(maxChanges) })) {
      const messageHash = hash('sha256', JSON.stringify([uid, channel.uid, first, last]), 'hex');
      add.run(channel.id, `msg_${messageHash.slice(0, 32)}`, first, last, at, at);
      markBundled(book, channel.id, last);
    }
  }
}

/** Closes a channel whose receiver no longer exists; its waiting messages become dead. */
export function closeChannel(book: WatchBook, channel: number, at: string): void {
  book.sql('UPDATE channel SET gone_at = ? WHERE id = ?').run(at, channel);
  book.sql("UPDATE message SET state = 'dead', ended_at = ? WHERE channel = ? AND state = 'waiting'").run(at, channel);
}

/** Messages of a channel due by `at`, oldest first; none overtakes an older message that is due later. */
export function dueMessages(book: WatchBook, channel: number, at: string): Message[] {
  const sql = `SELECT * FROM message WHERE channel = @channel AND state = 'waiting' AND next_at <= @at
    AND first < coalesce((SELECT min(first) FROM message
      WHERE channel = @channel AND state = 'waiting' AND next_at > @at), first + 1)
    ORDER BY first`;
  return book.sql<Message>(sql).all({ channel, at });
}

/** True if a message of an active watch is due by `at`. */
export function hasDueMessage(book: WatchBook, at: string): boolean {
  const sql = `SELECT 1 FROM message JOIN channel ON channel.id = message.channel JOIN watch ON watch.id = channel.watch
    WHERE state = 'waiting' AND next_at <= ? AND paused_at IS NULL LIMIT 1`;
  return book.column<number>(sql).get(at) !== undefined;
}

/** Number of messages in a state, of one watch or of all. */
export function countMessages(book: WatchBook, state: Message['state'], watch: number | null = null): number {
  const sql = `SELECT count(*) FROM message JOIN channel ON channel.id = message.channel
    WHERE state = ? AND channel.watch = coalesce(?, channel.watch)`;
  return book.column<number>(sql).get(state, watch)!;
}

/** Creation time of the oldest waiting message, ISO 8601; null for none. */
export function oldestWaitingAt(book: WatchBook): string | null {
  return book.column<string | null>("SELECT min(made_at) FROM message WHERE state = 'waiting'").get() ?? null;
}

type Delivery = { state: Message['state']; at: string; nextAt?: string; error?: string | null };

/** Saves the result of an attempt: delivered, to be retried at `nextAt`, or dead. */
export function saveDelivery(book: WatchBook, { id }: Pick<Message, 'id'>, delivery: Delivery): void {
  const { state, at, nextAt = at, error = null } = delivery;
  const sql = `UPDATE message SET state = ?, attempts = attempts + 1, next_at = ?, error = ?,
    ended_at = CASE ? WHEN 'waiting' THEN NULL ELSE ? END WHERE id = ?`;
  bookTransaction(book, () => book.sql(sql).run(state, nextAt, error, state, at, id));
}

/** Requeues all dead messages and reopens closed channels; returns the number of messages. */
export function reviveDeadMessages(book: WatchBook, at: string): number {
  return bookTransaction(book, () => {
    book.sql('UPDATE channel SET gone_at = NULL WHERE gone_at IS NOT NULL').run();
    return book.sql(`${requeueSql} WHERE state = 'dead'`).run(at).changes;
  });
}

const requeueSql = "UPDATE message SET state = 'waiting', attempts = 0, next_at = ?, error = NULL, ended_at = NULL";

/** Requeues one message in any state. */
export function requeue(book: WatchBook, id: number, at: string): void {
  bookTransaction(book, () => book.sql(`${requeueSql} WHERE id = ?`).run(at, id));
}

type LoggedMessage = Message &
  Record<'watch' | 'kind' | 'target', string> & { ended_at: string | null; changes: number };

/** The newest messages of one watch or of all, newest first; only those with `key` if given. */
export function newestMessages(
  book: WatchBook,
  { watch, key = null, limit }: { watch: number | null; key?: string | null; limit: number },
): LoggedMessage[] {
  const sql = `SELECT message.*, watch.name AS watch, channel.kind, channel.target,
      (SELECT coalesce(sum(count), 0) FROM told
       WHERE told.watch = watch.id AND seq BETWEEN message.first AND message.last) AS changes
    FROM message JOIN channel ON channel.id = message.channel JOIN watch ON watch.id = channel.watch
    WHERE watch.id = coalesce(?, watch.id) AND key = coalesce(?, key) ORDER BY message.id DESC LIMIT ?`;
  return book.sql<LoggedMessage>(sql).all(watch, key, limit);
}

const retainedChanges = 1000; // of each watch, for feeds
const retainedDays = 30; // for delivered messages

/** Deletes old delivered messages, old changes that neither a message nor a feed needs, and unused contents. */
export function pruneChanges(book: WatchBook, watches: number[], nowMs: number): void {
  const endOfRetention = new Date(nowMs - retainedDays * 86_400_000).toISOString();
  const messages = book.sql(`DELETE FROM message WHERE state = 'delivered' AND ended_at < ?
    AND channel IN (SELECT id FROM channel WHERE watch = ?)`);
  const changes = book.sql(`DELETE FROM told WHERE watch = @watch
    AND seq <= coalesce((SELECT seq FROM told WHERE watch = @watch ORDER BY seq DESC LIMIT 1 OFFSET @offset), 0)
    AND seq <= coalesce((SELECT min(bundled) FROM channel WHERE watch = @watch AND gone_at IS NULL), seq)
    AND seq < coalesce((SELECT min(first) FROM message JOIN channel ON channel.id = message.channel
      WHERE channel.watch = @watch), seq + 1)`);
  bookTransaction(book, () => {
    for (const watch of watches) {
      messages.run(endOfRetention, watch);
      changes.run({ watch, offset: retainedChanges });
    }
    deleteUnusedContents(book);
  });
}
