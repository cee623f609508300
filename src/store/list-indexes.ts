import type { Mirror } from './open.ts';

/** The indexes that lists and joins read; keys and full text have their own and are never without. */
const listIndexes: Record<string, string> = {
  record_date: 'ON record(kind, date)',
  record_politician: 'ON record(politician, kind, date) WHERE politician IS NOT NULL',
  record_party: 'ON record(party, kind, date) WHERE party IS NOT NULL',
  record_group: 'ON record(group_slug) WHERE group_slug IS NOT NULL',
  record_topic: 'ON record(topic, kind, date) WHERE topic IS NOT NULL',
  politician_name: "ON record(kind, sort_name) WHERE kind = 'politician'",
  politician_updated: "ON record(kind, updated_at) WHERE kind = 'politician'",
  party_name: "ON record(kind, sort_name) WHERE kind = 'party'",
};

/** Makes the indexes that are missing: a new mirror has none, and a killed import may have left none. */
export function createListIndexes(mirror: Mirror): void {
  for (const [name, definition] of Object.entries(listIndexes)) {
    mirror.database.exec(`CREATE INDEX IF NOT EXISTS ${name} ${definition}`);
  }
}

/** Drops the indexes of a mirror without records: sorting them once at the end is faster than keeping them. */
export function dropListIndexesIfEmpty(mirror: Mirror): void {
  if (mirror.database.prepare('SELECT 1 FROM record LIMIT 1').get()) return;
  for (const name of Object.keys(listIndexes)) mirror.database.exec(`DROP INDEX IF EXISTS ${name}`);
}
