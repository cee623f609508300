import { affiliationsOn } from '../../model/affiliation.ts';
import { type Document, slugOf, textOf } from '../../model/document.ts';
import { columnOf, kindOf } from '../../model/kinds.ts';
import type { NamedKind } from '../../names/database.ts';
import type { StatedFacts } from '../../names/match.ts';
import type { Mirror } from '../../store/mirror.ts';
import { readRecord, recordName } from '../../store/record.ts';

/** An id of this API with its display name. */
export type Called = { id: string; name: string };

/** The entity types that can be reconciled. */
export const types: (Called & { id: NamedKind })[] = [
  { id: 'politician', name: 'Politician' },
  { id: 'party', name: 'Party or parliamentary group' },
];

/** A property value in the format of the API; an empty object means no value. */
export type Value = Called | { str: string } | { float: number } | { date: string } | Record<string, never>;

/** Settings of a requested property: maximum of values (0 for all), and the day on which they held. */
export type PropertySettings = { limit: number; date: string | null };

type Property = Called & {
  description: string;
  of: NamedKind;
  /** Type of its values if they are entities. */
  type?: NamedKind;
  values(mirror: Mirror, document: Document, settings: PropertySettings): Value[];
};

/** A field of a record as a property. */
function field(of: NamedKind, id: string, name: string): Property {
  return {
    id,
    of,
    name,
    description: columnOf(kindOf(of), id).description,
    values: (_mirror, document) => {
      const value = document[id];
      if (typeof value === 'number') return [{ float: value }];
      const text = textOf(document, id);
      if (text === null) return [];
      return [/^\d{4}-\d\d-\d\d$/.test(text) ? { date: text } : { str: text }];
    },
  };
}

/** Properties that can be added to a table, in the order in which they are proposed. */
export const properties: Property[] = [
  field('politician', 'slug', 'Slug'),
  {
    id: 'party',
    of: 'politician',
    name: 'Party',
    description: 'Present party, or with a day the parties and groups of that day.',
    type: 'party',
    values: (mirror, document, { date }) =>
      date === null
        ? partyValues(mirror, [slugOf(document.party)])
        : partyValues(
            mirror,
            affiliationsOn(document, date).map(({ party }) => slugOf(party)),
          ),
  },
  {
    id: 'group',
    of: 'politician',
    name: 'Parliamentary group',
    description: 'Present parliamentary group.',
    type: 'party',
    values: (mirror, document) => partyValues(mirror, [slugOf(document.group)]),
  },
  field('politician', 'current_role', 'Office'),
  field('politician', 'department', 'Department'),
  field('politician', 'constituency_number', 'Constituency'),
  field('politician', 'chamber', 'Chamber'),
  field('politician', 'birth_date', 'Day of birth'),
  field('politician', 'death_date', 'Day of death'),
  field('politician', 'profession', 'Profession'),
  {
    id: 'affiliations',
    of: 'politician',
    name: 'Affiliations',
    description: 'Parties and groups over time, in the order of the source; with a day those of that day.',
    type: 'party',
    values: (mirror, document, { date }) =>
      partyValues(
        mirror,
        affiliationsOn(document, date).map(({ party }) => slugOf(party)),
      ),
  },
  affiliationDays('start', 'First days of affiliations', 'First day of each affiliation, in the same order.'),
  affiliationDays('end', 'Last days of affiliations', 'Last day of each affiliation, in the same order.'),
  field('politician', 'website', 'Website'),
  field('party', 'slug', 'Slug'),
  field('party', 'short_name', 'Short name'),
  field('party', 'kind', 'Kind'),
  field('party', 'chamber', 'Chamber'),
  field('party', 'start_date', 'First day'),
  field('party', 'end_date', 'Last day'),
  field('party', 'member_count', 'Members'),
  field('party', 'description', 'Description'),
];

/** Facts that a query may state with a name, by property id; a group is matched like a party. */
export const factOf: Readonly<Record<string, keyof StatedFacts>> = {
  party: 'party',
  group: 'party',
  department: 'department',
  birth_date: 'born',
  date: 'date',
};

/** Properties that a query may state, for suggestions. */
export const comparable: (Called & { description: string })[] = [
  ...properties.filter(({ id, of }) => of === 'politician' && id in factOf),
  { id: 'date', name: 'Day', description: 'The day on which the party held.' },
].map(({ id, name, description }) => ({ id, name, description }));

function affiliationDays(side: 'start' | 'end', name: string, description: string): Property {
  return {
    id: `affiliation_${side}`,
    of: 'politician',
    name,
    description,
    values: (_mirror, document, { date }) =>
      affiliationsOn(document, date).map((each): Value => {
        const day = textOf(each, side);
        return day === null ? {} : { date: day };
      }),
  };
}

function partyValues(mirror: Mirror, slugs: (string | null)[]): Value[] {
  const known = slugs.filter((slug) => slug !== null);
  return known.map((slug) => ({ id: idOf('party', slug), name: recordName(mirror, 'party', slug) ?? slug }));
}

/** Id of an entity in the API, such as `party:SLUG`; `hemicycle show` accepts it too. */
export function idOf(kind: NamedKind, slug: string): string {
  return `${kind}:${slug}`;
}

/** The record that an id names, or null. */
export function entityOf(
  mirror: Mirror,
  id: string,
): { kind: NamedKind; slug: string; name: string; document: Document } | null {
  const [, kind, slug] = /^(politician|party):(.+)$/s.exec(id) ?? [];
  if (kind === undefined || slug === undefined) return null;
  const document = readRecord(mirror, kindOf(kind as NamedKind), slug);
  if (document === undefined) return null;
  return {
    kind: kind as NamedKind,
    slug,
    name: recordName(mirror, kind as NamedKind, slug) ?? slug,
    document,
  };
}

/** A few words of the record that distinguish homonyms. */
export function descriptionOf(mirror: Mirror, kind: NamedKind, document: Document): string {
  const party = slugOf(document.party);
  const said =
    kind === 'politician'
      ? [
          textOf(document, 'current_role'),
          party === null ? null : (recordName(mirror, 'party', party) ?? party),
          textOf(document, 'department'),
          textOf(document, 'birth_date'),
        ]
      : [textOf(document, 'short_name'), textOf(document, 'kind'), textOf(document, 'chamber')];
  return said.filter((each) => each !== null).join(' · ');
}
