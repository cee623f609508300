import { column, flatTotalColumns } from '../../model/columns.ts';
import type { Document, Json } from '../../model/document.ts';
import { type Column, type Kind, kinds } from '../../model/kinds.ts';
import { quotedText } from '../../names/database.ts';
import { ballotDerivedColumns } from '../../parliament/derived-columns.ts';
import { typedColumns } from '../columns.ts';
import { storedColumns } from '../kind-state.ts';
import type { Mirror } from '../mirror.ts';
import { departmentRows } from '../records/politicians.ts';
import { tidyTables } from '../records/tidy-tables.ts';
import { shadowBallotTables } from '../saving/ballot-tables.ts';
import { quotedName, undocumentedColumns, viewColumns, viewSql } from '../schema.ts';
import { pastMomentSql } from '../word-index/search-index.ts';

/** A view that statements may name, or a table of an exported file, as described to users. */
export type DocumentedView = { name: string; description: string; columns: Column[] };

const { text, datetime, json } = column;

/** Columns of a kind's view beside the fields of its records. */
const metadataColumns = [
  datetime('_first_seen', 'When this mirror first received the record (ISO 8601); not when the service created it.'),
  datetime('_last_seen', 'When this mirror last received the record (ISO 8601).'),
  datetime('_last_changed', 'When this mirror last detected a change (ISO 8601); not when the service made it.'),
  json('_json', 'The complete record, including fields without a column.'),
];

const historyView: DocumentedView = {
  name: 'history',
  description: 'Every version of every record that this mirror has stored, including withdrawn records.',
  columns: [
    text('kind', 'Kind of record.'),
    text('key', 'Key of the record: its slug or id, or `CHAMBER:SCRUTIN_ID` for a ballot.'),
    text('part', 'row: the record in its dataset. detail: its full document.'),
    datetime('seen_from', 'When this mirror first received this version (ISO 8601).'),
    datetime(
      'seen_to',
      'When this mirror detected that the version was replaced or withdrawn (ISO 8601); null if it is current.',
    ),
    text('ended_by', 'edited or withdrawn; null for the current version.'),
    json('document', 'The complete record in this version.'),
  ],
};

/** A documented view whose rows the program computes and inserts into a temporary table. */
type DerivedTable = Omit<DocumentedView, 'columns'> & {
  /** The columns and rows; `filter` is always empty here. */
  content(mirror: Mirror, filter: Record<string, never>): { columns: Column[]; rows(): Iterable<Document> };
};

const derivedTables: DerivedTable[] = [
  ...tidyTables.filter(({ isWide }) => !isWide),
  {
    name: 'departments',
    description: 'The departments found in `politicians`, with their official codes, as used by maps.',
    content: (mirror) => ({
      columns: [
        text('department', 'Department as the service spells it; one department may have several spellings.'),
        text('code', 'Official INSEE code, such as 2A or 974; null if it is not a department.'),
        text('name', 'Official name; null if it is not a department.'),
      ],
      rows: () => departmentRows(mirror),
    }),
  },
];

/** Every view that statements may name, with descriptions of its columns. */
export function documentedViews(mirror: Mirror): DocumentedView[] {
  const kindViews = [...kinds].reverse().map((kind) => {
    const addedNames = undocumentedColumns(kind, storedColumns(mirror, kind));
    const addedColumns = typedColumns(mirror, kind, addedNames);
    const columns = [...viewColumns(kind), ...addedColumns, ...metadataColumns, ...derivedColumns(kind, addedNames)];
    return { name: kind.plural, description: kind.description, columns };
  });
  const tableViews = derivedTables.map(({ name, description, content }) => {
    return { name, description, columns: content(mirror, {}).columns };
  });
  return [...kindViews, ...tableViews, historyView];
}

/** Last columns of the view of ballots, derived as in flat exports, except those that the service itself sends. */
const derivedColumns = (kind: Kind, addedNames: string[]) =>
  kind.name === 'ballot'
    ? [...flatTotalColumns, ...ballotDerivedColumns].filter(({ name }) => !addedNames.includes(name))
    : [];

/** Creates temporary views, and tables for derived views that `sql` names; recreates them if the data changed. */
export function createViews(mirror: Mirror, sql: string): void {
  const { database, asOf } = mirror;
  if (/\bballots\b/i.test(sql)) shadowBallotTables(mirror);
  mirror.readOnce('views of statements', () => {
    for (const kind of kinds) {
      database.exec(`DROP VIEW IF EXISTS temp.${quotedName(kind.plural)}`);
      const knownColumns = storedColumns(mirror, kind);
      const derivedSelects = derivedColumns(kind, undocumentedColumns(kind, knownColumns)).map(({ name }) => {
        const ballotColumn = name === 'one_sided' ? 'is_one_sided' : name; // the only name that differs in `ballot`
        return `(SELECT ${ballotColumn} FROM ballot WHERE ballot.id = record.id) AS ${name}`;
      });
      database.exec(viewSql(kind, knownColumns, 'CREATE TEMP VIEW', derivedSelects));
    }
    const selectSql = asOf === null ? historySql : pastHistorySql;
    database.exec(`DROP VIEW IF EXISTS temp.history; CREATE TEMP VIEW history AS ${selectSql}`);
  });
  for (const table of derivedTables.filter(({ name }) => new RegExp(`\\b${name}\\b`, 'i').test(sql)))
    mirror.readOnce(`table ${table.name}`, () => fillTable(mirror, table));
}

const indexedColumns = new Set(['politician', 'party', 'ballot', 'key', 'source_id']);

function fillTable(mirror: Mirror, table: DerivedTable): void {
  const { database } = mirror;
  const { columns, rows: derivedRows } = table.content(mirror, {});
  const name = quotedName(table.name);
  // Read completely before writing: a connection cannot do both.
  const rows = [...derivedRows()].map((row) => columns.map((each) => toCell(row[each.name] ?? null)));
  database.exec(`DROP TABLE IF EXISTS temp.${name};
    CREATE TEMP TABLE ${name} (${columns.map((each) => quotedName(each.name)).join(', ')})`);
  const insert = database.prepare(`INSERT INTO temp.${name} VALUES (${columns.map(() => '?').join(', ')})`);
  database.transaction(() => {
    for (const row of rows) insert.run(row);
  })();
  for (const { name: field } of columns.filter((each) => indexedColumns.has(each.name)))
    database.exec(`CREATE INDEX temp.${quotedName(`${table.name}_${field}`)} ON ${name} (${quotedName(field)})`);
}

function toCell(value: Json): string | number | bigint | null {
  if (value === null) return null;
  if (typeof value === 'boolean') return BigInt(value); // bigints are bound as INTEGER, numbers as REAL
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Selects the last version of a part of each record: current, or ended by its withdrawal. */
const lastVersionSql = (part: 'row' | 'detail', sinceSql: string) =>
  `SELECT kind, key, ${quotedText(part)}, ${sinceSql}, withdrawn, CASE WHEN withdrawn IS NULL THEN NULL ELSE 'withdrawn' END, ${part}
   FROM main.record WHERE ${part} IS NOT NULL`;

/** Selects every version, former or current. */
const historySql = `SELECT record.kind, record.key, version.part, seen_from, seen_to, ended_by, json AS document
  FROM main.version JOIN main.record ON record.id = version.record
  UNION ALL ${lastVersionSql('row', 'last_changed')} UNION ALL ${lastVersionSql('detail', 'coalesce(detail_since, last_changed)')}`;

/** `historySql` as of the mirror's past moment. */
const pastHistorySql = `SELECT kind, key, part, seen_from,
  CASE WHEN seen_to <= ${pastMomentSql} THEN seen_to END AS seen_to,
  CASE WHEN seen_to <= ${pastMomentSql} THEN ended_by END AS ended_by, document
  FROM (${historySql}) WHERE seen_from <= ${pastMomentSql}`;
