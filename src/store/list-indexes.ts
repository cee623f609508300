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
  record_first_seen: 'ON record(first_seen)',
  record_withdrawn: 'ON record(withdrawn) WHERE withdrawn IS NOT NULL',
  record_detail_since: 'ON record(detail_since) WHERE detail_since IS NOT NULL',
  party_name: "ON record(kind, sort_name) WHERE kind = 'party'",
};

/** Makes the indexes that are missing: a new mirror has none, and a killed import may have left none. */
export function createListIndexes(mirror: Mirror): void {
  for (const [name, definition] of Object.entries(listIndexes)) {
    mirror.database.exec(`CREATE INDEX IF NOT EXISTS ${name} ${definition}`);
  }
}

/** The indexes over most records; sorting these once is faster than keeping them, and not so for the small ones. */
const largeIndexes = ['record_date', 'record_politician', 'record_party', 'record_first_seen'];

/** Drops the large indexes of a mirror without records, to be made when all its records are there. */
export function dropListIndexesIfEmpty(mirror: Mirror): void {
  if (mirror.database.prepare('SELECT 1 FROM record LIMIT 1').get()) return;
  for (const name of largeIndexes) mirror.database.exec(`DROP INDEX IF EXISTS ${name}`);
}
