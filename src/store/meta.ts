import type { KindName } from '../model/kinds.ts';
import type { Mirror } from './mirror.ts';

type StateKey = 'version' | 'state' | 'journal' | 'synced_at' | 'changed_at' | `repeated_${KindName}`;

type IndexKey = 'analyser' | 'names' | 'embedding_model' | 'embedded' | 'embedded_as';
type FindingKey = 'contradictions' | 'source_use' | 'ballot_tables' | 'text_links';
type ServiceKey = 'service_name' | 'site_url' | 'group_order' | 'base_url' | 'cited_base_url';
type AnswerKey = 'answered_at' | 'asked_in_vain_since' | 'asked_in_vain_at' | 'gone_since';

type GuardKey = 'anonymous_log' | 'tombstone_salt' | 'to_erase' | `shrink_accepted_${string}` | `edits_${string}`;

export type MetaKey = StateKey | IndexKey | FindingKey | ServiceKey | AnswerKey | GuardKey;

/** Reads a fact about the mirror, or null. */
export function readMeta(mirror: Mirror, key: MetaKey): string | null {
  return mirror.column<string>('SELECT value FROM meta WHERE key = ?').get(key) ?? null;
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
  saveMeta(mirror, 'changed_at', mirror.column<string>(changedAtSql).get()!);
}

/** Now, but after the second in which a sync ended: HTTP dates have seconds, and that one denotes the synced state. */
const changedAtSql = `SELECT max(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), coalesce(
  (SELECT strftime('%Y-%m-%dT%H:%M:%SZ', ended_at, '+1 second') FROM run
    WHERE ended_at IS NOT NULL ORDER BY id DESC LIMIT 1), ''))`;
