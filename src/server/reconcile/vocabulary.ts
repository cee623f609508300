import { affiliationsOn } from '../../model/affiliation.ts';
import { type Document, type Json, slugOf, textOf } from '../../model/document.ts';
import { columnOf, kindOf } from '../../model/kinds.ts';
import type { NamedKind } from '../../names/database.ts';
import type { DeclaredFacts } from '../../names/match.ts';
import type { Mirror } from '../../store/mirror.ts';
import { readRecord, recordName } from '../../store/record.ts';

/** An id of the Reconciliation API with its display name. */
export type NamedItem = { id: string; name: string; description?: string };

/** Entity types that can be reconciled. */
export const entityTypes: (NamedItem & { id: NamedKind })[] = [
  { id: 'politician', name: 'Politician' },
  { id: 'party', name: 'Party or parliamentary group' },
];

/** Returns the type with that id in a list; an empty list if there is none. */
export const typesOf = (id: string) => entityTypes.filter((type) => type.id === id);

/** A property value in the format of the API; an empty object means no value. */
export type PropertyValue = NamedItem | { str: string } | { float: number } | { date: string } | Record<string, never>;

type Property = NamedItem & {
  description: string;
  entityKind: NamedKind;
  type?: NamedKind;
  /** Fact of name matching that a query may pass as this property; a group is matched like a party. */
  fact?: keyof DeclaredFacts;
  /** Returns the values; of a property that changes over time, those on `day` unless that is null. */
  values(mirror: Mirror, document: Document, day: string | null): PropertyValue[];
};

const dateValue = (day: string): PropertyValue => ({ date: `${day}T00:00:00` });

function fieldProperty(entityKind: NamedKind, id: string, name: string, fact?: keyof DeclaredFacts): Property {
  return {
    id,
    entityKind,
    name,
    fact,
    description: columnOf(kindOf(entityKind), id).description,
    values: (_mirror, document) => {
      const value = document[id];
      if (typeof value === 'number') return [{ float: value }];
      const text = textOf(document, id);
      if (text === null) return [];
      return [/^\d{4}-\d\d-\d\d$/.test(text) ? dateValue(text) : { str: text }];
    },
  };
}

function affiliationProperty(
  item: Required<NamedItem> & { fact?: keyof DeclaredFacts },
  partiesOf: (document: Document, day: string | null) => (Json | undefined)[],
): Property {
  return {
    ...item,
    entityKind: 'politician',
    type: 'party',
    values: (mirror, document, day) =>
      partiesOf(document, day).flatMap((party) => {
        const slug = slugOf(party);
        return slug === null ? [] : [{ id: idOf('party', slug), name: nameOrSlug(mirror, 'party', slug) }];
      }),
  };
}

const partiesOn = (document: Document, day: string | null) => affiliationsOn(document, day).map(({ party }) => party);

/** Properties that can be added to a table, in the order in which they are proposed. */
export const properties: Property[] = [
  fieldProperty('politician', 'slug', 'Slug'),
  affiliationProperty(
    {
      id: 'party',
      name: 'Party',
      description: 'Current party; with a date, the parties and groups on that date.',
      fact: 'party',
    },
    (document, day) => (day === null ? [document.party] : partiesOn(document, day)),
  ),
  affiliationProperty(
    { id: 'group', name: 'Parliamentary group', description: 'Current parliamentary group.', fact: 'party' },
    ({ group }) => [group],
  ),
  fieldProperty('politician', 'current_role', 'Office'),
  fieldProperty('politician', 'department', 'Department', 'department'),
  fieldProperty('politician', 'constituency_number', 'Constituency'),
  fieldProperty('politician', 'chamber', 'Chamber'),
  fieldProperty('politician', 'birth_date', 'Day of birth', 'born'),
  fieldProperty('politician', 'death_date', 'Day of death'),
  fieldProperty('politician', 'profession', 'Profession'),
  affiliationProperty(
    {
      id: 'affiliations',
      name: 'Affiliations',
      description: 'Parties and groups over time, in the order of the source; with a date, those on that date.',
    },
    partiesOn,
  ),
  affiliationDays('start', 'First days of affiliations', 'First day of each affiliation, in the same order.'),
  affiliationDays('end', 'Last days of affiliations', 'Last day of each affiliation, in the same order.'),
  fieldProperty('politician', 'website', 'Website'),
  fieldProperty('party', 'slug', 'Slug'),
  fieldProperty('party', 'short_name', 'Short name'),
  fieldProperty('party', 'kind', 'Kind'),
  fieldProperty('party', 'chamber', 'Chamber'),
  fieldProperty('party', 'start_date', 'First day'),
  fieldProperty('party', 'end_date', 'Last day'),
  fieldProperty('party', 'member_count', 'Members stated by the service, undated'),
  fieldProperty('party', 'description', 'Description'),
];

/** Properties that a query may pass in addition to a name. */
export const matchingProperties: (Required<NamedItem> & { fact: keyof DeclaredFacts })[] = [
  ...properties.flatMap(({ id, name, description, fact }) => (fact ? [{ id, name, description, fact }] : [])),
  { id: 'date', name: 'Day', description: 'Date to which the party applies.', fact: 'date' },
];

function affiliationDays(side: 'start' | 'end', name: string, description: string): Property {
  return {
    id: `affiliation_${side}`,
    entityKind: 'politician',
    name,
    description,
    values: (_mirror, document, day) =>
      affiliationsOn(document, day).map((each): PropertyValue => {
        const sideDay = textOf(each, side);
        return sideDay === null ? {} : dateValue(sideDay);
      }),
  };
}

/** Returns the id of an entity in the API, such as `party:SLUG`; `hemicycle show` accepts it too. */
export const idOf = (kind: NamedKind, slug: string): string => `${kind}:${slug}`;

const nameOrSlug = (mirror: Mirror, kind: NamedKind, slug: string): string => recordName(mirror, kind, slug) ?? slug;

/** A politician or party with an id; `description` has a few words that distinguish homonyms. */
export type Entity = Required<NamedItem> & { kind: NamedKind; slug: string; document: Document };

const descriptionFields = {
  politician: ['current_role', 'party', 'department', 'birth_date'],
  party: ['short_name', 'kind', 'chamber'],
};

/** Returns the entity of an id such as `party:SLUG`; null if the id is invalid or there is no such record. */
export function entityOf(mirror: Mirror, id: string): Entity | null {
  const groups = /^(?<kind>politician|party):(?<slug>.+)$/s.exec(id)?.groups;
  if (!groups) return null;
  const { kind, slug } = groups as { kind: NamedKind; slug: string };
  const document = readRecord(mirror, kindOf(kind), slug);
  if (document === undefined) return null;
  const party = slugOf(document.party);
  const facts = descriptionFields[kind].map((field) =>
    field === 'party' ? party && nameOrSlug(mirror, 'party', party) : textOf(document, field),
  );
  const description = facts.filter((each) => each !== null).join(' · ');
  return { id, kind, slug, name: nameOrSlug(mirror, kind, slug), description, document };
}
