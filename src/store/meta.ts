import type { Mirror } from './mirror.ts';

export type MetaKey =
  | 'version'
  | 'analyser'
  | 'service_name'
  | 'site_url'
  | 'base_url'
  | 'synced_at'
  | 'sync_progress';

/** A fact about the mirror as a whole, or null. */
export function readMeta(mirror: Mirror, key: MetaKey): string | null {
  const stored = mirror.sql('SELECT value FROM meta WHERE key = ?').get(key) as { value: string } | undefined;
  return stored?.value ?? null;
}

/** Keeps a fact about the mirror as a whole. */
export function saveMeta(mirror: Mirror, key: MetaKey, value: string): void {
  mirror
    .sql('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value')
    .run(key, value);
}

/** Number that grows with every change of any record; answers made at the same number are the same. */
export function mirrorVersion(mirror: Mirror): number {
  return Number(readMeta(mirror, 'version') ?? 0);
}

/** Marks that the mirror's records changed; called inside the transaction that changed them. */
export function bumpVersion(mirror: Mirror): void {
  saveMeta(mirror, 'version', String(mirrorVersion(mirror) + 1));
}
