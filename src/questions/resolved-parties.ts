import { chamberIfNamed } from '../model/ballot.ts';
import type { Document } from '../model/document.ts';
import { ifResolved, isFilterSlug, type PartyMeaning, resolveParty, resolveVoters, slugsIn } from '../names/lookup.ts';
import { currentGroupsHint, currentGroupsOfMembers, type PartyFacts } from '../names/party-groups.ts';
import type { Mirror } from '../store/mirror.ts';
import { votingGroups } from '../store/records/ballots.ts';
import { createNameLookup } from '../store/records/record-context.ts';
import { clauses, type Phrase, type Speech, saying } from '../words/speech.ts';
import type { Parameters } from './parameter.ts';

/** Returns what each party name in the values resolves to, with a note; slugs and unknown names are omitted. */
export function resolveParties(mirror: Mirror, parameters: Parameters, values: Record<string, unknown>) {
  const chamber = chamberIfNamed(values.chamber);
  /** Keeps the groups of the requested chamber; unchanged if the meaning has none there. */
  const narrowToChamber = (meaning: PartyMeaning) => {
    const groups = meaning.groups.filter((group) => group.chamber === chamber);
    return groups.length > 0 ? { ...meaning, groups } : meaning;
  };
  const meanings = Object.entries(parameters).flatMap(([name, parameter]): PartyMeaning[] => {
    const value = values[name];
    const { names, groupNamesIn, isPathPart, prefersGroups, matchesAllBearers } = parameter;
    if (value === undefined || isPathPart) return [];
    const filterNames = matchesAllBearers ? slugsIn(String(value)) : [String(value)];
    const partyNames = groupNamesIn?.(value) ?? (names === 'party' ? filterNames : []);
    return partyNames.flatMap((partyName) => {
      if (isFilterSlug(mirror, 'party', partyName, prefersGroups)) return [];
      const lookup = () =>
        groupNamesIn
          ? resolveVoters(mirror, partyName, votingGroups(mirror))
          : resolveParty(mirror, partyName, prefersGroups);
      const resolvedMeaning = ifResolved(lookup);
      if (resolvedMeaning === undefined) return [];
      const meaning = narrowToChamber(resolvedMeaning);
      if (groupNamesIn || matchesAllBearers) return [meaning];
      // A filter by one record uses the party, or without one the latest group.
      return [{ ...meaning, groups: meaning.party === null ? meaning.groups.slice(0, 1) : [] }];
    });
  });
  const isResolvedName = ({ asked, party, groups }: PartyMeaning) =>
    party !== null || groups.some(({ slug }) => slug !== asked);
  return meanings.filter(isResolvedName).map((meaning) => {
    const { successors: _, omitsParty: __, ...fields } = meaning;
    return { ...fields, note: resolutionNote(mirror, meaning) };
  });
}

/** Returns the field of an answer that lists resolved parties; an empty object if there are none. */
export function resolvedPartyFields(resolvedParties: ReturnType<typeof resolveParties>): Document {
  if (resolvedParties.length === 0) return {};
  return { taken: resolvedParties.map((each) => ({ ...each, note: `${each.note}` })) };
}

/** Returns what a name was resolved to: the party, its groups by chamber, earlier ones, and where members sit now. */
function resolutionNote(mirror: Mirror, { asked, party, groups, successors = [], omitsParty }: PartyMeaning): Phrase {
  const [onlyGroup] = groups.length === 1 && party === null ? groups : [];
  const currentGroups = onlyGroup?.end_date ? currentGroupsOfMembers(mirror, onlyGroup.slug) : [];
  const nameOf = createNameLookup(mirror);
  const labelOf = ({ slug }: PartyFacts) => nameOf('party', slug) ?? slug;
  return saying((speech) => {
    const parts = [...Map.groupBy(groups, ({ chamber }) => chamber)].map(([chamber, [latest, ...earlierGroups]]) => {
      const earlierNames = [...new Set(earlierGroups.map(({ short_name, name, slug }) => short_name ?? name ?? slug))];
      const isSuccessor = successors.some(({ slug }) => slug === latest!.slug);
      const reason = isSuccessor
        ? `, ${speech.say`in which most members of the former group of that name sit now`}`
        : '';
      const label = `${labelOf(latest!)}${periodText(latest!, speech)}${reason}`;
      const groupText = `${chamberText(chamber, speech)} ${label}`.trimStart();
      if (earlierNames.length === 0) return groupText;
      return `${groupText}, ${speech.say`before that ${earlierNames.join(', ')}`}`;
    });
    const movedText = currentGroups.length === 0 ? [] : [speech.render(currentGroupsHint(currentGroups, 'members'))];
    const omission = omitsParty ? [speech.say`members of the party alone are not included`] : [];
    const texts = [...(party === null ? [] : [labelOf(party)]), ...parts, ...movedText, ...omission];
    return speech.say`${asked}: ${clauses(texts)}`;
  });
}

function chamberText(chamber: string | null, speech: Speech): string {
  if (chamber === 'AN') return speech.say`in the Assemblée nationale`;
  if (chamber === 'Senat') return speech.say`in the Sénat`;
  return chamber === 'PE' ? speech.say`in the European Parliament` : '';
}

function periodText({ start_date, end_date }: PartyFacts, speech: Speech): string {
  if (end_date !== null) return ` ${speech.say`until ${speech.day(end_date)}`}`;
  return start_date === null ? '' : ` ${speech.say`since ${speech.day(start_date)}`}`;
}
