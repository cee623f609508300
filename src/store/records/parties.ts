import { readBallot } from '../../model/ballot.ts';
import { type Document, textOf } from '../../model/document.ts';
import { kindOf } from '../../model/kinds.ts';
import { type GroupFacts, groupOrder } from '../../model/seats.ts';
import { textFieldSql } from '../../names/database.ts';
import { readMeta } from '../meta.ts';
import type { Mirror } from '../mirror.ts';
import type { JsonPage } from '../page.ts';
import { rows } from '../rows.ts';

/** Parties and groups by name, the first `limit` of them. */
export function listParties(mirror: Mirror, limit?: number): JsonPage {
  const sql = `SELECT coalesce(row, detail) FROM record WHERE kind = 'party' AND withdrawn IS NULL
    ORDER BY sort_name, id`;
  const items = mirror.column<string>(sql).all();
  return { items: items.slice(0, limit), total: items.length, nextCursor: null };
}

/** The documents of all current parties and groups, by slug. */
export function partiesBySlug(mirror: Mirror): ReadonlyMap<string, Document> {
  const read = () => [...rows(mirror, kindOf('party'))].map((each) => [textOf(each, 'slug') ?? '', each] as const);
  return mirror.readOnce('parties by slug', () => new Map(read()));
}

/** Names of all current parties and groups, by slug. */
export function partyNames(mirror: Mirror): Map<string, string | null> {
  const nameRows = mirror.sql<{ key: string; name: string | null }>(
    "SELECT key, name FROM record WHERE kind = 'party' AND withdrawn IS NULL",
  );
  return new Map(nameRows.all().map(({ key, name }) => [key, name]));
}

const factsSql = `SELECT ${textFieldSql('name')} AS name, ${textFieldSql('short_name')} AS shortName,
  ${textFieldSql('color')} AS colour FROM record`;

/** Facts of all parties and groups by slug, withdrawn ones included. */
export function allGroupFacts(mirror: Mirror): Map<string, GroupFacts> {
  const keys = mirror.column<string>("SELECT key FROM record WHERE kind = 'party'").all();
  return groupFacts(mirror, keys);
}

/** Slugs of groups from left to right, as given, else as saved in the mirror; empty if neither. */
export function seatingOrder(
  mirror: Mirror,
  names: readonly string[] | null | undefined,
  facts: ReadonlyMap<string, GroupFacts>,
): string[] {
  return groupOrder(names ?? readMeta(mirror, 'group_order')?.split(',') ?? [], facts);
}

/** Facts of known groups by slug, withdrawn ones included. */
export function groupFacts(mirror: Mirror, slugs: readonly (string | null)[]): Map<string, GroupFacts> {
  const facts = mirror.sql<GroupFacts>(`${factsSql} WHERE kind = 'party' AND key = ?`);
  const factsBySlug = new Map<string, GroupFacts>();
  for (const slug of slugs) {
    const storedFacts = slug === null ? undefined : facts.get(slug);
    if (slug !== null && storedFacts) factsBySlug.set(slug, storedFacts);
  }
  return factsBySlug;
}

/** The newest ballots that list a group, with its votes in each. */
export function readVotesOfGroup(mirror: Mirror, slug: string, limit: number) {
  const sql = `SELECT key, json FROM (SELECT id, key, date, coalesce(row, detail) AS json FROM record
      WHERE kind = 'ballot' AND withdrawn IS NULL ORDER BY date DESC, id DESC)
    WHERE instr(json, ?) > 0 LIMIT ?`;
  const ballotRows = mirror.sql<{ key: string; json: string }>(sql).all(JSON.stringify(slug), limit);
  return ballotRows.flatMap(({ key, json }) => {
    const ballot = readBallot(JSON.parse(json));
    const votes = ballot.votes_by_party.find(({ party }) => party === slug);
    const { title, date, result } = ballot;
    return votes ? [{ key, title: title ?? key, date, result, votes }] : [];
  });
}
