import { affiliationsIn, affiliationsOn, type Stay } from '../model/affiliation.ts';
import { column, present } from '../model/columns.ts';
import { type Document, type Json, slugOf, textOf } from '../model/document.ts';
import { clauses, type Speech, say } from '../words/speech.ts';

/** Fields of a party profile that list its politicians by relation, each with its heading. */
export const memberParts = {
  members: say`Members today`,
  financially_attached: say`Financially attached, counted apart`,
  no_lasting_affiliation: say`Listed without a lasting affiliation`,
};

/** Parties and groups by slug; groups have a chamber. */
type Parties = ReadonlyMap<string, { chamber?: Json }>;

/** The nature of an affiliation that declares party funding (`rattachement financier`); null for a membership. */
export function attachmentOf(politician: Document, affiliation: Document, parties: Parties): string | null {
  const role = textOf(affiliation, 'role')?.trim() ?? '';
  if (/^(?:rattachement\s+financier|financial\s+attachment)/iu.test(role)) return 'financial attachment';
  // Sources also publish declarations as memberships from the day of their publication, in early December.
  if (!/^(?:membre|member) \d{4}-12-0[1-9]/iu.test(`${role} ${affiliation.start}`)) return null;
  const partyIn = ({ party }: Document) => parties.get(slugOf(party) ?? '');
  const isOfParty = partyIn(affiliation) && !partyIn(affiliation)?.chamber;
  const hasSat = affiliationsIn(politician).some((each) => partyIn(each)?.chamber);
  return isOfParty && hasSat ? 'financial attachment (derived)' : null;
}

/** The nature of a stay whose affiliations are all financial attachments (see `attachmentOf`); null for others. */
export function attachmentOfStay(politician: Document, { party, first, last }: Stay, parties: Parties): string | null {
  const natures = affiliationsOn(politician, first, last ?? '~') // sorts after every day
    .filter((each) => each.start && slugOf(each.party) === party)
    .map((each) => attachmentOf(politician, each, parties));
  return natures.includes(null) ? null : (natures[0] ?? null);
}

/** The last column of tables and lists of affiliations, which names financial attachments. */
export const partyLinkColumn = column.text(
  'party_link',
  'Financial attachment, a yearly declaration for the public funding of parties and no membership: in the source’s ' +
    'role, or derived from its day. Null for others.',
  { ...present, words: ['financial attachment', 'financial attachment (derived)'] },
);

/** The stated role of an affiliation, followed by a derived nature; the nature alone without a role; else null. */
export function roleText(affiliation: Document, { word }: Pick<Speech, 'word'>): string | null {
  const role = textOf(affiliation, 'role');
  const nature = textOf(affiliation, 'nature', 'party_link');
  const parts = [role, nature?.endsWith(')') || role === null ? nature : null].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.map(word).join(' · ');
}

/** Relation of a politician to a party or group: `member`, an attachment's nature, or `no lasting affiliation`. */
export function partyRelationOf(slug: string, politician: Document, parties: Parties): string {
  if (politician.death_date) return 'no lasting affiliation';
  if (slugOf(politician.group) === slug) return 'member';
  const affiliations = affiliationsIn(politician).filter(({ party }) => slugOf(party) === slug);
  if (affiliations.length === 0) return slugOf(politician.party) === slug ? 'member' : 'no lasting affiliation';
  const attachments = affiliations.filter((each) => attachmentOf(politician, each, parties));
  // Beside attachments, an undated role, such as a candidature, is no membership.
  const memberships = affiliations.filter((each) => !attachments.includes(each) && (each.start || !attachments[0]));
  if (memberships.some(({ end }) => !end)) return 'member';
  const datedAttachments = attachments.filter(({ start }) => start);
  const lasting = (datedAttachments.length > 0 ? datedAttachments : attachments).find(({ end }) => !end);
  // Only people who sit in a chamber declare attachments.
  return (lasting && politician.chamber && attachmentOf(politician, lasting, parties)) || 'no lasting affiliation';
}

/** The relation to the stated party (see `partyRelationOf`), localised; null for members or without a party. */
export const partyLinkText = ({ party_link: relation }: Document, speech: Speech) =>
  typeof relation === 'string' && relation !== 'member' ? speech.word(relation) : null;

/** Text of a party profile's member counts, each with what it counts and when; empty if none is known. */
export function memberCounts(profile: Document, speech: Speech): string {
  const memberCount = [profile.members ?? []].flat().length;
  const attachedCount = [profile.financially_attached ?? []].flat().length;
  const { member_count: count } = profile;
  const counts = clauses([
    memberCount > 0 && speech.say`${speech.number(memberCount)} today (affiliations)`,
    attachedCount > 0 && speech.say`${speech.number(attachedCount)} financially attached, counted apart`,
    typeof count === 'number' && speech.say`${speech.number(count)} stated by the service, undated`,
  ]);
  return speech.render(counts);
}
