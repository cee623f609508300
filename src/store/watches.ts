import { randomUUID } from 'node:crypto';
import type { Phrase } from '../words/speech.ts';
import { bookTransaction, type WatchBook } from './watch-book.ts';

/** A channel that a watch notifies. */
export type Channel = ReturnType<typeof channelOf>;

/** State of the mirror that a watch checked last. */
export type WatchMark = {
  /** Name of the mirror's journal, and id of its state (meta `state`). */
  journal: string | null;
  state: string | null;
  /** Changes up to this time are noticed, ISO 8601. */
  at: string | null;
  /** Version of the answer's format (absent: 1), with the rules of its subjects; another version voids the baseline. */
  answers?: number | string;
};

/** A query that runs again after each sync, and the channels that report changes of its answer. */
export type Watch = ReturnType<typeof watchOf>;

/** Rows of the tables `watch` and `channel`; a file of version 1, which is only read, lacks the optional columns. */
type WatchRow = Record<'uid' | 'name' | 'words' | 'mark' | 'created_at', string> &
  Record<'only_sorts' | 'looked_at' | 'trouble', string | null> & {
    id: number;
    digest: 'run' | 'day';
    language: 'en' | 'fr';
    paused_at?: string | null;
  };
type ChannelRow = Record<'uid' | 'kind' | 'target', string> &
  Record<'id' | 'is_private' | 'bundled', number> &
  Partial<Record<'gone_at' | 'former_secret' | 'former_until', string | null>> & { secret: string | null };

/** All watches sorted by name, or only the one with that name. */
export function listWatches(book: WatchBook, name: string | null = null): Watch[] {
  const rows = book.sql<WatchRow>('SELECT * FROM watch WHERE name = coalesce(?, name) ORDER BY name').all(name);
  return rows.map((row) => watchOf(book, row));
}

/** The watch with that id; undefined if it was removed. */
export function readWatch(book: WatchBook, id: number): Watch | undefined {
  const row = book.sql<WatchRow>('SELECT * FROM watch WHERE id = ?').get(id);
  return row && watchOf(book, row);
}

/** Ids of all watches, sorted by name. */
export const watchIds = (book: WatchBook): number[] => book.column<number>('SELECT id FROM watch ORDER BY name').all();

function watchOf(book: WatchBook, row: WatchRow) {
  const channels = book.sql<ChannelRow>('SELECT * FROM channel WHERE watch = ? ORDER BY id').all(row.id);
  return {
    id: row.id,
    uid: row.uid,
    name: row.name,
    digest: row.digest,
    language: row.language,
    /** The query as words of a command line. */
    words: JSON.parse(row.words) as string[],
    /** Types of change to notify, such as `edited`; null for all. */
    changeTypes: row.only_sorts === null ? null : (JSON.parse(row.only_sorts) as string[]),
    createdAt: row.created_at,
    lookedAt: row.looked_at, // last check, ISO 8601
    /** Start of the pause, ISO 8601; null if active. */
    pausedAt: row.paused_at ?? null,
    mark: JSON.parse(row.mark) as WatchMark,
    /** Error of the last check, in English; null if it succeeded. */
    trouble: row.trouble,
    channels: channels.map(channelOf),
  };
}

function channelOf({ id, uid, kind, secret, bundled, target, ...row }: ChannelRow) {
  const { is_private, gone_at = null, former_secret: formerSecret, former_until: formerUntil } = row;
  return {
    id,
    uid,
    kind,
    /** Signing key of a webhook; null for other channels. */
    secret,
    /** Number of the last change that was put into a message or file. */
    bundled,
    /** Path, address, or program with arguments. */
    target: JSON.parse(target) as string[],
    /** True if the target may be an address of this machine or of a private network. */
    isPrivate: is_private === 1,
    /** When the receiver reported its permanent removal, ISO 8601; nothing more is sent. */
    disabledAt: gone_at,
    /** Previous signing key, also used until `until` (ISO 8601). */
    previousSecret: formerSecret && formerUntil ? { secret: formerSecret, until: formerUntil } : null,
  };
}

/** The fields of a new watch that the user states. */
export type NewWatch = Pick<Watch, 'name' | 'words' | 'changeTypes' | 'digest' | 'language' | 'createdAt'> & {
  channels: Pick<Channel, 'kind' | 'target' | 'secret' | 'isPrivate'>[];
};

/** Adds a watch with its channels; returns its id, or null if the name exists. */
export function addWatch(book: WatchBook, watch: NewWatch): number | null {
  const { words, changeTypes, channels, ...fields } = watch;
  const sql = `INSERT INTO watch (uid, name, words, only_sorts, digest, language, created_at, mark)
    VALUES ($uid, $name, $words, $changeTypes, $digest, $language, $createdAt, $mark)
    ON CONFLICT (name) DO NOTHING`;
  const texts = { words: JSON.stringify(words), changeTypes: changeTypes && JSON.stringify(changeTypes) };
  const mark = JSON.stringify({ journal: null, state: null, at: null });
  const insertion = book.sql(sql).run({ ...fields, ...texts, uid: randomUUID(), mark });
  if (insertion.changes === 0) return null;
  const id = Number(insertion.lastInsertRowid);
  addChannels(book, id, channels);
  return id;
}

/** Adds channels to a watch; they report changes after the newest noticed one. */
function addChannels(book: WatchBook, watch: number, channels: NewWatch['channels']): void {
  const add = book.sql(`INSERT INTO channel (uid, watch, kind, target, secret, is_private, bundled)
    SELECT ?, $watch, ?, ?, ?, ?, coalesce(max(seq), 0) FROM told WHERE watch = $watch`);
  for (const { kind, target, secret, isPrivate } of channels)
    add.run(randomUUID(), kind, JSON.stringify(target), secret, Number(isPrivate), { watch });
}

/** Updates a watch, adds channels, and removes one with its messages; false, with no change, if the name exists. */
export function editWatch(
  book: WatchBook,
  { id, name, changeTypes, digest, pausedAt }: Pick<Watch, 'id' | 'name' | 'changeTypes' | 'digest' | 'pausedAt'>,
  { newChannels = [], removedChannel }: { newChannels?: NewWatch['channels']; removedChannel?: Channel | null } = {},
): boolean {
  const sql = 'UPDATE OR IGNORE watch SET name = ?, only_sorts = ?, digest = ?, paused_at = ? WHERE id = ?';
  const update = book.sql(sql);
  return bookTransaction(book, () => {
    if (update.run(name, changeTypes && JSON.stringify(changeTypes), digest, pausedAt, id).changes === 0) return false;
    addChannels(book, id, newChannels);
    if (removedChannel) book.sql('DELETE FROM channel WHERE id = ?').run(removedChannel.id);
    return true;
  });
}

/** Gives a channel a new signing key; the previous one also signs until `until`, ISO 8601. */
export function rotateSecret(book: WatchBook, id: number, secret: string, until: string): void {
  const update = book.sql('UPDATE channel SET former_secret = secret, former_until = ?, secret = ? WHERE id = ?');
  bookTransaction(book, () => update.run(until, secret, id));
}

/** Deletes a watch with its baseline rows, changes and messages; false if no watch has that name. */
export function removeWatch(book: WatchBook, name: string): boolean {
  return bookTransaction(book, () => {
    const { changes } = book.sql('DELETE FROM watch WHERE name = ?').run(name);
    deleteUnusedContents(book);
    return changes > 0;
  });
}

/** A baseline row, as the watch's answer had it at the last check: its key and content hash. */
export type BaselineRow = { key: string; hash: string };

/** Content hashes of a watch's baseline rows, by key. */
export function baselineHashes(book: WatchBook, watch: number): Map<string, string> {
  const rows = book.sql<BaselineRow>('SELECT key, hash FROM known WHERE watch = ?').all(watch);
  return new Map(rows.map(({ key, hash }) => [key, hash]));
}

/** The content (JSON of a row) saved under a hash; null if missing. */
export function contentOf(book: WatchBook, hash: string): string | null {
  return book.column<string>('SELECT json FROM content WHERE hash = ?').get(hash) ?? null;
}

/** The result of checking a watch: new or changed rows with their contents, and keys of rows that left the answer. */
type WatchCheckResult = {
  mark: WatchMark;
  trouble: Phrase | null;
  changedRows: readonly (BaselineRow & { json: string })[];
  deletedKeys: readonly string[];
};

/** Saves the time and result of a check, and applies its rows to the baseline. */
export function saveCheckResult(book: WatchBook, watch: number, at: string, result: WatchCheckResult): void {
  const { mark, trouble, changedRows, deletedKeys } = result;
  const update = book.sql('UPDATE watch SET looked_at = ?, mark = ?, trouble = ? WHERE id = ?');
  update.run(at, JSON.stringify(mark), trouble && `${trouble}`, watch);
  const insertContent = book.sql('INSERT OR IGNORE INTO content (hash, json) VALUES (?, ?)');
  const upsertRow = book.sql('INSERT OR REPLACE INTO known (watch, key, hash) VALUES (?, ?, ?)');
  const deleteRow = book.sql('DELETE FROM known WHERE watch = ? AND key = ?');
  for (const { key, hash, json } of changedRows) {
    insertContent.run(hash, json);
    upsertRow.run(watch, key, hash);
  }
  for (const key of deletedKeys) deleteRow.run(watch, key);
}

/** Number of a watch's baseline rows. */
export function countBaselineRows(book: WatchBook, watch: number): number {
  return book.column<number>('SELECT count(*) FROM known WHERE watch = ?').get(watch)!;
}

/** Deletes contents that no baseline row references. */
export function deleteUnusedContents({ database }: WatchBook): void {
  database.exec('DELETE FROM content WHERE hash NOT IN (SELECT hash FROM known)');
}

/** Erases changes and contents that are withheld, and undelivered messages left empty; the next run rewrites feeds. */
export function eraseWithheldChanges(
  book: WatchBook,
  feedKinds: readonly string[],
  isWithheld: (row: { json: string }) => boolean,
): void {
  const { database } = book;
  const withheldRows = (table: string, key: string) =>
    book.sql<{ key: unknown; json: string }>(`SELECT ${key} AS key, json FROM ${table}`).all().filter(isWithheld);
  const withheldChanges = withheldRows('told', 'seq');
  const withheldContents = withheldRows('content', 'hash');
  if (withheldChanges.length === 0 && withheldContents.length === 0) return;
  // No withheld text may stay in free pages (secure_delete, VACUUM) or in the write-ahead log (checkpoint).
  database.pragma('secure_delete = ON');
  bookTransaction(book, () => {
    for (const { key } of withheldChanges) book.sql('DELETE FROM told WHERE seq = ?').run(key);
    for (const { key } of withheldContents) book.sql('DELETE FROM known WHERE hash = ?').run(key);
    deleteUnusedContents(book);
    database.exec(`
      DELETE FROM message WHERE state != 'delivered' AND NOT EXISTS (
        SELECT 1 FROM told, channel WHERE channel.id = message.channel AND told.watch = channel.watch
        AND seq BETWEEN first AND last)`);
    // -1 precedes every change number, even 0 for none: so an emptied feed is rewritten, too.
    for (const kind of feedKinds) book.sql('UPDATE channel SET bundled = -1 WHERE kind = ?').run(kind);
  });
  database.pragma('secure_delete = OFF');
  database.exec('VACUUM');
  database.pragma('wal_checkpoint(TRUNCATE)');
}
