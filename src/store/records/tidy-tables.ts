import { staysOf } from '../../model/affiliation.ts';
import { column, flatCountColumns } from '../../model/columns.ts';
import { type Document, documentsIn, type Json, slugOf, sourceIdsOf, textOf } from '../../model/document.ts';
import { facetsOf, keyOf } from '../../model/facets.ts';
import { type Column, columnOf, hasColumn, type Kind, type KindName, kindOf, kinds } from '../../model/kinds.ts';
import { partyFacts } from '../../names/party-groups.ts';
import { groupVoteColumns } from '../../parliament/derived-columns.ts';
import { groupRowColumns, groupRows, repeatedColumns } from '../../parliament/group-rows.ts';
import { attachmentOf, attachmentOfStay, partyLinkColumn, partyRelationOf } from '../../parliament/membership.ts';
import type { Mirror } from '../mirror.ts';
import { hasRecord } from '../record.ts';
import { canFilter, type KeyedFilter, type RowFilter, rows } from '../rows.ts';
import type { TableReference } from './references.ts';

/** Parts of a table that depend on the filter; `key` names the columns of its primary key, or is empty. */
type Content = { columns: Column[]; key: string[]; references: TableReference[]; rows: () => Iterable<Document> };

/** A table of parts of records, or of facts from several records: one row each, for spreadsheets and databases. */
export type TidyTable = {
  name: string;
  description: string;
  /** What one row is, for the dictionary. */
  rowMeaning: string;
  /** Kinds whose records it reads: the one retrieved longest ago decides its age, the first its licence. */
  kinds: readonly [KindName, ...KindName[]];
  filters: readonly (keyof RowFilter)[];
  /** True if its columns depend on the data, so that it is exported only on request. */
  isWide?: true;
  /** Yields the rows of one record; the key columns except the last identify the record. */
  derive?(kind: Kind, document: Document, mirror: Mirror): Iterable<Document>;
  /** Yields rows that need several records; `has` tests whether the key of a record of kind `testedKind` is stored. */
  compose?(all: (kind: KindName) => Iterable<Document>, has: (key: string) => boolean): Iterable<Document>;
  testedKind?: KindName;
  /** Fields that `compose` reads besides keys: a history of the table loads no others. */
  composedFields?: string[];
  /** Kind whose records share no row, so that a history composes them in batches. */
  batchedKind?: KindName;
  content(mirror: Mirror, filter: KeyedFilter): Content;
};

/** Creates a table with fixed columns: a filter by a column selects rows, any other selects records for `derive`. */
function tidyTable({ columns, ...table }: Omit<TidyTable, 'content'> & Omit<Content, 'rows'>): TidyTable {
  const { kinds, key, references, derive, compose } = table;
  function* deriveRows(mirror: Mirror, filter: KeyedFilter): Generator<Document> {
    for (const kind of kinds.map(kindOf).filter((each) => canFilter(each, filter)))
      for (const document of rows(mirror, kind, filter)) yield* derive!(kind, document, mirror);
  }
  return {
    ...table,
    content: (mirror, { voters, ...filter }) => ({
      columns,
      key,
      references,
      *rows() {
        const activeFilters = Object.entries(filter).filter(([, value]) => value !== undefined);
        const isRowFilter = ([name]: [string, unknown]) => columns.some((column) => column.name === name);
        const rowFilters = activeFilters.filter(isRowFilter);
        const recordFilters = Object.fromEntries(activeFilters.filter((each) => !isRowFilter(each)));
        const hasKey = (recordKey: string) => hasRecord(mirror, table.testedKind!, recordKey);
        for (const row of compose?.((kind) => rows(mirror, kindOf(kind)), hasKey) ?? deriveRows(mirror, recordFilters))
          if (matchesVoters(voters, row) && rowFilters.every(([name, value]) => row[name] === value)) yield row;
      },
    }),
  };
}

const matchesVoters = (voters: RowFilter['voters'], row: Document) => voters?.includes(String(row.party)) ?? true;

const { text, integer, date } = column;
const field = (kind: KindName, name: string): Column => columnOf(kindOf(kind), name);
const rankColumn = integer('n', 'Rank in the source’s list, from 1; not stable, as the source may reorder it.');
const partySlug = text('party', 'Slug of the party or group (`slug` in `parties`).');
const toPoliticians: TableReference = { columns: ['politician'], table: 'politicians', keys: ['slug'] };
const toParties: TableReference = { columns: ['party'], table: 'parties', keys: ['slug'] };
const toBallots: TableReference = { columns: ['ballot'], table: 'ballots', keys: ['ballot'] };

const votesColumns: Column[] = groupRowColumns.map(
  (name) =>
    [...flatCountColumns, ...groupVoteColumns].find((candidate) => candidate.name === name) ?? field('ballot', name),
);

const votes = tidyTable({
  name: 'votes',
  rowMeaning: 'a ballot and a party or group',
  description: 'The votes of one party or group in one ballot.',
  kinds: ['ballot'],
  filters: ['party', 'since', 'ballots', 'subject'],
  *derive(_, document) {
    for (const [at, row] of groupRows(document).entries()) yield { ...row, n: at + 1 };
  },
  columns: [...votesColumns.slice(0, 3), rankColumn, ...votesColumns.slice(3)],
  key: ['ballot', 'n'],
  references: [toBallots, toParties],
});

const choiceColumn = text('choice', 'What the row counts; no_vote_recorded counts members without a recorded vote.', {
  words: ['for', 'against', 'abstention', 'non_voting', 'no_vote_recorded'],
});

const votesWide: TidyTable = {
  name: 'votes-wide',
  rowMeaning: 'a ballot and a choice, a column for each group',
  description: 'The votes for one choice in one ballot, with a column for each party or group that the source names.',
  kinds: ['ballot'],
  filters: ['party', 'since', 'ballots', 'subject'],
  isWide: true,
  content(mirror, { voters, ...filter }) {
    const ballots = function* () {
      for (const document of rows(mirror, kindOf('ballot'), filter))
        yield groupRows(document).filter((row) => matchesVoters(voters, row));
    };
    const names = new Map<string, Json>();
    for (const groups of ballots())
      for (const row of groups) {
        const name = groupNameOf(row);
        if (name !== null) names.set(name, row.party_name ?? null);
      }
    const groupNames = [...names.keys()].sort();
    const groupColumns = groupNames.map((name) =>
      integer(name, `Votes of ${names.get(name) ?? name}; empty if not published, or if the ballot does not list it.`),
    );
    return {
      columns: [...repeatedColumns.map((name) => field('ballot', name)), choiceColumn, ...groupColumns],
      key: ['ballot', 'choice'],
      references: [toBallots],
      *rows() {
        for (const groups of ballots())
          for (const word of groups.length > 0 ? choiceColumn.words! : []) yield createWideRow(groups, word);
      },
    };
  },
};

const groupNameOf = (row: Document) => textOf(row, 'party', 'party_name');

/** A row with the votes of each group for one choice; null for a group that the ballot lists twice. */
function createWideRow(groups: Document[], word: string): Document {
  const repeated = repeatedColumns.map((name) => [name, groups[0]![name] ?? null] as const);
  const countColumn = word === 'no_vote_recorded' ? word : `votes_${word}`;
  const cells = [...Map.groupBy(groups, groupNameOf)].flatMap(([name, same]) =>
    name === null ? [] : [[name, same.length > 1 ? null : (same[0]![countColumn] ?? null)] as const],
  );
  return Object.fromEntries([...repeated, ['choice', word], ...cells]);
}

const { list: affiliationParts } = field('politician', 'affiliations').inside as { list: Column[] };
const columnOfPart = (name: string) => (['start', 'end'].includes(name) ? `${name}_date` : name);

const affiliations = tidyTable({
  name: 'affiliations',
  rowMeaning: 'a politician in a party or group',
  description:
    'An affiliation of a politician with a party or group, as the source states it. Parties and groups are ' +
    'mixed: `kind` in `parties` distinguishes them. An affiliation without dates may be past or current.',
  kinds: ['politician'],
  filters: ['politician', 'party'],
  *derive(kind, document, mirror) {
    const key = keyOf(kind, document);
    for (const [at, part] of documentsIn(document.affiliations).entries()) {
      const cells = affiliationParts.map(({ name }) => [columnOfPart(name), part[name] ?? null] as const);
      const link = attachmentOf(document, part, partyFacts(mirror));
      yield { politician: key, n: at + 1, ...Object.fromEntries(cells), party: slugOf(part.party), party_link: link };
    }
  },
  columns: [
    field('quote', 'politician'),
    rankColumn,
    ...affiliationParts.map((part) => ({ ...part, name: columnOfPart(part.name) })),
    partyLinkColumn,
  ],
  key: ['politician', 'n'],
  references: [toPoliticians, toParties],
});

const membershipDays = tidyTable({
  name: 'membership_days',
  rowMeaning: 'a continuous membership of a politician in a party or group',
  description:
    'Continuous membership of a politician in a party or group. Affiliations that overlap or follow each other ' +
    'without a gap form one row. Affiliations without a start date are left out.',
  kinds: ['politician', 'party'],
  filters: ['politician', 'party'],
  composedFields: ['affiliations', 'chamber', 'kind'],
  batchedKind: 'politician',
  *compose(documents) {
    const parties = new Map([...documents('party')].map((each) => [textOf(each, 'slug') ?? '', each]));
    for (const document of documents('politician'))
      for (const [at, stay] of staysOf(document).entries())
        yield {
          politician: keyOf(kindOf('politician'), document),
          n: at + 1,
          party: stay.party,
          kind: textOf(parties.get(stay.party) ?? {}, 'kind'),
          first_day: stay.first,
          last_day: stay.last,
          party_link: attachmentOfStay(document, stay, parties),
        };
  },
  columns: [
    field('quote', 'politician'),
    integer('n', 'Rank among the politician’s memberships, from 1, earliest first; it may change.'),
    partySlug,
    text('kind', 'Party or parliamentary group (`kind` in `parties`); null if the mirror does not contain that party.'),
    date('first_day', 'First day of the membership.'),
    date('last_day', 'Last day of the membership; null if ongoing or not stated.'),
    partyLinkColumn,
  ],
  key: ['politician', 'n'],
  references: [toPoliticians, toParties],
});

const partyMembers = tidyTable({
  name: 'party_members',
  rowMeaning: 'a politician of a party or group',
  description: 'Whom the service lists for a party or group or, failing that, who states it: not all are members.',
  kinds: ['politician', 'party'],
  filters: ['politician', 'party'],
  composedFields: ['party', 'party_slug', 'group', 'members', 'affiliations', 'chamber', 'death_date'],
  *compose(documents) {
    const byKey = (kind: KindName) => new Map([...documents(kind)].map((each) => [keyOf(kindOf(kind), each), each]));
    const politicians = byKey('politician');
    const parties = byKey('party');
    const memberships = [...politicians].flatMap(([politician, document]) => {
      const { party, group } = facetsOf(kindOf('politician'), document);
      return [party, group].map((slug) => ({ slug, politician }));
    });
    const byParty = Map.groupBy(memberships, ({ slug }) => slug);
    const statedBy = (party: string) => byParty.get(party)?.map(({ politician }) => politician);
    for (const [party, { members }] of parties)
      for (const slug of new Set(Array.isArray(members) ? members.map(slugOf) : statedBy(party))) {
        const politician = politicians.get(slug ?? '');
        const standing = politician ? partyRelationOf(party, politician, parties) : 'member'; // listed, not stored
        if (slug !== null) yield { party, politician: slug, standing };
      }
  },
  columns: [
    partySlug,
    text('politician', 'Slug of the politician (`slug` in `politicians`).'),
    text('standing', 'What the politician is to it today, in the words of `party_link` of politicians in answers.'),
  ],
  key: ['party', 'politician'],
  references: [toParties, toPoliticians],
});

const positionBallots = tidyTable({
  name: 'position_ballots',
  rowMeaning: 'a position and its ballot',
  description: 'A position and its ballot. Only positions whose `ballot_id` matches exactly one ballot in the mirror.',
  kinds: ['position', 'ballot'],
  filters: [],
  testedKind: 'ballot',
  composedFields: ['ballot_id'],
  *compose(documents, has) {
    for (const document of documents('position')) {
      const id = textOf(document, 'ballot_id');
      const existingKeys = ['', 'AN:', 'Senat:'].map((chamber) => `${chamber}${id}`).filter(has);
      if (existingKeys.length === 1) yield { position: keyOf(kindOf('position'), document), ballot: existingKeys[0]! };
    }
  },
  columns: [text('position', 'Identifier of the position (`id` in `positions`).'), field('ballot', 'ballot')],
  key: ['position'],
  references: [{ columns: ['position'], table: 'positions', keys: ['id'] }, toBallots],
});

/** A table with a row per source of a record; dataset records have their own table because their licence differs. */
function sourcesTable(name: string, recordPhrase: string, isOfDatasets: boolean): TidyTable {
  const citingKinds = kinds.filter((kind) => kind.dataset === isOfDatasets && hasColumn(kind, 'source_ids'));
  const [first, ...otherKinds] = citingKinds.map((kind) => kind.name).reverse();
  return tidyTable({
    name,
    rowMeaning: `a record ${recordPhrase} and one of its sources`,
    description: `A record ${recordPhrase}, and one of its sources.`,
    kinds: [first!, ...otherKinds],
    filters: ['politician', 'party', 'since'],
    *derive(kind, document) {
      for (const id of sourceIdsOf(document)) yield { kind: kind.name, key: keyOf(kind, document), source_id: id };
    },
    columns: [
      text('kind', 'Kind of record.', { words: [first!, ...otherKinds] }),
      text('key', 'Key of the record: its slug or id, or `CHAMBER:SCRUTIN_ID` for a ballot.'),
      text('source_id', 'Identifier of the source (`id` in `sources`).'),
    ],
    key: ['kind', 'key', 'source_id'],
    references: [{ columns: ['source_id'], table: 'sources', keys: ['id'] }],
  });
}

export const tidyTables: readonly TidyTable[] = [
  votes,
  votesWide,
  affiliations,
  membershipDays,
  partyMembers,
  positionBallots,
  sourcesTable('record_sources', 'of a dataset', true),
  sourcesTable('other_record_sources', 'outside the datasets (a ballot, a speech, a text)', false),
];
