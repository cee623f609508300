import { chambers } from './ballot.ts';
import type { Column, ColumnType } from './kind.ts';

const columnOfType =
  (type: ColumnType) =>
  (name: string, description: string, more: Partial<Column> = {}): Column => ({
    name,
    type,
    description,
    ...more,
  });

/** Makes a column of each type from its name and description. */
export const column = {
  text: columnOfType('text'),
  integer: columnOfType('integer'),
  number: columnOfType('number'),
  date: columnOfType('date'),
  datetime: columnOfType('datetime'),
  json: columnOfType('json'),
};

const { text, integer, date, json } = column;

/** Option of a column that is always present and never null. */
export const stated = { isStated: true } as const;

/** Option of a column that is always present, though maybe null. */
export const present = { isPresent: true } as const;

export const id = text('id', 'Identifier that the service gives to the record.');
export const title = text('title', 'Title or short statement, as published.');
export const body = text('text', 'Full text, as published.');
export const factDate = date('date', 'Day of the fact, ISO 8601.');
export const url = text('url', 'Web address of the original.');
export const topic = text('topic', 'Topic that the service files the record under.', { isReference: true });
export const aboutPolitician = text(
  'politician',
  'Slug of the politician whom the record is about (`slug` of politicians).',
  {
    isReference: true,
  },
);
export const ofParty = text(
  'party',
  'Slug of the party or parliamentary group (`slug` of parties), as the source names it for that date.',
  { isReference: true },
);
export const sourceIds = json(
  'source_ids',
  'Ids of the sources that support the record (`id` of sources), as a list.',
  {
    inside: { list: 'ids' },
  },
);

export const affiliationList = json(
  'affiliations',
  'Parties and groups over time: party, role, start, end.',
  {
    inside: {
      list: [
        text('party', 'Slug of the party or group.', { isReference: true }),
        text('role', 'Role in it, as the source words it.'),
        date('start', 'First day, ISO 8601.'),
        date('end', 'Last day, ISO 8601; null while it lasts.'),
      ],
    },
  },
);

const counts = [
  integer('for', 'Votes for; null where none is published.', present),
  integer('against', 'Votes against; null where none is published.', present),
  integer('abstention', 'Abstentions; null where none are published.', present),
  integer('non_voting', 'Members who took no part; null where they are not counted.', present),
];

/**
 * Counts of a ballot, or of a group in one, with prefixed names for flat files: `for` is a keyword in SQL, R
 * and Python.
 */
export const flatCounts = counts.map(({ name, type, description }) =>
  columnOfType(type)(`votes_${name}`, description),
);

/** Counts of a ballot that flat files have in addition to its totals. */
export const flatTotals = [
  ...flatCounts,
  integer('voters', 'Number of members who voted; null where the source does not state it.'),
  integer(
    'expressed',
    'Number of votes expressed (suffrages exprimés); null where the source does not state it.',
  ),
];

/** Columns of the votes of a party or group in one ballot. */
export const partyVotes = [
  text('party', 'Slug of the party or group.', present),
  text('party_name', 'Name of the party or group.', present),
  ...counts,
  text('position', 'Position of the party, where the source states one.', present),
  integer('members', 'Number of members of the party or group, where the source states it.'),
];

/** Every column of a ballot. */
export const ballotColumns = [
  text('scrutin_id', 'Identifier of the ballot within its chamber.', stated),
  text('chamber', 'AN for the Assemblée nationale, Senat for the Sénat.', {
    isStated: true,
    words: chambers,
  }),
  text('number', 'Number of the ballot in its session.'),
  text('legislature', 'Legislature of the Assemblée nationale.'),
  text('session', 'Parliamentary session.'),
  { ...factDate, ...present },
  text('title', 'What was voted on, as the chamber words it.', present),
  text('type', 'Kind of ballot, as the chamber words it.'),
  text('result', 'Result that the chamber announced; never derived from the counts.', present),
  integer(
    'required',
    'Votes needed for adoption, where the chamber states them (a motion of censure: the absolute majority).',
    present,
  ),
  json(
    'totals',
    'Counts of the whole chamber: for, against, abstention, non_voting; null where not published.',
    {
      ...present,
      inside: {
        fields: [
          ...counts,
          integer('voters', 'Number of members who voted, where the source states it.'),
          integer('expressed', 'Number of votes expressed (suffrages exprimés), where the source states it.'),
        ],
      },
    },
  ),
  json('votes_by_party', 'Counts and majority position of each party or group; empty where not published.', {
    isStated: true,
    inside: { list: partyVotes },
  }),
  text('dossier', 'Legislative file that the ballot belongs to.'),
  url,
  sourceIds,
];

/** Column for the changed fields of a version, compared to the version before it. */
export const changedFields = (name: string, description: string) =>
  json(name, description, {
    isStated: true,
    inside: {
      list: [
        text('field', 'Name of the field.', stated),
        json('old', 'What it said; null where it said nothing.', present),
        json('new', 'What it says; null where it says nothing.', present),
      ],
    },
  });

/** Fields that services add to politicians beyond the specified interface. */
export const personal = [
  text('first_name', 'First name.'),
  text('last_name', 'Family name.'),
  text('gender', 'Gender, in the letter or word of the source (H and F in French sources).'),
  date('birth_date', 'Day of birth, ISO 8601.'),
  text('birth_place', 'Place of birth, as the source words it.'),
  date('death_date', 'Day of death, ISO 8601; null where none is known.'),
  text('profession', 'Profession, as the source words it.'),
  text('party_name', 'Name of the present party.'),
  text('group', 'Slug of the present parliamentary group (`slug` of parties).'),
  text('chamber', 'Chamber of the present mandate: AN, Senat, or PE for the European Parliament.'),
  text('department', 'Department of the present mandate.'),
  text('constituency_number', 'Number of the constituency within its department.'),
  text('website', 'Web address of the politician, as the source writes it.'),
];
