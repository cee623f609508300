import { meantHint, UsageError } from '../errors.ts';
import { nearWords } from '../language/near-miss.ts';
import { attributionOf, type Citation, odbl } from '../model/attribution.ts';
import { readBallot } from '../model/ballot.ts';
import type { Document } from '../model/document.ts';
import { type Column, columnOf, findKind, type Kind, kindOf, kinds } from '../model/kinds.ts';
import { exportColumns } from '../store/columns.ts';
import { lastFilled } from '../store/contents.ts';
import type { Mirror } from '../store/mirror.ts';
import { findFilterSlug } from '../store/name-lookup.ts';
import { retrievedAt } from '../store/retrievals.ts';
import { countRows, filterFields, type RowFilter, rowLists, rows } from '../store/rows.ts';
import type { ExportTable, Reference } from './table.ts';

/** What an export is asked for: kinds by name, and the votes of ballots as a table of their own. */
export type TableName = Kind | 'votes';

/** Every table, datasets first. */
export const allTables: readonly TableName[] = [...[...kinds].reverse(), 'votes'];

/** The name that a table has in commands and files. */
export const nameOfTable = (table: TableName): string => (table === 'votes' ? table : table.plural);

/** The table that a person means by a word; throws a UsageError on one that there is not. */
export function tableNamed(word: string): TableName {
  if (/^votes?$/i.test(word)) return 'votes';
  const kind = findKind(word);
  if (kind) return kind;
  const known = allTables.map(nameOfTable);
  throw new UsageError(
    `there is no dataset called "${word}"`,
    meantHint(nearWords(word, known)) ?? `name one of ${known.join(', ')}`,
  );
}

/** The kind whose records a table is made of. */
export const kindOfTable = (table: TableName): Kind => (table === 'votes' ? kindOf('ballot') : table);

/** True if every part of the filter means something for the records of a table. */
function canFilter(table: TableName, filter: RowFilter): boolean {
  const fields = filterFields(kindOfTable(table));
  const asked = (Object.keys(filter) as (keyof RowFilter)[]).filter((part) => filter[part] !== undefined);
  return asked.every((part) => fields.includes(part) || (table === 'votes' && part === 'party'));
}

/** The names of the tables that a filter means something for. */
function choosable(filter: RowFilter): string {
  const tables = allTables.filter((table) => canFilter(table, filter));
  return tables.map(nameOfTable).join(', ');
}

/**
 * The tables that were asked for, ready to be written; `filter` names politician and party by slug or name. With
 * `isAll`, tables that the filter means nothing for are left out; one that was named is a mistake (UsageError).
 */
export function chosenTables(
  mirror: Mirror,
  named: TableName[],
  { filter, isAll, citation }: { filter: RowFilter; isAll: boolean; citation: Citation },
): ExportTable[] {
  const chosen = named.filter((table) => canFilter(table, filter));
  const refused = named.find((table) => !chosen.includes(table));
  if (refused && !isAll)
    throw new UsageError(
      `${nameOfTable(refused)} cannot be chosen by ${Object.keys(filter)
        .map((part) => `--${part}`)
        .join(' and ')}`,
      `those that can: ${choosable(filter)}`,
    );
  const bySlug = slugFilter(mirror, filter);
  return chosen.map((table) => subset(exportTable(mirror, table, { citation, filter: bySlug }), bySlug));
}

/** A table that tells which of its records were chosen; what those refer to may not be among the others. */
function subset(table: ExportTable, { politician, party, since }: RowFilter): ExportTable {
  const dated = table.name === 'politicians' ? 'updated' : 'dated';
  const chosen = [
    ...(politician === undefined ? [] : [`about the politician ${politician}`]),
    ...(party === undefined ? [] : [`of the party or group ${party}`]),
    ...(since === undefined ? [] : [`${dated} since ${since}`]),
  ];
  if (chosen.length === 0) return table;
  const description = `${table.description} Chosen: only what is ${chosen.join(', and ')}.`;
  return { ...table, description, references: [] };
}

function slugFilter(mirror: Mirror, { politician, party, ...filter }: RowFilter): RowFilter {
  return {
    ...filter,
    ...(politician === undefined ? {} : { politician: findFilterSlug(mirror, 'politician', politician) }),
    ...(party === undefined ? {} : { party: findFilterSlug(mirror, 'party', party) }),
  };
}

/** A table of the mirror, ready to be written. */
export function exportTable(
  mirror: Mirror,
  table: TableName,
  { citation, filter }: { citation: Citation; filter: RowFilter },
): ExportTable {
  const kind = kindOfTable(table);
  const freshAt = retrievedAt(mirror, kind);
  const attribution = attributionOf(citation, {
    licence: kind.dataset ? odbl : null,
    retrievedAt: freshAt ?? lastFilled(mirror),
    asOf: mirror.pastOf,
  });
  if (table === 'votes') return votesTable(mirror, { freshAt, attribution, filter });
  const columns = exportColumns(mirror, kind).map((name) => columnOf(kind, name));
  return {
    name: kind.plural,
    description: kind.description,
    columns,
    key: kind.name === 'ballot' ? null : kind.keyField,
    references: columns.flatMap((column) => referenceOf(kind, column)),
    rows: () => rows(mirror, kind, filter),
    lists: (size) => rowLists(mirror, kind, { filter, size }),
    count: () => countRows(mirror, kind, filter),
    freshAt,
    attribution,
  };
}

/** What a column refers to that holds the slug of a politician or a party, unless that is the record's own key. */
export function referenceOf(kind: Kind, { name }: Column): Reference[] {
  if (name !== 'politician' && name !== 'party') return [];
  const target = kindOf(name);
  return target === kind ? [] : [{ column: name, table: target.plural, key: target.keyField }];
}

const votesColumns: Column[] = [
  { name: 'chamber', type: 'text', description: 'AN for the Assemblée nationale, Senat for the Sénat.' },
  { name: 'scrutin_id', type: 'text', description: 'Identifier of the ballot within its chamber.' },
  { name: 'date', type: 'date', description: 'Day of the ballot, ISO 8601.' },
  { name: 'title', type: 'text', description: 'What was voted on, as published.' },
  { name: 'result', type: 'text', description: 'Result, in the words of the source.' },
  { name: 'party', type: 'text', description: 'Slug of the party or parliamentary group.' },
  { name: 'party_name', type: 'text', description: 'Name of the party or group, as published.' },
  { name: 'for', type: 'integer', description: 'Votes for; empty where the source publishes none.' },
  { name: 'against', type: 'integer', description: 'Votes against; empty where the source publishes none.' },
  { name: 'abstention', type: 'integer', description: 'Abstentions; empty where the source publishes none.' },
  {
    name: 'non_voting',
    type: 'integer',
    description: 'Members who took no part, where the source counts them.',
  },
  { name: 'position', type: 'text', description: 'Position of the party, where the source states one.' },
  {
    name: 'members',
    type: 'integer',
    description: 'Members of the party or group, where the source states them.',
  },
];

/** One line for each ballot and party, as statistics programs and charts take it. */
function votesTable(
  mirror: Mirror,
  {
    filter: { party, ...filter },
    ...moments
  }: Pick<ExportTable, 'freshAt' | 'attribution'> & { filter: RowFilter },
): ExportTable {
  function* votes(): Generator<Document> {
    for (const document of rows(mirror, kindOf('ballot'), filter)) {
      const { chamber, scrutin_id, date, title, result, votes_by_party } = readBallot(document);
      for (const counts of votes_by_party) {
        if (party !== undefined && counts.party !== party) continue;
        // Some name their members here; a table has room for how many there are.
        const { members } = counts as Document;
        const stated = { members: typeof members === 'number' ? members : null };
        yield { chamber, scrutin_id, date, title, result, ...counts, ...stated };
      }
    }
  }
  return {
    name: 'votes',
    description: 'The votes of one party or group in one ballot.',
    columns: votesColumns,
    key: null,
    references: [{ column: 'party', table: 'parties', key: 'slug' }],
    rows: votes,
    count: () => null,
    ...moments,
  };
}
