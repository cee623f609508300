import type { Mirror } from '../mirror.ts';
import { forgetKnownGround } from './progress.ts';

/** The last answer to an address: its validators, when it was asked and when its body last came, ISO 8601. */
export type KnownAnswer = {
  etag: string | null;
  lastModified: string | null;
  askedAt: string;
  readAt: string;
};

/** What the mirror remembers of the answer to an address, or null. */
export function knownAnswer(mirror: Mirror, url: string): KnownAnswer | null {
  const stored = mirror
    .sql(
      'SELECT etag, last_modified AS lastModified, asked_at AS askedAt, read_at AS readAt FROM answer WHERE url = ?',
    )
    .get(url);
  return (stored as KnownAnswer | undefined) ?? null;
}

/** Remembers an answer; to be called in the transaction that saved what it said. */
export function saveAnswer(
  mirror: Mirror,
  {
    address,
    validator,
    at,
  }: { address: string; validator: { etag: string | null; lastModified: string | null } | null; at: string },
): void {
  mirror
    .sql('INSERT OR REPLACE INTO answer (url, etag, last_modified, asked_at, read_at) VALUES (?, ?, ?, ?, ?)')
    .run(address, validator?.etag ?? null, validator?.lastModified ?? null, at, at);
}

/** Notes that the service was asked and said that its answer is still the same. */
export function noteUnchanged(mirror: Mirror, url: string, at: string): void {
  mirror.sql('UPDATE answer SET asked_at = ? WHERE url = ?').run(at, url);
}

/** Forgets every answer: what the mirror holds was changed by other means, and must be asked for anew. */
export function forgetAnswers(mirror: Mirror): void {
  mirror.sql('DELETE FROM answer').run();
  mirror.sql('UPDATE kind_state SET file_hash = NULL').run();
  forgetKnownGround(mirror);
}

/** Lets the answer to an address be asked for whole the next time. */
export function forgetValidator(mirror: Mirror, address: string): void {
  mirror.sql('UPDATE answer SET etag = NULL, last_modified = NULL WHERE url = ?').run(address);
}
