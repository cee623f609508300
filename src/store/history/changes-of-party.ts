import { type Facets, facetsOf } from '../../model/facets.ts';
import { slugsIn } from '../../names/lookup.ts';
import { readCached } from '../cached.ts';
import type { Mirror } from '../mirror.ts';
import { kindOfRecord } from '../record.ts';

/** Creates a filter for changes after `since` (ISO 8601) about parties or groups (`party`: comma-separated slugs). */
export function createPartyFilter(mirror: Mirror, { party, since }: { party: string; since: string }) {
  const slugs = new Set(slugsIn(party));
  const slugsJson = JSON.stringify([...slugs]);
  const partyIdsSql = "SELECT id FROM record WHERE kind = 'party' AND key IN (SELECT value FROM json_each(?))";
  const partyIds = new Set(mirror.column<number>(partyIdsSql).all(slugsJson));
  const mentioningIds = mirror.column<number>(mentioningIdsSql).all({ slugs: slugsJson, since });
  // CROSS JOIN fixes the join order: SQLite cannot estimate the length of the list.
  const sql = `SELECT about.id FROM json_each(?) CROSS JOIN record AS member ON member.id = value AND member.kind = 'politician'
    CROSS JOIN record AS about ON about.politician = member.key`;
  const memberRecordIds = mirror.column<number>(sql).all(JSON.stringify(mentioningIds));
  const isOfParty = ({ party, group }: Facets) => [party, group].some((slug) => slug !== null && slugs.has(slug));
  const cachedByMember = new Map<string, boolean>();
  function readMembership(slug: string, at: string): boolean {
    const member = mirror.column<number>("SELECT id FROM record WHERE kind = 'politician' AND key = ?").get(slug);
    return member !== undefined && readFacetsAround(mirror, member, at).some(isOfParty);
  }
  const isMemberOfParty = (slug: string, at: string) =>
    readCached(cachedByMember, `${at} ${slug}`, { compute: () => readMembership(slug, at) });
  return {
    /** JSON array of candidate ids: the parties, records that mention one, records about politicians among these. */
    records: JSON.stringify([...new Set([...partyIds, ...mentioningIds, ...memberRecordIds])]),
    /** True for a party, and if around `at` the record states one, or no party but a politician who states one. */
    matches(record: number, at: string): boolean {
      if (partyIds.has(record)) return true;
      return readFacetsAround(mirror, record, at).some(
        (each) =>
          isOfParty(each) || (each.party === null && each.politician !== null && isMemberOfParty(each.politician, at)),
      );
    },
  };
}

/** Selects ids of records that state one of `$slugs` now, or mention it in a version that ended after `$since`. */
const mentioningIdsSql = `SELECT id FROM record WHERE party IN (SELECT value FROM json_each($slugs)) UNION
  SELECT id FROM record WHERE group_slug IN (SELECT value FROM json_each($slugs)) UNION
  SELECT record FROM version WHERE seen_to > $since
    AND EXISTS (SELECT 1 FROM json_each($slugs) WHERE instr(version.json, json_quote(value)) > 0)`;

/** Facets around a moment (ISO 8601): of versions whose interval includes it, and of the record if none ends later. */
function readFacetsAround(mirror: Mirror, record: number, at: string): Facets[] {
  const kind = kindOfRecord(record);
  const sql = `SELECT json FROM version WHERE record = ? AND seen_from <= ? AND seen_to >= ? UNION ALL
    SELECT coalesce(row, detail) FROM record WHERE id = ?
    AND NOT EXISTS (SELECT 1 FROM version WHERE version.record = record.id AND part = iif(row IS NULL, 'detail', 'row') AND seen_to > ?)`;
  const texts = mirror.column<string>(sql).all(record, at, at, record, at);
  return texts.map((json) => facetsOf(kind, JSON.parse(json)));
}
