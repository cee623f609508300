import type { KindName } from '../model/kinds.ts';
import type { Mirror } from './mirror.ts';

export type MetaKey =
  | 'version'
  | 'state'
  | 'analyser'
  | 'journal'
  | 'names'
  | 'service_name'
  | 'site_url'
  | 'group_order'
  | 'base_url'
  | 'cited_base_url'
  | 'synced_at'
  | 'settled_version'
  | 'settled_at'
  | 'embedding_model'
  | 'embedded'
  | 'embedded_as'
  | 'anonymous_log'
  | 'tombstone_salt'
  | 'to_erase'
  | 'answered_at'
  | 'asked_in_vain_since'
  | 'asked_in_vain_at'
  | 'gone_since'
  | 'contradictions'
  | 'source_use'
  | `shrink_accepted_${string}`
  | `repeated_${KindName}`;

/** Reads a fact about the mirror, or null. */
export function readMeta(mirror: Mirror, key: MetaKey): string | null {
  const stored = mirror.sql<{ value: string }>('SELECT value FROM meta WHERE key = ?').get(key);
  return stored?.value ?? null;
}

/** Saves a fact about the mirror. */
export function saveMeta(mirror: Mirror, key: MetaKey, value: string): void {
  mirror
    .sql('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value')
    .run(key, value);
}

/** Deletes a fact about the mirror. */
export function forgetMeta(mirror: Mirror, key: MetaKey): void {
  mirror.sql('DELETE FROM meta WHERE key = ?').run(key);
}

/** Number that grows with every change of a record. */
export const mirrorVersion = (mirror: Mirror): number => Number(readMeta(mirror, 'version') ?? 0);

/** Marks that records changed; call it in the transaction that changed them. */
export function bumpVersion(mirror: Mirror): void {
  saveMeta(mirror, 'version', String(mirrorVersion(mirror) + 1));
  // Diverged copies of one mirror may have equal versions.
  saveMeta(mirror, 'state', mirror.column<string>('SELECT lower(hex(randomblob(12)))').get()!);
  if (readMeta(mirror, 'settled_version') === null) saveMeta(mirror, 'settled_version', '');
}

/**
 * Marks the mirror as filled at that moment, ISO 8601, and its records as settled: without it, a running or interrupted
 * sync may have changed records since the stated moment.
 */
export function markSettled(mirror: Mirror, at: string): void {
  const version = String(mirrorVersion(mirror));
  const [before, settledAt] = [readMeta(mirror, 'settled_version'), readMeta(mirror, 'settled_at')];
  saveMeta(mirror, 'synced_at', at);
  // HTTP dates have seconds: the second state within one stays unsettled.
  if (before !== version && settledAt?.slice(0, 19) === at.slice(0, 19)) return;
  saveMeta(mirror, 'settled_version', version);
  saveMeta(mirror, 'settled_at', at);
}
