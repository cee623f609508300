import type { KindName } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';

/** A topic with its number of current records, in all and by kind. */
export type Topic = { topic: string; records: number; kinds: Partial<Record<KindName, number>> };

/** Every topic of current records, most used first; the kinds of each in display order, descending ids. */
export function listTopics(mirror: Mirror): Topic[] {
  const sql = `SELECT topic, sum(count) AS records, json_group_object(kind, count ORDER BY last DESC) AS kinds
    FROM (SELECT topic, kind, count(*) AS count, max(id) AS last FROM record
      WHERE topic IS NOT NULL AND topic <> '' AND withdrawn IS NULL GROUP BY topic, kind)
    GROUP BY topic ORDER BY records DESC, topic`;
  const rows = mirror.sql<{ topic: string; records: number; kinds: string }>(sql).all();
  return rows.map((row) => ({ ...row, kinds: JSON.parse(row.kinds) }));
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
