import { staysOf } from '../../model/affiliation.ts';
import { column, flatCounts, partyVotes } from '../../model/columns.ts';
import { type Document, documentsIn, type Json, slugOf, textOf } from '../../model/document.ts';
import { facetsOf, keyOf } from '../../model/facets.ts';
import { groupRowColumns, groupRows } from '../../model/group-rows.ts';
import { type Column, columnOf, type Kind, type KindName, kindOf, kinds } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { holds } from '../record.ts';
import { canFilter, type KeyedFilter, type RowFilter, rows } from '../rows.ts';
import type { Reference } from './references.ts';

/** Parts of a table that depend on the filter; `key` has the columns of its primary key, or is empty. */
type Content = { columns: Column[]; key: string[]; references: Reference[]; rows: () => Iterable<Document> };

/** A table of the parts nested in records: one row each, for spreadsheets and databases. */
export type TidyTable = {
  name: string;
  description: string;
  line: string;
  /** Source kinds: the oldest decides its age, the first its licence. */
  kinds: readonly [KindName, ...KindName[]];
  filters: readonly (keyof RowFilter)[];
  /** True if its columns depend on the data, so that it is not part of "everything". */
  isWide?: true;
  /** Yields the rows of one record, which the key columns except the last identify. */
  derive?(kind: Kind, document: Document): Iterable<Document>;
  /** Yields rows that need several records; `has` tests for a stored record of the kind `keyed`. */
  compose?(all: (kind: KindName) => Iterable<Document>, has: (key: string) => boolean): Iterable<Document>;
  keyed?: KindName;
  /** Fields that it reads beyond keys, and the kind whose records each yield their own rows. */
  reads?: string[];
  split?: KindName;
  content(mirror: Mirror, filter: KeyedFilter): Content;
};

/** Creates a table with fixed columns: a filter by one of its columns selects rows, any other selects records. */
function tidyTable({ columns, ...table }: Omit<TidyTable, 'content'> & Omit<Content, 'rows'>): TidyTable {
  const { kinds, key, references, derive, compose } = table;
  function* derived(mirror: Mirror, filter: KeyedFilter): Generator<Document> {
    for (const kind of kinds.map(kindOf).filter((each) => canFilter(each, filter)))
      for (const document of rows(mirror, kind, filter)) yield* derive!(kind, document);
  }
  return {
    ...table,
    content: (mirror, { voters, ...filter }) => ({
      ...{ columns, key, references },
      *rows() {
        const activeFilters = Object.entries(filter).filter(([, value]) => value !== undefined);
        const isOfRows = ([name]: [string, unknown]) => columns.some((column) => column.name === name);
        const ofRows = activeFilters.filter(isOfRows);
        const ofRecords = Object.fromEntries(activeFilters.filter((each) => !isOfRows(each)));
        const has = (record: string) => holds(mirror, table.keyed!, record);
        for (const row of compose?.((kind) => rows(mirror, kindOf(kind)), has) ?? derived(mirror, ofRecords))
          if (isOf(voters, row) && ofRows.every(([name, value]) => row[name] === value)) yield row;
      },
    }),
  };
}

const isOf = (voters: RowFilter['voters'], row: Document) => voters?.includes(String(row.party)) ?? true;

const { text, integer, date } = column;
const field = (kind: KindName, name: string): Column => columnOf(kindOf(kind), name);
const positionColumn = integer('n', 'Place in the list of the source, from 1; it moves with the order of that list.');
const partySlug = text('party', 'Slug of the party or group (`slug` of parties).');
const toPoliticians: Reference = { columns: ['politician'], table: 'politicians', keys: ['slug'] };
const toParties: Reference = { columns: ['party'], table: 'parties', keys: ['slug'] };
const toBallots: Reference = { columns: ['ballot'], table: 'ballots', keys: ['ballot'] };

const votesColumns: Column[] = groupRowColumns.map(
  (name) => [...flatCounts, ...partyVotes].find((candidate) => candidate.name === name) ?? field('ballot', name),
);

const votes = tidyTable({
  name: 'votes',
  line: 'a ballot and a party or group',
  description: 'The votes of one party or group in one ballot.',
  kinds: ['ballot'],
  filters: ['party', 'since', 'ballots'],
  *derive(_, document) {
    for (const [at, row] of groupRows(document).entries()) yield { ...row, n: at + 1 };
  },
  columns: [...votesColumns.slice(0, 3), positionColumn, ...votesColumns.slice(3)],
  key: ['ballot', 'n'],
  references: [toBallots, toParties],
});

const ballotColumns = ['ballot', 'chamber', 'scrutin_id', 'date', 'title', 'result'];
const choice = text('choice', 'What the counts in the row are of, as the interface words it.', {
  words: ['for', 'against', 'abstention', 'non_voting'],
});

const votesWide: TidyTable = {
  name: 'votes-wide',
  line: 'a ballot and a choice, a column for each group',
  description:
    'The votes of one ballot, for one choice, with a column for each party or group; those that the source does not name have none.',
  kinds: ['ballot'],
  filters: ['party', 'since', 'ballots'],
  isWide: true,
  content(mirror, { voters, ...filter }) {
    const ballots = function* () {
      for (const document of rows(mirror, kindOf('ballot'), filter))
        yield groupRows(document).filter((row) => isOf(voters, row));
    };
    const names = new Map<string, Json>();
    for (const groups of ballots())
      for (const row of groups) {
        const group = textOf(row, 'party', 'party_name');
        if (group !== null) names.set(group, row.party_name ?? null);
      }
    const groups = [...names.keys()].sort();
    const described = groups.map((name) =>
      integer(name, `Votes of ${names.get(name) ?? name}; empty where none are published, or it took no part.`),
    );
    return {
      columns: [...ballotColumns.map((name) => field('ballot', name)), choice, ...described],
      key: ['ballot', 'choice'],
      references: [toBallots],
      *rows() {
        for (const groups of ballots())
          for (const word of groups.length > 0 ? choice.words! : []) yield wideRow(groups, word);
      },
    };
  },
};

/** Votes of a group that a ballot lists twice are ambiguous, so null. */
function wideRow(groups: Document[], word: string): Document {
  const row: Document = Object.fromEntries(ballotColumns.map((name) => [name, groups[0]![name] ?? null]));
  row.choice = word;
  const visitedNames = new Set<string>();
  for (const group of groups) {
    const name = textOf(group, 'party', 'party_name');
    if (name === null) continue;
    row[name] = visitedNames.has(name) ? null : (group[`votes_${word}`] ?? null);
    visitedNames.add(name);
  }
  return row;
}

const { list: affiliationParts } = field('politician', 'affiliations').inside as { list: Column[] };
const columnOfPart = (name: string) => (['start', 'end'].includes(name) ? `${name}_date` : name);

const affiliations = tidyTable({
  name: 'affiliations',
  line: 'a politician in a party or group',
  description:
    'A politician in a party or group, from one day to another, as the source states it. Parties and groups are mixed: `kind` of parties tells them apart. Some have no day at all, which says nothing of when.',
  kinds: ['politician'],
  filters: ['politician', 'party'],
  *derive(kind, document) {
    const key = keyOf(kind, document);
    for (const [at, part] of documentsIn(document.affiliations).entries()) {
      const cells = affiliationParts.map(({ name }) => [columnOfPart(name), part[name] ?? null] as const);
      yield { politician: key, n: at + 1, ...Object.fromEntries(cells), party: slugOf(part.party) };
    }
  },
  columns: [
    ...[field('quote', 'politician'), positionColumn],
    ...affiliationParts.map((part) => ({ ...part, name: columnOfPart(part.name) })),
  ],
  key: ['politician', 'n'],
  references: [toPoliticians, toParties],
});

const membershipDays = tidyTable({
  name: 'membership_days',
  line: 'an unbroken stay of a politician in a party or group',
  description:
    'The days of a politician in a party or group: affiliations that overlap or follow day by day are one row, undated ones none.',
  kinds: ['politician', 'party'],
  filters: ['politician', 'party'],
  reads: ['affiliations', 'kind'],
  split: 'politician',
  *compose(documents) {
    const sorts = new Map([...documents('party')].map((each) => [each.slug, textOf(each, 'kind')]));
    for (const document of documents('politician'))
      for (const [at, { party, first, last }] of staysOf(document).entries())
        yield {
          ...{ politician: keyOf(kindOf('politician'), document), n: at + 1, party },
          ...{ kind: sorts.get(party) ?? null, first_day: first, last_day: last },
        };
  },
  columns: [
    field('quote', 'politician'),
    integer('n', 'Which stay of the politician, from 1, the earliest first.'),
    partySlug,
    text('kind', 'Kind of the party or group (`kind` of parties); null where the mirror does not hold it.'),
    date('first_day', 'First day of the stay.'),
    date('last_day', 'Last day of it; null while it lasts.'),
  ],
  key: ['politician', 'n'],
  references: [toPoliticians, toParties],
});

const partyMembers = tidyTable({
  name: 'party_members',
  line: 'a member of a party or group',
  description: 'A present member of a party or group: whom the service lists, or else whose profile names it.',
  kinds: ['politician', 'party'],
  filters: ['politician', 'party'],
  reads: ['party', 'party_slug', 'group', 'members'],
  *compose(documents) {
    const membersFromProfiles = membersByParty(documents('politician'));
    for (const document of documents('party')) {
      const key = keyOf(kindOf('party'), document);
      const statedMembers = Array.isArray(document.members) ? document.members.map(slugOf) : null;
      for (const slug of new Set(statedMembers ?? membersFromProfiles.get(key)))
        if (slug !== null) yield { party: key, politician: slug };
    }
  },
  columns: [partySlug, text('politician', 'Slug of the member (`slug` of politicians).')],
  key: ['party', 'politician'],
  references: [toParties, toPoliticians],
});

function membersByParty(politicians: Iterable<Document>): Map<string, string[]> {
  const members = new Map<string, string[]>();
  for (const document of politicians) {
    const { key, party, group } = facetsOf(kindOf('politician'), document);
    for (const each of [party, group]) if (each !== null) members.set(each, [...(members.get(each) ?? []), key]);
  }
  return members;
}

const positionBallots = tidyTable({
  name: 'position_ballots',
  line: 'a position and the ballot that it names',
  description: 'A position and the ballot that it names, where the mirror holds one alone of that id.',
  kinds: ['position', 'ballot'],
  filters: [],
  keyed: 'ballot',
  reads: ['ballot_id'],
  *compose(documents, has) {
    for (const document of documents('position')) {
      const id = textOf(document, 'ballot_id');
      const existingKeys = ['', 'AN:', 'Senat:'].map((chamber) => `${chamber}${id}`).filter(has);
      if (existingKeys.length === 1) yield { position: keyOf(kindOf('position'), document), ballot: existingKeys[0]! };
    }
  },
  columns: [text('position', 'Id of the position (`id` of positions).'), field('ballot', 'ballot')],
  key: ['position'],
  references: [{ columns: ['position'], table: 'positions', keys: ['id'] }, toBallots],
});

/** A table with a row per source of a record; dataset records have their own table because their licence differs. */
function sourcesTable(name: string, of: string, cited: readonly Kind[]): TidyTable {
  const [first, ...otherKinds] = cited.map((kind) => kind.name);
  return tidyTable({
    name,
    line: `a record of ${of} and a source of it`,
    description: `A record of ${of}, and a source that supports it.`,
    kinds: [first!, ...otherKinds],
    filters: ['politician', 'party', 'since'],
    *derive(kind, document) {
      for (const id of citedBy(document)) yield { kind: kind.name, key: keyOf(kind, document), source_id: id };
    },
    columns: [
      text('kind', 'Kind of the record.', { words: [first!, ...otherKinds] }),
      text('key', 'Key of the record: its slug or id; of a ballot `CHAMBER:SCRUTIN_ID`.'),
      text('source_id', 'Id of the source (`id` of sources).'),
    ],
    key: ['kind', 'key', 'source_id'],
    references: [{ columns: ['source_id'], table: 'sources', keys: ['id'] }],
  });
}

/** The distinct ids of the sources that a record names. */
export function citedBy({ source_ids }: Document): Set<string> {
  return new Set(Array.isArray(source_ids) ? source_ids.filter((id) => typeof id === 'string') : []);
}

const citesSources = ({ columns }: Kind) => columns.some(({ name }) => name === 'source_ids');

/** Kinds whose records name sources: those of the six datasets, and the others. */
const [ofDatasets, ofOtherKinds] = [true, false].map((dataset) =>
  [...kinds].reverse().filter((kind) => kind.dataset === dataset && citesSources(kind)),
);

/** Every tidy table. */
export const tidyTables: readonly TidyTable[] = [
  votes,
  votesWide,
  affiliations,
  membershipDays,
  partyMembers,
  positionBallots,
  sourcesTable('record_sources', 'a dataset', ofDatasets!),
  sourcesTable('other_record_sources', 'no dataset (a ballot, a speech, a text)', ofOtherKinds!),
];
