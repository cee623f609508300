import { type Stay, staysOf } from '../../model/affiliation.ts';
import { isNonAttached } from '../../model/ballot.ts';
import { type Document, textOf } from '../../model/document.ts';
import { kindOf } from '../../model/kinds.ts';
import { dayAfter, durationMs } from '../../model/moment.ts';
import { type PartyFacts, partyFacts } from '../../names/party-groups.ts';
import type { Mirror } from '../mirror.ts';
import { rows } from '../rows.ts';

/** Why the start of a stay is no move: non-attached before a group, no former stay, same party, party renamed. */
export const stayReasons = ['before-group', 'first', 'renewed', 'renamed'] as const;
export type StayReason = (typeof stayReasons)[number];

/** A stay, and the preceding one (`from`) among parties or groups of one chamber; a move if `reason` is null. */
export type StartedStay = Stay & {
  politician: string;
  full_name: string | null;
  from: Stay | null;
  reason: StayReason | null;
};

/** Minimum number and share of members who change to one party on one day, which makes it a continuation. */
const minMembers = 3;
const minShare = 2 / 3;

/** Every stay of every politician, with the reason why its beginning is no move, or null for a move. */
export function readStartedStays(mirror: Mirror): StartedStay[] {
  return mirror.readOnce('started stays', () => {
    const parties = partyFacts(mirror);
    const startedStays = [...rows(mirror, kindOf('politician'))].flatMap((each) => startedStaysOf(each, parties));
    const renames = findRenames(startedStays, parties);
    return startedStays.map((each) => ({ ...each, reason: reasonOf(each, parties, renames) }));
  });
}

type Parties = ReadonlyMap<string, PartyFacts>;

const isNoGroup = (parties: Parties, slug: string) =>
  isNonAttached({ party: slug, party_name: parties.get(slug)?.name ?? null });

function startedStaysOf(politician: Document, parties: Parties): StartedStay[] {
  const person = { politician: textOf(politician, 'slug') ?? '', full_name: textOf(politician, 'full_name') };
  const staysByChamber = Map.groupBy(staysOf(politician), ({ party }) => parties.get(party)?.chamber ?? null);
  return [...staysByChamber.values()].flatMap((stays) => {
    let from: Stay | null = null;
    return stays.map((stay, at): StartedStay => {
      const hasNoGroupYet = isBeforeGroup(parties, stay, { from, next: stays[at + 1] });
      const startedStay = { ...stay, ...person, from, reason: hasNoGroupYet ? ('before-group' as const) : null };
      if (!hasNoGroupYet) from = stay;
      return startedStay;
    });
  });
}

/** True for non-attached days before a group: both are new, or the member entered at most 31 days before. */
function isBeforeGroup(
  parties: Parties,
  { party, first, last }: Stay,
  { from, next }: { from: Stay | null; next: Stay | undefined },
): boolean {
  if (last === null || !next || !isNoGroup(parties, party) || next.first > dayAfter(dayAfter(last))) return false;
  const isNewOn = (slug: string, day: string) => day <= dayAfter(parties.get(slug)?.start_date ?? '0001-01-01');
  const isEntering = from === null || (from.last !== null && first > dayAfter(from.last));
  const dayCount = (Date.parse(next.first) - Date.parse(first)) / durationMs('1d')!;
  return (isNewOn(party, first) && isNewOn(next.party, next.first)) || (isEntering && dayCount <= 31);
}

/** Pairs (`FORMER NEW`) of a party or group and the one that two thirds of its members joined on one day. */
function findRenames(startedStays: readonly StartedStay[], parties: Parties): Set<string> {
  const transitions = startedStays.filter(({ from, reason }) => from && reason === null);
  const byDay = Map.groupBy(transitions, ({ from, first }) => `${first} ${from!.party}`);
  const staysByParty = Map.groupBy(startedStays, ({ party }) => party);
  const renames = new Set<string>();
  for (const sameDayStays of byDay.values()) {
    const { first: day, from } = sameDayStays[0]!;
    const formerParty = from!.party;
    const isPresent = ({ first, last }: Stay) => first < day && (last === null || last >= day);
    const remainingMembers = staysByParty.get(formerParty)!.filter(isPresent);
    for (const [party, { length }] of Map.groupBy(sameDayStays, (each) => each.party))
      if (length >= minMembers && length >= minShare * (sameDayStays.length + remainingMembers.length))
        if (!isNoGroup(parties, party) && !isNoGroup(parties, formerParty)) renames.add(`${formerParty} ${party}`);
  }
  return renames;
}

/** `first` without a preceding stay, `renewed` for an equal slug or short name, `renamed`, or null for a move. */
function reasonOf({ from, party, reason }: StartedStay, parties: Parties, renames: ReadonlySet<string>) {
  if (reason !== null) return reason;
  if (from === null) return 'first';
  const shortName = parties.get(party)?.short_name;
  if (from.party === party || (shortName && shortName === parties.get(from.party)?.short_name)) return 'renewed';
  return renames.has(`${from.party} ${party}`) ? 'renamed' : null;
}
