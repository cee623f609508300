import { byCodeUnit, fold } from '../language/fold.ts';
import { isNonAttached } from '../model/ballot.ts';
import { documentsIn, slugOf, textOf } from '../model/document.ts';
import { type Phrase, say } from '../words/speech.ts';
import { elementFieldSql, type NameDatabase, textFieldSql } from './database.ts';

/** Facts about a party, or a group of a chamber, from its record. */
export type PartyFacts = {
  slug: string;
  name: string | null;
  short_name: string | null;
  /** Null for a party. */
  chamber: string | null;
  start_date: string | null;
  end_date: string | null;
};

/** All parties and groups by slug, cached until the next write. */
export function partyFacts(db: NameDatabase): Map<string, PartyFacts> {
  return db.readOnce('facts of parties', () => {
    const fields = ['short_name', 'chamber', 'start_date', 'end_date'] as const;
    const columns = fields.map((field) => `${textFieldSql(field)} AS ${field}`);
    const sql = `SELECT key AS slug, name, ${columns.join(', ')}
      FROM record WHERE kind = 'party' AND withdrawn IS NULL`;
    const rows = db.sql<PartyFacts>(sql).all();
    return new Map(rows.map((each) => [each.slug, each]));
  });
}

/** Every politician with `stays`, the dated affiliations, and present party and group; cached until the next write. */
export function affiliatedPeople(db: NameDatabase) {
  return db.readOnce('affiliated people', () => {
    const sql = `SELECT key AS politician, party, group_slug AS "group",
        coalesce(detail -> '$.affiliations', row -> '$.affiliations') AS affiliations
      FROM record WHERE kind = 'politician' AND withdrawn IS NULL`;
    const people = db.sql<{ politician: string } & Record<'party' | 'group' | 'affiliations', string | null>>(sql);
    return people.all().map(({ politician, party, group, affiliations }) => ({
      politician,
      stays: documentsIn(JSON.parse(affiliations ?? 'null')).flatMap((each) => {
        const slug = slugOf(each.party);
        return slug === null ? [] : [{ party: slug, start: textOf(each, 'start'), end: textOf(each, 'end') }];
      }),
      presentParties: [...new Set([party, group])].filter((slug) => slug !== null),
    }));
  });
}

const earliestDay = '0000';
const latestDay = '9999';

/** Groups of each party by its slug, current and latest first; cached until the next write. */
export function groupsByParty(db: NameDatabase): Map<string, PartyFacts[]> {
  // A group belongs to a party if at least two of the party's members sat in it, more than half of those then in the
  // chamber, and were at least half of the group's members with a party. Affiliations without dates count for any day.
  return db.readOnce('groups of parties', () => {
    const facts = partyFacts(db);
    const chamberOf = (slug: string) => facts.get(slug)?.chamber ?? null;
    const groupPeriods = new Map<string, Period>();
    /** One entry per stay in a group and party to which the member belonged at that time. */
    const seats: { party: string; chamber: string; slug: string; politician: string; stay: Period }[] = [];
    for (const { politician, stays, presentParties: presentSlugs } of affiliatedPeople(db)) {
      const declaredStays = stays.length > 0 ? stays : presentSlugs.map((party) => ({ party, start: null, end: null }));
      const ownStays = declaredStays.map(({ party, start, end }) => {
        return { party, start: start ?? earliestDay, end: end ?? latestDay };
      });
      const partyStays = ownStays.filter(({ party }) => chamberOf(party) === null);
      for (const stay of ownStays) {
        const slug = stay.party;
        const group = facts.get(slug);
        if (!group?.chamber) continue;
        const { chamber } = group;
        const period = groupPeriods.get(slug) ?? { start: latestDay, end: earliestDay };
        groupPeriods.set(slug, {
          start: group.start_date ?? (stay.start < period.start ? stay.start : period.start),
          end: group.end_date ?? latestDay,
        });
        for (const { party } of partyStays.filter((each) => doOverlap(stay, each)))
          seats.push({ party, chamber, slug, politician, stay });
      }
    }
    const countPeople = (countedSeats: typeof seats) => new Set(countedSeats.map(({ politician }) => politician)).size;
    const seatsByGroup = Map.groupBy(seats, ({ slug }) => slug);
    const groupsOfParty = new Map<string, PartyFacts[]>();
    for (const partySeats of Map.groupBy(seats, ({ party, chamber }) => `${party} ${chamber}`).values()) {
      const { party } = partySeats[0]!;
      for (const [slug, groupSeats] of Map.groupBy(partySeats, (each) => each.slug)) {
        const group = facts.get(slug)!;
        if (isNonAttached({ party: slug, party_name: group.name })) continue;
        const countInGroup = countPeople(groupSeats);
        if (countInGroup < 2) continue;
        const countInChamber = countPeople(partySeats.filter(({ stay }) => doOverlap(stay, groupPeriods.get(slug)!)));
        if (countInGroup * 2 > countInChamber && countInGroup * 2 >= countPeople(seatsByGroup.get(slug)!))
          groupsOfParty.set(party, [...(groupsOfParty.get(party) ?? []), group]);
      }
    }
    return new Map([...groupsOfParty].map(([party, groups]) => [party, latestGroupsFirst(groups)]));
  });
}

type Period = { start: string; end: string };

const doOverlap = (one: Period, other: Period): boolean => one.start <= other.end && other.start <= one.end;

/** The distinct groups: current ones first, then by latest end, then by latest start. */
export function latestGroupsFirst(groups: readonly PartyFacts[]): PartyFacts[] {
  const sortKey = ({ start_date, end_date }: PartyFacts) => `${end_date ?? latestDay} ${start_date ?? ''}`;
  const distinct = [...new Map(groups.map((each) => [each.slug, each])).values()];
  return distinct.sort((one, other) => byCodeUnit(sortKey(other), sortKey(one)));
}

type PresentGroup = { slug: string; members: number; sitting: number };

/** The three groups where most former members of a group sit: `members` there, `sitting` in all groups; cached. */
export function currentGroupsOfMembers(db: NameDatabase, slug: string): PresentGroup[] {
  const sql = `SELECT group_slug AS slug, count(*) AS members, sum(count(*)) OVER () AS sitting FROM record
    WHERE kind = 'politician' AND withdrawn IS NULL AND group_slug IS NOT NULL AND EXISTS (
      SELECT 1 FROM json_each(coalesce(detail -> '$.affiliations', row -> '$.affiliations')) AS stay
      WHERE ${elementFieldSql('party', 'stay')} = ?)
    GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 3`;
  return db.readOnce(`present groups of ${slug}`, () => db.sql<PresentGroup>(sql).all(slug));
}

/** For each chamber whose groups have all ended, the group where most members of the latest one sit now. */
export function successorGroups(db: NameDatabase, groups: readonly PartyFacts[]): PartyFacts[] {
  return [...Map.groupBy(groups, ({ chamber }) => chamber).values()].flatMap(([group]) => {
    const [largest] = group?.chamber && group.end_date !== null ? currentGroupsOfMembers(db, group.slug) : [];
    if (largest === undefined || largest.members < 2 || largest.members * 2 <= largest.sitting) return [];
    const successor = partyFacts(db).get(largest.slug);
    return successor?.chamber === group?.chamber ? [successor!] : [];
  });
}

/** Hint that names the current groups of the members, and the command that lists these members or their ballots. */
export function currentGroupsHint(groups: PresentGroup[], listedKind: 'members' | 'ballots'): Phrase {
  const groupList = groups.map(({ slug, members }) => `${slug} (${members})`).join(', ');
  const { slug } = groups[0]!;
  return listedKind === 'members'
    ? say`its members sit now in ${groupList}; \`hemicycle politicians --group ${slug}\` lists all members of ${slug}`
    : say`its members sit now in ${groupList}; \`hemicycle ballots --group ${slug}\` lists what these vote on`;
}

/** Chooses one of the parties and groups that match a name equally well; null if several remain, or for no slug. */
export function chooseSlug(db: NameDatabase, slugs: readonly string[]): string | null {
  // The party, if the others are its groups or have its name; the current party of all the groups, if their names begin
  // with its name; of equal names, the current record.
  const facts = partyFacts(db);
  const candidates = slugs.map((slug) => facts.get(slug)).filter((each) => each !== undefined);
  if (candidates.length < slugs.length || candidates.length === 0) return null;
  const currentOnly = (all: PartyFacts[]) => all.filter(({ end_date }) => end_date === null);
  const onlyOne = (all: PartyFacts[]) => (all.length === 1 ? all[0]! : null);
  const parties = candidates.filter(({ chamber }) => chamber === null);
  const groups = candidates.filter(({ chamber }) => chamber !== null);
  const isOf = (group: PartyFacts, party: PartyFacts) =>
    (groupsByParty(db).get(party.slug) ?? []).some(({ slug }) => slug === group.slug);
  const party = onlyOne(parties) ?? onlyOne(currentOnly(parties));
  if (party !== null) return groups.every((group) => sameName(group, party) || isOf(group, party)) ? party.slug : null;
  if (parties.length > 0) return null;
  const activeGroups = currentOnly(groups);
  if (activeGroups.length === 0) {
    const isParent = (each: PartyFacts) =>
      each.chamber === null && groups.every((group) => isOf(group, each) && nameOf(group).startsWith(nameOf(each)));
    return onlyOne(currentOnly([...facts.values()]).filter(isParent))?.slug ?? null;
  }
  return groups.every((each) => sameName(each, groups[0]!)) ? (onlyOne(activeGroups)?.slug ?? null) : null;
}

const nameOf = ({ name, slug }: PartyFacts) => fold(name ?? slug);

function sameName(one: PartyFacts, other: PartyFacts): boolean {
  return nameOf(one) === nameOf(other) || (one.short_name !== null && one.short_name === other.short_name);
}
