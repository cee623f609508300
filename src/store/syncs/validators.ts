import type { Mirror } from '../mirror.ts';
import { resetFeedProgress } from './progress.ts';

/** The last response of a URL: validators, last request, and when the service sent the body (`readAt`); ISO 8601. */
export type StoredResponse = { etag: string | null; lastModified: string | null; requestedAt: string; readAt: string };

/** The last response of a URL; null if none is saved. */
export function readResponse(mirror: Mirror, url: string): StoredResponse | null {
  const sql =
    'SELECT etag, last_modified AS lastModified, asked_at AS requestedAt, read_at AS readAt FROM answer WHERE url = ?';
  return mirror.sql<StoredResponse>(sql).get(url) ?? null;
}

type ReceivedResponse = Record<'address' | 'at' | 'sentAt', string> & {
  validator: Pick<StoredResponse, 'etag' | 'lastModified'> | null;
};

/** Saves a response's validator; call it in the transaction that saves its contents. */
export function saveResponse(mirror: Mirror, { address, validator, at, sentAt }: ReceivedResponse): void {
  const sql = 'INSERT OR REPLACE INTO answer (url, etag, last_modified, asked_at, read_at) VALUES (?, ?, ?, ?, ?)';
  mirror.sql(sql).run(address, validator?.etag ?? null, validator?.lastModified ?? null, at, sentAt);
}

/** Saves that a URL answered 304 Not Modified. */
export function saveNotModified(mirror: Mirror, url: string, at: string): void {
  mirror.sql('UPDATE answer SET asked_at = ? WHERE url = ?').run(at, url);
}

/** Deletes validators and file hashes, so that the next sync reads everything; call it after changes outside syncs. */
export function deleteResponses(mirror: Mirror): void {
  mirror.sql('DELETE FROM answer').run();
  mirror.sql('UPDATE kind_state SET file_hash = NULL').run();
  resetFeedProgress(mirror);
}

/** Deletes the validators of a URL, so that its next request is unconditional. */
export function deleteValidator(mirror: Mirror, url: string): void {
  mirror.sql('UPDATE answer SET etag = NULL, last_modified = NULL WHERE url = ?').run(url);
}
