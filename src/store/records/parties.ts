import { nameWords } from '../../language/name.ts';
import { type GroupFacts, groupOrder } from '../../model/seats.ts';
import { textFieldSql } from '../../names/database.ts';
import { type Mirror, readMeta } from '../mirror.ts';
import type { JsonPage } from '../page.ts';
import { memberLists } from './members.ts';

/** A chamber, prefixes of words in the name or short name (`q`), and the maximum number of parties. */
export type PartyFilter = { chamber?: string | undefined; q?: string | undefined; limit?: number };

/** The first `limit` parties and groups by name; `isInterface` omits the numbers of members, which the API lacks. */
export function listParties(mirror: Mirror, filter: PartyFilter = {}, isInterface = false): JsonPage {
  const { chamber, q = '', limit } = filter;
  const sql = `SELECT key, coalesce(row, detail) AS json, ${textFieldSql('name')} AS name,
    ${textFieldSql('short_name')} AS short FROM record WHERE kind = 'party' AND withdrawn IS NULL
    AND (? IS NULL OR ${textFieldSql('chamber')} = ?) ORDER BY sort_name, id`;
  const typedWords = /\p{L}|\p{N}/u.test(q) ? nameWords(q) : q.split(/\s+/).filter(Boolean); // '?' matches none
  const matchesName = ({ name, short }: { name: string | null; short: string | null }) =>
    typedWords.every((word) => nameWords(`${name ?? ''} ${short ?? ''}`).some((part) => part.startsWith(word)));
  const statement = mirror.sql<{ key: string; json: string; name: string | null; short: string | null }>(sql);
  const parties = statement.all(chamber ?? null, chamber ?? null).filter(matchesName);
  const items = parties.slice(0, limit).map(({ key, json }) => {
    if (isInterface) return json;
    return JSON.stringify({ ...JSON.parse(json), ...memberCountsOf(mirror, key) });
  });
  return { items, total: parties.length, nextCursor: null };
}

/** Numbers of members and financially attached persons, null for none; cached until the next write. */
const memberCountsOf = (mirror: Mirror, slug: string) =>
  mirror.readOnce(`member counts of ${slug}`, () => {
    const { members, financially_attached: attached } = memberLists(mirror, slug);
    return { members_today: members.length || null, attached_today: attached.length || null };
  });

/** Facts of all parties and groups by slug, withdrawn ones included; cached until the next write. */
export function groupFacts(mirror: Mirror): ReadonlyMap<string, GroupFacts> {
  return mirror.readOnce('facts of groups', () => {
    const sql = `SELECT key, ${textFieldSql('name')} AS name, ${textFieldSql('short_name')} AS shortName,
      ${textFieldSql('color')} AS colour FROM record WHERE kind = 'party'`;
    const facts = mirror.sql<GroupFacts & { key: string }>(sql).all();
    return new Map(facts.map((each) => [each.key, each]));
  });
}

/** Slugs of groups from left to right: those of `names`, else of the order saved in the mirror; empty if neither. */
export function seatingOrder(mirror: Mirror, names: readonly string[] | null | undefined): string[] {
  return groupOrder(names ?? readMeta(mirror, 'group_order')?.split(',') ?? [], groupFacts(mirror));
}
