import type { Mirror } from './mirror.ts';

export type MetaKey =
  | 'version'
  | 'state'
  | 'analyser'
  | 'journal'
  | 'names'
  | 'service_name'
  | 'site_url'
  | 'base_url'
  | 'cited_base_url'
  | 'synced_at'
  | 'settled_version'
  | 'settled_at'
  | 'sync_progress'
  | 'embedding_model'
  | 'embedded'
  | 'embedded_as'
  | 'anonymous_log';

/** A fact about the mirror as a whole, or null. */
export function readMeta(mirror: Mirror, key: MetaKey): string | null {
  const stored = mirror.sql<{ value: string }>('SELECT value FROM meta WHERE key = ?').get(key);
  return stored?.value ?? null;
}

/** Keeps a fact about the mirror as a whole. */
export function saveMeta(mirror: Mirror, key: MetaKey, value: string): void {
  mirror
    .sql('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value')
    .run(key, value);
}

/** Forgets a fact about the mirror as a whole. */
export function forgetMeta(mirror: Mirror, key: MetaKey): void {
  mirror.sql('DELETE FROM meta WHERE key = ?').run(key);
}

/** Number that grows with every change of any record; answers made at the same number are the same. */
export function mirrorVersion(mirror: Mirror): number {
  return Number(readMeta(mirror, 'version') ?? 0);
}

/** Marks that the mirror's records changed; called inside the transaction that changed them. */
export function bumpVersion(mirror: Mirror): void {
  saveMeta(mirror, 'version', String(mirrorVersion(mirror) + 1));
  // Copies of one mirror that go on apart come to the same versions.
  saveMeta(mirror, 'state', mirror.column<string>('SELECT lower(hex(randomblob(12)))').get()!);
  if (readMeta(mirror, 'settled_version') === null) saveMeta(mirror, 'settled_version', '');
}

/**
 * Marks the mirror as filled at that moment, ISO 8601, and all that it holds as settled: nothing of it changed later.
 * Until then a run that was interrupted, or goes on, has changed records behind the moment that is stated.
 */
export function markSettled(mirror: Mirror, at: string): void {
  const [version, before, settledAt] = [
    String(mirrorVersion(mirror)),
    readMeta(mirror, 'settled_version'),
    readMeta(mirror, 'settled_at'),
  ];
  saveMeta(mirror, 'synced_at', at);
  // Dates of HTTP tell no two states within one second apart: the second of them stays without one.
  if (before !== version && settledAt?.slice(0, 19) === at.slice(0, 19)) return;
  saveMeta(mirror, 'settled_version', version);
  saveMeta(mirror, 'settled_at', at);
}
