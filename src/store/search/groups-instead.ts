import { type Phrase, say } from '../../words/speech.ts';
import type { Mirror } from '../mirror.ts';

/**
 * The groups in which members of some parties sit, largest first, at most 3; none if any record is filed under one of
 * the parties. Texts are filed under the group of their legislature.
 */
function groupsInstead(mirror: Mirror, parties: readonly string[]): { slug: string; members: number }[] {
  if (parties.length === 0) return [];
  const asked = JSON.stringify(parties);
  const among = 'IN (SELECT value FROM json_each(?))';
  const isFiled = mirror.sql(
    `SELECT 1 FROM record WHERE (party ${among} OR group_slug ${among})
     AND kind NOT IN ('politician', 'party') AND withdrawn IS NULL LIMIT 1`,
  );
  if (isFiled.get(asked, asked) !== undefined) return [];
  return mirror
    .sql<{ slug: string; members: number }>(
      `SELECT group_slug AS slug, count(*) AS members FROM record
       WHERE kind = 'politician' AND party ${among} AND group_slug IS NOT NULL AND withdrawn IS NULL
       GROUP BY group_slug ORDER BY members DESC, slug LIMIT 3`,
    )
    .all(asked);
}

/** A remark that names these groups; empty if there are none. */
export function groupsRemark(mirror: Mirror, parties: readonly string[]): Phrase[] {
  const groups = groupsInstead(mirror, parties).map(({ slug, members }) => `${slug} (${members})`);
  if (groups.length === 0) return [];
  return [say`no text is filed under ${parties.join(', ')}; its members sit in ${groups.join(', ')}`];
}
