import { type Document, documentsIn, slugOf, textOf } from './document.ts';
import { dayAfter } from './moment.ts';

export const affiliationEvents = ['began', 'ended'] as const;
type AffiliationEvent = (typeof affiliationEvents)[number];

/** Start or end (`event`) of an affiliation on a day, with the affiliation's published fields. */
export type AffiliationDay = ReturnType<typeof affiliationDays>[number] & {
  /** For a move, the previous party or group, and its last day. */
  from?: string;
  from_name?: string | null;
  from_end?: string | null;
};

/** The distinct affiliations of a politician in source order. */
export function affiliationsIn({ affiliations }: Document): Document[] {
  const contentOf = (each: Document) =>
    JSON.stringify(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)));
  return [...new Map(documentsIn(affiliations).map((each) => [contentOf(each), each])).values()];
}

/** Affiliations sorted by their first day, the latest first; undated ones last. */
export function sortLatestFirst(affiliations: readonly Document[]): Document[] {
  const startOf = ({ start }: Document) => (/^\d{4}(-\d\d){0,2}($|T)/.test(`${start}`) ? `${start}` : '');
  return affiliations.toSorted((one, other) => startOf(other).localeCompare(startOf(one)));
}

/** The affiliations of a politician between two days (ISO 8601), in source order; all of them if `since` is null. */
export function affiliationsOn(politician: Document, since: string | null, until = since): Document[] {
  const all = affiliationsIn(politician);
  if (since === null) return all;
  return all.filter((each) => {
    const start = textOf(each, 'start');
    const end = textOf(each, 'end');
    return (start === null || start <= until!) && (end === null || since <= end);
  });
}

/** Slugs of a politician's parties and groups between two days (ISO 8601); null `since`: present and all former. */
export function partiesOf(politician: Document, since: string | null, until = since): string[] {
  const currentReferences = since === null ? [politician.party, politician.group] : [];
  const parties = affiliationsOn(politician, since, until).map(({ party }) => party);
  return [...currentReferences, ...parties].map((each) => slugOf(each)).filter((slug) => slug !== null);
}

/** An entry for the first and one for the last day of an affiliation; none for a day that is not published. */
export function affiliationDays(politician: Document, affiliation: Document) {
  const start = textOf(affiliation, 'start');
  const end = textOf(affiliation, 'end');
  const facts = {
    politician: textOf(politician, 'slug') ?? '',
    full_name: textOf(politician, 'full_name'),
    party: slugOf(affiliation.party),
    party_name: null as string | null, // set by the store
    role: textOf(affiliation, 'role'),
    start,
    end,
  };
  const dayOf = (event: AffiliationEvent, date: string | null) => (date === null ? [] : [{ date, event, ...facts }]);
  return [...dayOf('began', start), ...dayOf('ended', end)];
}

/** A continuous interval of a politician in a party or group; `last` is null while it lasts. */
export type Stay = { party: string; first: string; last: string | null };

/** A politician's intervals, earliest first; joins overlapping and adjacent ones in a party, omits undated ones. */
export function staysOf({ affiliations }: Document): Stay[] {
  const datedStays = documentsIn(affiliations).flatMap((each): Stay[] => {
    const party = slugOf(each.party);
    const first = textOf(each, 'start');
    const last = textOf(each, 'end');
    return party !== null && first !== null && !Number.isNaN(Date.parse(last ?? first)) ? [{ party, first, last }] : [];
  });
  const stays: Stay[] = [];
  for (const each of datedStays.sort((one, other) => Date.parse(one.first) - Date.parse(other.first))) {
    const previous = stays.findLast(({ party }) => party === each.party);
    if (!previous || (previous.last !== null && each.first > dayAfter(previous.last))) stays.push(each);
    else if (previous.last !== null && (each.last === null || each.last > previous.last)) previous.last = each.last;
  }
  return stays;
}
