import { NotFoundError, nearMissHint, orNull, UsageError } from '../errors.ts';
import { nearWords } from '../language/near-miss.ts';
import { attributionOf, type Citation, odbl } from '../model/attribution.ts';
import { documentsIn, slugOf, sourceIdsOf, textOf } from '../model/document.ts';
import { facetsOf } from '../model/facets.ts';
import { type Column, findKind, findKindByWord, type Kind, kindOf, kinds } from '../model/kinds.ts';
import { findFilterSlug, findFilterSlugs, findGroups } from '../names/lookup.ts';
import { ballotDerivedColumns } from '../parliament/derived-columns.ts';
import { withFlatTotals } from '../parliament/group-rows.ts';
import { exportColumns } from '../store/columns.ts';
import { positionsOfKinds } from '../store/journal.ts';
import { kindRetrievedAt } from '../store/kind-state.ts';
import type { Mirror } from '../store/mirror.ts';
import { createNatureReader, votingGroups } from '../store/records/ballots.ts';
import { lastFilledAt } from '../store/records/contents.ts';
import { areStoredKeys, referencesStoredRecords, type TableReference } from '../store/records/references.ts';
import { type TidyTable, tidyTables } from '../store/records/tidy-tables.ts';
import { canFilter, countRows, type KeyedFilter, type RowFilter, rows } from '../store/rows.ts';
import { countWithheld } from '../store/tombstones.ts';
import { say } from '../words/speech.ts';
import type { ExportTable } from './table.ts';

/** What a table is exported from: a kind of record, or a tidy table derived from records. */
export type TableSource = Kind | TidyTable;

/** True for a tidy table. */
export const isTidyTable = (table: TableSource): table is TidyTable => 'kinds' in table;

const selectableTables: readonly TableSource[] = [...[...kinds].reverse(), ...tidyTables];

/** The tables of `export --all`: all but the wide ones. */
export const allTables: readonly TableSource[] = selectableTables.filter(
  (table) => !isTidyTable(table) || !table.isWide,
);

/** The name of a table in commands and files: of a tidy table, or the plural of a kind. */
export const nameOfTable = (table: TableSource): string => (isTidyTable(table) ? table.name : table.plural);

/** The names of all tables; a tidy table's name is followed by the meaning of one row. */
export const tableNames: readonly string[] = selectableTables.map((table) =>
  isTidyTable(table) ? `${table.name} (${table.rowMeaning})` : table.plural,
);

/** The table of that name, singular or plural; throws a UsageError with a suggestion for an unknown one. */
export function parseTableName(word: string): TableSource {
  const normalisedWord = word.trim().toLowerCase().replaceAll('-', '_');
  const tidyTable = tidyTables.find(({ name }) => {
    const tidyName = name.replaceAll('-', '_');
    return tidyName === normalisedWord || tidyName === `${normalisedWord}s`;
  });
  if (tidyTable) return tidyTable;
  const kind = findKindByWord(word);
  if (kind) return kind;
  const validNames = selectableTables.map(nameOfTable);
  // Misspelt singular names are near misses too.
  const singular = new Map(kinds.map(({ name, plural }) => [name as string, plural]));
  const nearNames = nearWords(word, [...validNames, ...singular.keys()]).map((name) => singular.get(name) ?? name);
  // For a file name such as `scrutins.xlsx`, suggest the flag `-o`.
  const [, baseName = ''] = /^([^./]+)\.[a-z]+$/.exec(word) ?? [];
  const suggestedTable = tidyTables.find(({ name }) => name === baseName)?.name ?? findKindByWord(baseName)?.plural;
  throw new UsageError(
    say`there is no dataset called "${word}"`,
    nearMissHint(suggestedTable ? [`hemicycle export ${suggestedTable} -o ${word}`] : [...new Set(nearNames)]) ??
      say`name one of ${validNames.join(', ')}, or --all`,
  );
}

/** The kind of a table, or the first kind that a tidy table derives from. */
export const kindOfTable = (table: TableSource): Kind => (isTidyTable(table) ? kindOf(table.kinds[0]) : table);

/** The kinds that a table derives from. */
export const kindsOfTable = (table: TableSource): Kind[] => (isTidyTable(table) ? table.kinds.map(kindOf) : [table]);

function canFilterTable(table: TableSource, filter: RowFilter): boolean {
  if (!isTidyTable(table)) return isReferencedKind(table, filter) || canFilter(table, filter);
  const requestedFilters = (Object.keys(filter) as (keyof RowFilter)[]).filter((part) => filter[part] !== undefined);
  return requestedFilters.every((part) => table.filters.includes(part));
}

/** The filtered tables; one that this filter cannot restrict is omitted if `isAll`, else a UsageError is thrown. */
export function selectTables(
  mirror: Mirror,
  requestedTables: TableSource[],
  { filter, isAll, citation }: { filter: RowFilter; isAll: boolean; citation: Citation },
): ExportTable[] {
  const chosenTables = requestedTables.filter((table) => canFilterTable(table, filter));
  const unfilterableTable = requestedTables.find((table) => !chosenTables.includes(table));
  if (unfilterableTable && !isAll) {
    const flags = Object.keys(filter).map((part) => `--${part}`);
    const filterableTables = selectableTables.filter((table) => canFilterTable(table, filter)).map(nameOfTable);
    const hint = say`those that can: ${filterableTables.join(', ')}`;
    throw new UsageError(say`${nameOfTable(unfilterableTable)} cannot be filtered by ${flags.join(' and ')}`, hint);
  }
  const slugFilters = resolveSlugs(mirror, filter);
  let references: ReturnType<typeof collectReferences> | null = null;
  const { party, parties: _, ...otherFilters } = slugFilters;
  // A party filter selects ballots by the votes of its groups, and other records by its slugs.
  const voters = () => findGroups(mirror, filter.party!, votingGroups(mirror));
  // In an export of all, a party that never voted yields no rows instead of a NotFoundError.
  const votersIfAny = () => (isAll ? (orNull(voters, NotFoundError) ?? []) : voters());
  return chosenTables.map((table) => {
    const conditions = conditionTexts(table, slugFilters);
    if (isTidyTable(table) || !isReferencedKind(table, slugFilters)) {
      const filtersByVoters = party !== undefined && kindOfTable(table).name === 'ballot';
      const rowFilter = filtersByVoters ? { ...otherFilters, voters: votersIfAny() } : slugFilters;
      return describeSelection(exportTable(mirror, table, { citation, filter: rowFilter }), conditions);
    }
    references ??= collectReferences(mirror, slugFilters);
    const keys = table.name === 'source' ? references.sources : references.parties;
    const referencedTable = exportTable(mirror, table, { citation, filter: { keys } });
    return describeSelection(referencedTable, [`named by records ${conditions.join(', and ')}`]);
  });
}

/** Adds the conditions to the description of a table; drops references, which may lead to records without them. */
function describeSelection(table: ExportTable, conditions: string[]): ExportTable {
  if (conditions.length === 0) return table;
  const description = `${table.description} Chosen: only what is ${conditions.join(', and ')}.`;
  return { ...table, description, references: [] };
}

/** A text for each condition of a filter, to follow "only what is". */
function conditionTexts(table: TableSource, { politician, party, since, ballots, subject }: RowFilter): string[] {
  const dateWord = table === kindOf('politician') ? 'updated' : 'dated';
  return [
    politician && `about the politician ${politician}`,
    party && `of the party or group ${party}`,
    subject && `in the subject ${subject.names.join(' or ')}`,
    since && `${dateWord} since ${since}`,
    ballots && `of a list of ${ballots.keys.length} ballots (chosen by: ${ballots.author ?? 'not stated'})`,
  ].filter((text) => text !== undefined);
}

/** The filter with slugs in place of names, and all slugs of the party as `parties`. */
function resolveSlugs(mirror: Mirror, filter: RowFilter): RowFilter {
  const kinds = (['politician', 'party'] as const).filter((kind) => filter[kind] !== undefined);
  const slugs = kinds.map((kind) => [kind, findFilterSlug(mirror, kind, filter[kind]!)]);
  const parties = filter.party === undefined ? {} : { parties: findFilterSlugs(mirror, 'party', filter.party) };
  return { ...filter, ...Object.fromEntries(slugs), ...parties };
}

/** True if the filter applies to records of the kind only through records that reference them. */
function isReferencedKind(kind: Kind, { politician, party }: RowFilter): boolean {
  if (kind.name === 'source') return politician !== undefined || party !== undefined;
  return kind.name === 'party' && politician !== undefined;
}

/** What all matching records reference, sorted: source ids, and slugs of parties and groups. */
function collectReferences(mirror: Mirror, filter: RowFilter) {
  const sources = new Set<string>();
  const parties = new Set<string>();
  for (const kind of kinds.filter((each) => !isReferencedKind(each, filter) && canFilter(each, filter)))
    for (const document of rows(mirror, kind, filter)) {
      for (const id of sourceIdsOf(document)) sources.add(id);
      const { party, group } = facetsOf(kind, document);
      const affiliationSlugs = documentsIn(document.affiliations).map((part) => slugOf(part.party));
      for (const slug of [party, group, ...affiliationSlugs]) if (slug !== null) parties.add(slug);
    }
  return { sources: [...sources].sort(), parties: [...parties].sort() };
}

/** A table of the mirror with its key and attribution; records are read when `rows`, `count` or `state` is called. */
export function exportTable(
  mirror: Mirror,
  table: TableSource,
  { citation, filter }: { citation: Citation; filter: KeyedFilter },
): ExportTable {
  const kind = kindOfTable(table);
  const freshAt = isTidyTable(table) ? oldestRetrieval(mirror, table) : kindRetrievedAt(mirror, kind);
  const attribution = attributionOf(citation, {
    licence: kind.dataset ? odbl : null,
    retrievedAt: freshAt ?? lastFilledAt(mirror),
    asOf: mirror.asOf,
  });
  const isUnfiltered = mirror.asOf === null && Object.keys(filter).length === 0;
  const state = () => (isUnfiltered ? positionsOfKinds(mirror, kindsOfTable(table)) : null);
  const content = isTidyTable(table) ? tidyContent(mirror, table, filter) : kindContent(mirror, kind, filter);
  return { ...content, freshAt, attribution, state };
}

function tidyContent(mirror: Mirror, { name, description, ...table }: TidyTable, filter: KeyedFilter) {
  const content = table.content(mirror, filter);
  const referencedKeys = content.references.map(() => new Set<string | null>());
  let hasReadAll = false;
  const rows = function* () {
    for (const row of content.rows()) {
      for (const [at, { columns }] of content.references.entries()) referencedKeys[at]!.add(textOf(row, columns[0]!));
      yield row;
    }
    hasReadAll = true;
  };
  const references = content.references.map((each, at) => ({
    ...each,
    isSatisfied() {
      // Writing the table has usually read all rows already.
      if (!hasReadAll) for (const _ of rows());
      return areStoredKeys(mirror, findKind(each.table)!, referencedKeys[at]!);
    },
  }));
  // Derived rows may have further columns: export only the described ones.
  return { ...content, name, description, rows, references, picksColumns: true, count: () => null };
}

function kindContent(mirror: Mirror, kind: Kind, filter: KeyedFilter) {
  const withheldCount = countWithheld(mirror, [kind.name]);
  const withheldNote = withheldCount > 0 ? ` Without ${withheldCount} withheld by this mirror.` : '';
  const columns = exportColumns(mirror, kind);
  const { flat, keyField } = kind;
  const key = kind.name === 'ballot' ? ['chamber', keyField] : [keyField];
  const originals = { columns, key, rows: () => rows(mirror, kind, filter) };
  // A flat table begins with its own key; flat columns follow `totals` or replace columns of the same name.
  const flatAt = columns.findIndex(({ name }) => name === 'totals') + 1;
  const [keyColumn, ...flatColumns] = flat ?? [];
  const flatColumn = (column: Column) => flatColumns.find(({ name }) => name === column.name) ?? column;
  const isNew = (each: Column) => !columns.some(({ name }) => name === each.name);
  const laterColumns = [...columns.slice(flatAt).map(flatColumn), ...ballotDerivedColumns.filter(isNew)];
  const flatContent = flat && {
    key: [keyColumn!.name],
    columns: [keyColumn!, ...columns.slice(0, flatAt).map(flatColumn), ...flatColumns.filter(isNew), ...laterColumns],
    rows() {
      const natureIn = createNatureReader(mirror);
      return Iterator.from(originals.rows()).map((document) => withFlatTotals(document, natureIn(document)));
    },
    originals,
  };
  return {
    ...(flatContent ?? originals),
    name: kind.plural,
    description: `${kind.description}${withheldNote}`,
    references: columns.flatMap((column) =>
      referenceOf(kind, column).map((each) => ({
        ...each,
        isSatisfied: () =>
          referencesStoredRecords(mirror, kind, { field: column.name as 'party', target: findKind(each.table)! }),
      })),
    ),
    count: () => countRows(mirror, kind, filter),
  };
}

/** When the oldest of the stored source kinds was retrieved; null if one never was. */
function oldestRetrieval(mirror: Mirror, { kinds: names }: TidyTable): string | null {
  const storedKinds = names.map(kindOf).filter((kind, at) => at === 0 || countRows(mirror, kind) > 0);
  const moments = storedKinds.map((kind) => kindRetrievedAt(mirror, kind));
  return moments.includes(null) ? null : moments.sort()[0]!;
}

/** The reference of a column with the slug of a politician or party; empty for other columns and a record's own key. */
export function referenceOf(kind: Kind, { name }: Column): TableReference[] {
  const target = name === 'group' && kind.name === 'politician' ? 'party' : name;
  if (target !== 'politician' && target !== 'party') return [];
  const { plural, keyField } = kindOf(target);
  return target === kind.name ? [] : [{ columns: [name], table: plural, keys: [keyField] }];
}

/** Returns a counter of a table's withheld rows; unlimited for a tidy table, where a record has any number of rows. */
export function createWithheldCounter(mirror: Mirror): (table: string) => number {
  return (name) => {
    const table = selectableTables.find((each) => nameOfTable(each) === name);
    const withheld = countWithheld(mirror, table ? kindsOfTable(table).map((kind) => kind.name) : []);
    return withheld * (table && !isTidyTable(table) ? 1 : Number.MAX_SAFE_INTEGER);
  };
}
