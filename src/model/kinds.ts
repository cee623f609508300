/** How a value of a column is read, typed in files and described to people. */
export type ColumnType = 'text' | 'integer' | 'boolean' | 'date' | 'datetime' | 'json';

/** One field of a kind: the service's spelling, its type, and the sentence people read about it. */
export type Column = { name: string; type: ColumnType; description: string };

export type KindName =
  | 'politician'
  | 'party'
  | 'promise'
  | 'position'
  | 'quote'
  | 'source'
  | 'content'
  | 'speech'
  | 'ballot'
  | 'audit';

/** The fields of a record that full-text search reads, each analysed in its own way. */
export type SearchFields = { name: string[]; title: string[]; body: string[]; about: string[] };

/**
 * All that Hemicycle knows of one kind of record; tables, views, search fields, file headers, schemas and
 * the data dictionary are derived from it.
 */
export type Kind = {
  name: KindName;
  /** File, view, dataset and path name. */
  plural: string;
  /** Number that never changes: rows of one kind stand together in the mirror (`number * 2^40 + n`). */
  number: number;
  /** What one record is, for the dictionary. */
  description: string;
  /** Field that identifies a record; ballots add their chamber, records without one are known by content. */
  keyField: 'slug' | 'id' | 'scrutin_id';
  /** True for the six datasets that the service exports under ODbL 1.0. */
  dataset: boolean;
  /** True for the kinds that the service's feed lists. */
  feed: boolean;
  /** True for the kinds that the service's search covers. */
  searched: boolean;
  search: SearchFields;
  /** Fields that hold a set: their order carries no meaning. */
  sets: string[];
  columns: Column[];
  /** Columns that a list shows at a terminal. */
  listColumns: string[];
};

const text = (name: string, description: string): Column => ({ name, type: 'text', description });
const json = (name: string, description: string): Column => ({ name, type: 'json', description });
const date = (name: string, description: string): Column => ({ name, type: 'date', description });
const count = (name: string, description: string): Column => ({ name, type: 'integer', description });

const sourceIds = json('source_ids', 'Ids of the sources that support the record, as a list.');
const politician = text('politician', 'Slug of the politician whom the record is about.');
const party = text(
  'party',
  'Slug of the party or parliamentary group, as the source names it for that date.',
);
const topic = text('topic', 'Topic that the service files the record under.');
const day = date('date', 'Day of the fact, ISO 8601.');
const id = text('id', 'Identifier that the service gives to the record.');
const title = text('title', 'Title or short statement, as published.');
const body = text('text', 'Full text, as published.');
const url = text('url', 'Web address of the original.');

const fact: SearchFields = { name: [], title: ['title'], body: ['text', 'context'], about: ['politician'] };

export const kinds: readonly Kind[] = [
  {
    name: 'audit',
    plural: 'audit',
    number: 1,
    description: 'One moderation action from the public, anonymised log.',
    keyField: 'id',
    dataset: false,
    feed: false,
    searched: false,
    search: { name: [], title: [], body: [], about: [] },
    sets: [],
    columns: [
      id,
      text('role', 'Role of whoever acted; never a person.'),
      text('entity_type', 'Kind of record that the action touched.'),
      text('action', 'What was done.'),
      { name: 'date', type: 'datetime', description: 'Moment of the action, ISO 8601.' },
    ],
    listColumns: ['date', 'role', 'entity_type', 'action'],
  },
  {
    name: 'source',
    plural: 'sources',
    number: 2,
    description: 'A document that a record rests on.',
    keyField: 'id',
    dataset: true,
    feed: false,
    searched: false,
    search: { name: [], title: [], body: [], about: [] },
    sets: [],
    columns: [
      id,
      url,
      title,
      text('publisher', 'Who published the document.'),
      text('type', 'Kind of document.'),
      date('date', 'Day of publication, ISO 8601.'),
      text('licence', 'Licence that the publisher states.'),
    ],
    listColumns: ['id', 'publisher', 'title', 'date', 'url'],
  },
  {
    name: 'ballot',
    plural: 'ballots',
    number: 3,
    description: 'One public ballot (scrutin) of the lower house or the senate, with votes by party.',
    keyField: 'scrutin_id',
    dataset: false,
    feed: false,
    searched: false,
    search: { name: [], title: ['title'], body: ['dossier'], about: [] },
    sets: ['votes_by_party', 'source_ids'],
    columns: [
      text('scrutin_id', 'Identifier of the ballot within its chamber.'),
      text('chamber', 'AN for the Assemblée nationale, Senat for the Sénat.'),
      text('number', 'Number of the ballot in its session.'),
      text('legislature', 'Legislature of the Assemblée nationale.'),
      text('session', 'Parliamentary session.'),
      day,
      text('title', 'What was voted on, as the chamber words it.'),
      text('type', 'Kind of ballot, as the chamber words it.'),
      text('result', 'Result that the chamber announced; never derived from the counts.'),
      count(
        'required',
        'Votes needed for adoption, where the chamber states them (a motion of censure: the absolute majority).',
      ),
      json(
        'totals',
        'Counts of the whole chamber: for, against, abstention, non_voting; null where not published.',
      ),
      json(
        'votes_by_party',
        'Counts and majority position of each party or group; empty where not published.',
      ),
      text('dossier', 'Legislative file that the ballot belongs to.'),
      url,
      sourceIds,
    ],
    listColumns: ['chamber', 'scrutin_id', 'date', 'result', 'title'],
  },
  {
    name: 'quote',
    plural: 'quotes',
    number: 4,
    description: 'Words of a politician, verbatim.',
    keyField: 'id',
    dataset: true,
    feed: true,
    searched: false,
    search: fact,
    sets: ['source_ids'],
    columns: [id, politician, body, text('context', 'Where and when the words were said.'), day, sourceIds],
    listColumns: ['date', 'politician', 'text', 'context'],
  },
  {
    name: 'position',
    plural: 'positions',
    number: 5,
    description: 'A stated position of a politician or party, or the position of a group in a ballot.',
    keyField: 'id',
    dataset: true,
    feed: true,
    searched: false,
    search: fact,
    sets: ['source_ids'],
    columns: [
      id,
      politician,
      party,
      topic,
      title,
      body,
      text('stance', 'Position taken in a ballot: pour, contre or abstention.'),
      day,
      text('ballot_id', 'Ballot in which the position was taken.'),
      sourceIds,
    ],
    listColumns: ['date', 'politician', 'party', 'topic', 'stance', 'title'],
  },
  {
    name: 'promise',
    plural: 'promises',
    number: 6,
    description: 'A promise that a politician made to the voters.',
    keyField: 'id',
    dataset: true,
    feed: true,
    searched: false,
    search: fact,
    sets: ['source_ids'],
    columns: [
      id,
      politician,
      party,
      title,
      body,
      topic,
      day,
      text('status', 'Status as the service states it; null where it states none.'),
      text('election', 'Election for which the promise was made.'),
      sourceIds,
    ],
    listColumns: ['date', 'politician', 'topic', 'title'],
  },
  {
    name: 'speech',
    plural: 'speeches',
    number: 7,
    description: 'A turn of speech in a chamber or a debate.',
    keyField: 'id',
    dataset: false,
    feed: false,
    searched: true,
    search: fact,
    sets: ['source_ids'],
    columns: [
      id,
      politician,
      party,
      topic,
      text('chamber', 'Chamber where it was given.'),
      title,
      body,
      day,
      url,
      sourceIds,
    ],
    listColumns: ['date', 'politician', 'title'],
  },
  {
    name: 'content',
    plural: 'content',
    number: 8,
    description: 'A published text of a politician or party, such as an amendment.',
    keyField: 'id',
    dataset: false,
    feed: true,
    searched: true,
    search: { ...fact, body: ['text', 'dossier'] },
    sets: ['source_ids'],
    columns: [
      id,
      text('kind', 'What the text is.'),
      politician,
      party,
      topic,
      title,
      body,
      text('dossier', 'Legislative file that the text belongs to.'),
      text('outcome', 'What became of it, as the source words it.'),
      day,
      url,
      sourceIds,
    ],
    listColumns: ['date', 'politician', 'party', 'title'],
  },
  {
    name: 'party',
    plural: 'parties',
    number: 9,
    description: 'A political party or parliamentary group.',
    keyField: 'slug',
    dataset: true,
    feed: false,
    searched: true,
    search: { name: ['name', 'short_name'], title: [], body: ['description'], about: [] },
    sets: ['members', 'sources', 'source_ids'],
    columns: [
      text('slug', 'Identifier of the party in addresses.'),
      text('name', 'Name of the party.'),
      text('short_name', 'Usual abbreviation.'),
      text('kind', 'Party or parliamentary group.'),
      text('chamber', 'Chamber of a parliamentary group.'),
      text('description', 'What the service says about the party.'),
      date('start_date', 'First day, ISO 8601.'),
      date('end_date', 'Last day, ISO 8601; null while it lasts.'),
      count('member_count', 'Number of members that the service counts.'),
      sourceIds,
    ],
    listColumns: ['slug', 'name', 'short_name', 'kind', 'chamber', 'member_count'],
  },
  {
    name: 'politician',
    plural: 'politicians',
    number: 10,
    description: 'A political figure.',
    keyField: 'slug',
    dataset: true,
    feed: false,
    searched: true,
    search: { name: ['full_name'], title: ['current_role'], body: ['bio'], about: [] },
    sets: ['positions', 'promises', 'quotes', 'affiliations', 'sources', 'source_ids'],
    columns: [
      text('slug', 'Identifier of the politician in addresses.'),
      text('full_name', 'Usual full name.'),
      text('current_role', 'Present office or mandate.'),
      text('party', 'Slug of the present party.'),
      text('bio', 'Short biography.'),
      json('affiliations', 'Parties and groups over time: party, role, start, end.'),
      sourceIds,
      text('updated_at', 'When the service last touched the record, ISO 8601.'),
    ],
    listColumns: ['slug', 'full_name', 'current_role', 'party', 'updated_at'],
  },
];

const byName = new Map<string, Kind>(kinds.map((kind) => [kind.name, kind]));
const byWord = new Map<string, Kind>(
  kinds.flatMap((kind) => [
    [kind.plural, kind],
    [kind.name, kind],
  ]),
);

/** The kind of that name; throws on a name that is not in the table. */
export function kindOf(name: KindName): Kind {
  const kind = byName.get(name);
  if (!kind) throw new TypeError(`no kind is named ${name}`);
  return kind;
}

/** The kind that a person means by a singular or plural name, or undefined. */
export function findKind(word: string): Kind | undefined {
  return byWord.get(word.toLowerCase());
}

/** The six kinds that the service exports as whole datasets. */
export const datasets: readonly Kind[] = [
  'politician',
  'party',
  'promise',
  'position',
  'quote',
  'source',
].map((name) => kindOf(name as KindName));

/** The type and description of a field of a kind; fields that the service added are text or JSON unknown to us. */
export function columnOf(kind: Kind, name: string): Column {
  return (
    kind.columns.find((column) => column.name === name) ?? {
      name,
      type: 'text',
      description: 'A field of the service that Hemicycle passes on as it came.',
    }
  );
}
