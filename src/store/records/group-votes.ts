import { type PartyVotes, readBallot } from '../../model/ballot.ts';
import type { Mirror } from '../mirror.ts';

/** How a group voted in a ballot. */
export type GroupVote = {
  key: string;
  title: string;
  date: string | null;
  result: string | null;
  votes: PartyVotes;
};

/** The newest ballots that list a group, with its votes in each. */
export function votesOfGroup(mirror: Mirror, slug: string, limit: number): GroupVote[] {
  const rows = mirror
    .sql<{ key: string; json: string }>(
      `SELECT key, json FROM (SELECT id, key, date, coalesce(row, detail) AS json FROM record
         WHERE kind = 'ballot' AND withdrawn IS NULL ORDER BY date DESC, id DESC)
       WHERE instr(json, ?) > 0 LIMIT ?`,
    )
    .all(JSON.stringify(slug), limit);
  return rows.flatMap(({ key, json }) => {
    const ballot = readBallot(JSON.parse(json));
    const votes = ballot.votes_by_party.find(({ party }) => party === slug);
    const { title, date, result } = ballot;
    return votes ? [{ key, title: title ?? key, date, result, votes }] : [];
  });
}
