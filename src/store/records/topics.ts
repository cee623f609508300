import { type KindName, kinds } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';

/** A topic with its number of current records, in all and by kind. */
export type Topic = { topic: string; records: number; kinds: Partial<Record<KindName, number>> };

/** Every topic of current records, most used first. */
export function listTopics(mirror: Mirror): Topic[] {
  const sql = `SELECT topic, kind, count(*) AS records FROM record
    WHERE topic IS NOT NULL AND topic <> '' AND withdrawn IS NULL GROUP BY topic, kind`;
  const topicCounts = mirror.sql<{ topic: string; kind: KindName; records: number }>(sql).all();
  const order = kinds.map(({ name }) => name).reverse(); // display order
  return [...Map.groupBy(topicCounts, ({ topic }) => topic)]
    .map(([topic, rows]) => ({
      topic,
      records: rows.reduce((sum, { records }) => sum + records, 0),
      kinds: Object.fromEntries(
        rows.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind)).map(({ kind, records }) => [kind, records]),
      ),
    }))
    .sort((a, b) => b.records - a.records || (a.topic < b.topic ? -1 : 1));
}

/** True if a current record has the topic. */
export function hasTopic(mirror: Mirror, topic: string): boolean {
  const sql = 'SELECT 1 FROM record WHERE topic = ? AND withdrawn IS NULL';
  return topic !== '' && mirror.sql(sql).get(topic) !== undefined;
}

/** The topics of current records, sorted. */
export function topicNames(mirror: Mirror): string[] {
  const names = listTopics(mirror).map(({ topic }) => topic);
  return names.sort();
}
