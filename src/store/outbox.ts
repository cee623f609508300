import { hash } from 'node:crypto';
import type { Document } from '../model/document.ts';
import { type Channel, inOneStep, type Watch, type WatchBook } from './watches.ts';

/** A change that a watch noticed, immutable. */
export type NoticedChange = {
  seq: number;
  /** When the watch noticed it, ISO 8601. */
  at: string;
  /** How many changes it stands for: more than one where a run brought more than are kept one by one. */
  count: number;
  change: Document;
};

/** One message of a channel: the changes of its watch from `first` to `last`. */
export type Message = {
  id: number;
  channel: number;
  /** Idempotency key, the same for every attempt. */
  key: string;
  first: number;
  last: number;
  made_at: string;
  state: 'waiting' | 'delivered' | 'dead';
  attempts: number;
  next_at: string;
  error: string | null;
};

/** Notes changes as noticed, in their order; nothing is told yet. */
export function saveChanges(
  { database }: WatchBook,
  watch: number,
  at: string,
  changes: Iterable<{ change: Document; count: number }>,
): void {
  const add = database.prepare('INSERT INTO told (watch, at, count, json) VALUES (?, ?, ?, ?)');
  for (const { change, count } of changes) add.run(watch, at, count, JSON.stringify(change));
}

type StoredTold = { seq: number; at: string; count: number; json: string };

const toldOf = ({ json, ...rest }: StoredTold): NoticedChange => ({ ...rest, change: JSON.parse(json) });

/** The changes of a watch from one number to another, in their order, so many at most. */
export function noticedBetween(
  { database }: WatchBook,
  watch: number,
  { first, last, limit }: { first: number; last: number; limit: number },
): NoticedChange[] {
  return database
    .prepare<unknown[], StoredTold>(
      'SELECT seq, at, count, json FROM told WHERE watch = ? AND seq BETWEEN ? AND ? ORDER BY seq LIMIT ?',
    )
    .all(watch, first, last, limit)
    .map(toldOf);
}

/** How many changes stand between two numbers. */
export function countChanges(
  { database }: WatchBook,
  watch: number,
  { first, last }: { first: number; last: number },
): number {
  return database
    .prepare<unknown[], number>(
      'SELECT coalesce(sum(count), 0) FROM told WHERE watch = ? AND seq BETWEEN ? AND ?',
    )
    .pluck()
    .get(watch, first, last)!;
}

/** The newest changes of a watch, the newest first. */
export function newestChanges({ database }: WatchBook, watch: number, limit: number): NoticedChange[] {
  return database
    .prepare<unknown[], StoredTold>(
      'SELECT seq, at, count, json FROM told WHERE watch = ? ORDER BY seq DESC LIMIT ?',
    )
    .all(watch, limit)
    .map(toldOf);
}

/** The number of the newest change of a watch; 0 for none. */
export function newestSeq({ database }: WatchBook, watch: number): number {
  return (
    database
      .prepare<unknown[], number | null>('SELECT max(seq) FROM told WHERE watch = ?')
      .pluck()
      .get(watch) ?? 0
  );
}

/** Notes that a channel has, or will be told in messages, all changes up to that number. */
export function saveBundled({ database }: WatchBook, channel: number, seq: number): void {
  database.prepare('UPDATE channel SET bundled = max(bundled, ?) WHERE id = ?').run(seq, channel);
}

/**
 * Makes a message for each channel of what its watch noticed and it was not to tell yet; with a digest by day, one for
 * each day that is over. To be called in the step that notes the changes, or any later one.
 */
export function createMessages(
  { database }: WatchBook,
  { id, uid, digest, channels }: Watch,
  at: string,
): void {
  const ends = database.prepare<unknown[], { first: number; last: number }>(
    `SELECT min(seq) AS first, max(seq) AS last FROM told WHERE watch = ? AND seq > ? AND (? OR substr(at, 1, 10) < ?)
     GROUP BY CASE ? WHEN 1 THEN '' ELSE substr(at, 1, 10) END ORDER BY 1`,
  );
  const add = database.prepare(
    `INSERT INTO message (channel, key, first, last, made_at, state, next_at) VALUES (?, ?, ?, ?, ?, 'waiting', ?)`,
  );
  const isEach = digest === 'run' ? 1 : 0;
  for (const channel of channels) {
    for (const { first, last } of ends.all(id, channel.bundled, isEach, at.slice(0, 10), isEach)) {
      add.run(channel.id, messageKey(uid, channel, first, last), first, last, at, at);
      saveBundled({ database } as WatchBook, channel.id, last);
    }
  }
}

function messageKey(watch: string, { uid }: Channel, first: number, last: number): string {
  return `msg_${hash('sha256', JSON.stringify([watch, uid, first, last]), 'hex').slice(0, 32)}`;
}

/**
 * The messages of a channel that are to be sent by that moment, the oldest first; none that would be told before an older
 * one that waits longer.
 */
export function dueMessages({ database }: WatchBook, channel: number, at: string): Message[] {
  return database
    .prepare<unknown[], Message>(
      `SELECT * FROM message WHERE channel = @channel AND state = 'waiting' AND next_at <= @at
       AND first < coalesce((SELECT min(first) FROM message
         WHERE channel = @channel AND state = 'waiting' AND next_at > @at), first + 1)
       ORDER BY first`,
    )
    .all({ channel, at });
}

/** How many messages of a watch, or of all, are in a state. */
export function countMessages(
  { database }: WatchBook,
  state: Message['state'],
  watch: number | null = null,
): number {
  return database
    .prepare<unknown[], number>(
      `SELECT count(*) FROM message JOIN channel ON channel.id = message.channel
       WHERE state = ? AND channel.watch = coalesce(?, channel.watch)`,
    )
    .pluck()
    .get(state, watch)!;
}

/** Dead messages with the name of their watch, oldest first. */
export function deadMessages(
  { database }: WatchBook,
  limit: number,
): (Message & { watch: string; kind: string; target: string })[] {
  return database
    .prepare<unknown[], Message & { watch: string; kind: string; target: string }>(
      `SELECT message.*, watch.name AS watch, channel.kind, channel.target FROM message
       JOIN channel ON channel.id = message.channel JOIN watch ON watch.id = channel.watch
       WHERE state = 'dead' ORDER BY message.id LIMIT ?`,
    )
    .all(limit);
}

/** Notes how sending a message ended: delivered, to be tried again at a moment, or given up. */
export function saveDelivery(
  book: WatchBook,
  { id }: Pick<Message, 'id'>,
  {
    state,
    at,
    nextAt = at,
    error = null,
  }: { state: Message['state']; at: string; nextAt?: string; error?: string | null },
): void {
  inOneStep(book, () =>
    book.database
      .prepare(
        `UPDATE message SET state = ?, attempts = attempts + 1, next_at = ?, error = ?,
         ended_at = CASE ? WHEN 'waiting' THEN NULL ELSE ? END WHERE id = ?`,
      )
      .run(state, nextAt, error, state, at, id),
  );
}

/** Requeues every dead message; returns how many. */
export function reviveDead(book: WatchBook, at: string): number {
  return inOneStep(
    book,
    () =>
      book.database
        .prepare(
          "UPDATE message SET state = 'waiting', attempts = 0, next_at = ?, ended_at = NULL WHERE state = 'dead'",
        )
        .run(at).changes,
  );
}

/** So many of the newest changes of a watch stay, for feeds, and messages that were delivered so many days. */
const [keptChanges, keptDays] = [1000, 30];

/** Forgets what was told long ago: what a channel has not told yet stays, and what feeds show. */
export function pruneChanges(book: WatchBook, watch: number, nowMs: number): void {
  const before = new Date(nowMs - keptDays * 86_400_000).toISOString();
  const { database } = book;
  inOneStep(book, () => {
    database
      .prepare(
        `DELETE FROM message WHERE state = 'delivered' AND ended_at < ? AND channel IN (SELECT id FROM channel WHERE watch = ?)`,
      )
      .run(before, watch);
    database
      .prepare(
        `DELETE FROM told WHERE watch = @watch
         AND seq <= coalesce((SELECT seq FROM told WHERE watch = @watch ORDER BY seq DESC LIMIT 1 OFFSET @kept), 0)
         AND seq <= coalesce((SELECT min(bundled) FROM channel WHERE watch = @watch), seq)
         AND seq < coalesce((SELECT min(first) FROM message JOIN channel ON channel.id = message.channel
           WHERE channel.watch = @watch AND state <> 'delivered'), seq + 1)`,
      )
      .run({ watch, kept: keptChanges });
  });
}
