import { type Document, isDocument, type Json, slugOf } from '../../model/document.ts';
import { type Kind, kindOf } from '../../model/kinds.ts';
import { partyFacts } from '../../names/party-groups.ts';
import { attachmentOf, type memberParts, partyRelationOf } from '../../parliament/membership.ts';
import type { Mirror } from '../mirror.ts';
import { readRecord } from '../record.ts';

/** Condition (slug bound twice) for politicians of a party or group; the unary plus makes SQLite use both indexes. */
export const partyMemberSql = `(party = ? AND kind = 'politician' OR group_slug = ? AND +kind = 'politician')`;

/** Selects the current politicians that state a party or group (slug bound twice), by name. */
export const membersSql = `SELECT key AS slug, name AS full_name, json_extract(coalesce(row, detail), '$.current_role') AS current_role
  FROM record WHERE ${partyMemberSql} AND withdrawn IS NULL ORDER BY sort_name, id`;

/** A politician with `party_link` (see `partyRelationOf`), and a `nature` in financial attachments. */
export function withPartyLink(mirror: Mirror, politician: Document): Document {
  const parties = partyFacts(mirror);
  const party = slugOf(politician.party);
  const withNature = (each: Json): Json => {
    const nature = isDocument(each) && attachmentOf(politician, each, parties);
    return nature ? { ...(each as Document), nature } : each;
  };
  const affiliations = Array.isArray(politician.affiliations) ? politician.affiliations.map(withNature) : null;
  const party_link = party && partyRelationOf(party, politician, parties);
  return { ...politician, ...(affiliations && { affiliations }), party_link };
}

/** The profile with `party_link` for a politician, with lists of members by relation for a party. */
export function withMembership(mirror: Mirror, { kind, slug }: { kind: Kind; slug: string }, profile: Document) {
  if (kind.name === 'politician') return withPartyLink(mirror, profile);
  return { ...profile, ...memberLists(mirror, slug, [profile.members ?? []].flat()) };
}

/** Groups `listed` politicians of a party by relation (see `partyRelationOf`); those without a record are members. */
export function memberLists(mirror: Mirror, slug: string, listed = mirror.sql<Json>(membersSql).all(slug, slug)) {
  const parties = partyFacts(mirror);
  const partOf = (each: Json): keyof typeof memberParts => {
    const politician = readRecord(mirror, kindOf('politician'), slugOf(each) ?? '') ?? { group: slug };
    const relation = partyRelationOf(slug, politician, parties);
    if (relation === 'member') return 'members';
    return relation.startsWith('financial') ? 'financially_attached' : 'no_lasting_affiliation';
  };
  return { members: [], financially_attached: [], no_lasting_affiliation: [], ...Object.groupBy(listed, partOf) };
}
