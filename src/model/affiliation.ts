import { type Document, documentsIn, slugOf, textOf } from './document.ts';

/** What happened on a day of an affiliation. */
export const affiliationEvents = ['began', 'ended'] as const;
export type AffiliationEvent = (typeof affiliationEvents)[number];

/** The first or the last day of an affiliation, as its source states it. */
export type Affiliation = {
  date: string;
  event: AffiliationEvent;
  politician: string;
  full_name: string | null;
  party: string | null;
  party_name: string | null;
  role: string | null;
  start: string | null;
  end: string | null;
};

/** The affiliations of a politician on a day (ISO 8601), in source order; all of them for null. */
export function affiliationsOn({ affiliations }: Document, date: string | null): Document[] {
  const all = documentsIn(affiliations);
  if (date === null) return all;
  return all.filter((each) => {
    const [start, end] = [textOf(each, 'start'), textOf(each, 'end')];
    return (start === null || start <= date) && (end === null || date <= end);
  });
}

/** Slugs of a politician's parties and groups, on a day (ISO 8601) or, for null, at any time. */
export function partiesOf(politician: Document, date: string | null): string[] {
  const present = date === null ? [politician.party, politician.group] : [];
  const affiliated = affiliationsOn(politician, date).map(({ party }) => party);
  return [...present, ...affiliated].map((each) => slugOf(each)).filter((slug) => slug !== null);
}

/** The first and the last day of one of a politician's affiliations, as far as its source states them. */
export function affiliationDays(politician: Document, affiliation: Document): Affiliation[] {
  const [start, end] = [textOf(affiliation, 'start'), textOf(affiliation, 'end')];
  const said = {
    politician: textOf(politician, 'slug') ?? '',
    full_name: textOf(politician, 'full_name'),
    party: slugOf(affiliation.party),
    party_name: null,
    role: textOf(affiliation, 'role'),
    start,
    end,
  };
  return [
    ...(start === null ? [] : [{ date: start, event: 'began' as const, ...said }]),
    ...(end === null ? [] : [{ date: end, event: 'ended' as const, ...said }]),
  ];
}
