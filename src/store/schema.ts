import { ballotColumn } from '../model/columns.ts';
import { type Column, type Kind, kinds } from '../model/kinds.ts';
import { quotedText } from '../names/database.ts';
import { maxColumns, saveKindState, storedColumns } from './kind-state.ts';
import { applicationId, migrations } from './migrations.ts';
import type { Handle, Mirror } from './mirror.ts';
import { saveRenames } from './renames.ts';

/** Version of the last applied migration; 0 for none. */
export const schemaVersion = (database: Handle): number => database.pragma('user_version', { simple: true }) as number;

/** Applies the missing migrations, and recreates the views of kinds whose definition has changed. */
export function migrate(mirror: Mirror): void {
  const { database } = mirror;
  const currentVersion = schemaVersion(database);
  if (currentVersion === 0) {
    database.pragma('page_size = 16384');
    // Before WAL: `readSchemaVersion` reads it from the file, not from the log.
    database.pragma(`application_id = ${applicationId}`);
    database.pragma('journal_mode = WAL');
  }
  database.transaction(() => {
    for (const step of migrations.filter(({ version }) => version > currentVersion)) {
      database.exec(step.sql);
      database.pragma(`user_version = ${step.version}`);
    }
    if (currentVersion < 8) saveRenames(mirror);
    const existingSql = mirror.column<string>("SELECT sql FROM main.sqlite_schema WHERE type = 'view' AND name = ?");
    const isOutdated = (kind: Kind) => existingSql.get(kind.plural) !== viewSql(kind, storedColumns(mirror, kind));
    for (const kind of kinds.filter(isOutdated)) createView(mirror, kind);
  })();
}

/** Documented columns of a kind's view, without the mirror's columns and undocumented ones. */
export function viewColumns(kind: Kind): Column[] {
  const hasBallotColumn = kind.name === 'ballot' || kind.name === 'position';
  const viewColumn = (each: Column) => kind.flat?.find(({ name }) => name === each.name) ?? each;
  return [...(hasBallotColumn ? [ballotColumn] : []), ...kind.columns.map(viewColumn)];
}

/** A quoted SQL name; U+0000 is replaced. */
export const quotedName = (name: string): string => `"${name.replaceAll('"', '""').replaceAll('\0', '\ufffd')}"`;

/** Recreates the view of a kind, with all stored columns. */
export function createView(mirror: Mirror, kind: Kind): void {
  mirror.database.exec(`DROP VIEW IF EXISTS ${quotedName(kind.plural)}`);
  mirror.database.exec(viewSql(kind, storedColumns(mirror, kind)));
}

/** Adds those of the former columns that current records still have, and updates the view of the kind. */
export function keepColumns(mirror: Mirror, kind: Kind, formerColumns: readonly string[]): void {
  const columns = storedColumns(mirror, kind);
  const missingColumns = formerColumns.filter((name) => !columns.includes(name));
  const sql = `SELECT DISTINCT field.key FROM record, json_each(coalesce(row, detail)) AS field
    WHERE kind = ? AND withdrawn IS NULL AND field.type <> 'null'`;
  const statedFields = missingColumns.length === 0 ? [] : mirror.column<string>(sql).all(kind.name);
  const keptColumns = missingColumns.filter((name) => statedFields.includes(name));
  saveKindState(mirror, kind, { columns: [...columns, ...keptColumns] });
  createView(mirror, kind);
}

/** Those of `columnNames` that are undocumented, as many as the kind's view has room for. */
export function undocumentedColumns(kind: Kind, columnNames: string[]): string[] {
  const documentedNames = [...kind.columns.map(({ name }) => name), ...mirrorColumns];
  return columnNames.filter((name) => !documentedNames.includes(name)).slice(0, maxColumns - documentedNames.length);
}

/** SQL of the view of a kind: columns as values or nested JSON, the mirror's times, the document, and `added` ones. */
export function viewSql(kind: Kind, knownColumns: string[], create = 'CREATE VIEW', added: string[] = []): string {
  const selectedColumns = [
    ...(kind.name === 'ballot' ? ['key AS ballot'] : []),
    ...(kind.name === 'position' ? [`${ballotOfPositionSql} AS ballot`] : []),
    ...kind.columns.map((column) => `${valueSql(column, kind)} AS ${quotedName(column.name)}`),
    ...undocumentedColumns(kind, knownColumns).map(
      (name) => `json_extract(row, ${literal(`$.${JSON.stringify(name)}`)}) AS ${quotedName(name)}`,
    ),
    'first_seen AS _first_seen',
    'max(last_seen, coalesce((SELECT enumerated_at FROM kind_state WHERE kind_state.kind = record.kind), last_seen)) AS _last_seen',
    'last_changed AS _last_changed',
    'coalesce(row, detail) AS _json',
    ...added,
  ];
  return `${create} ${quotedName(kind.plural)} AS SELECT ${selectedColumns.join(', ')} FROM record
    WHERE kind = ${quotedText(kind.name)} AND withdrawn IS NULL`;
}

const mirrorColumns = ['_first_seen', '_last_seen', '_last_changed', '_json'];

/** SQL of the key of the ballot whose id a position contains; null if there is none, or one in each chamber. */
const ballotOfPositionSql = `(SELECT CASE count(*) WHEN 1 THEN max(voted.key) END FROM record AS voted
    WHERE voted.kind = 'ballot' AND voted.withdrawn IS NULL AND voted.key IN (${(['', 'AN:', 'Senat:'] as const).map(
      (chamber) => `${quotedText(chamber)} || json_extract(coalesce(record.row, record.detail), '$.ballot_id')`,
    )}))`;

/** SQL of a column's value: the indexed key for a slug, a slug for a reference, an integer for such a text. */
function valueSql(column: Column, { keyField, flat }: Kind): string {
  if (column.name === keyField && keyField === 'slug') return 'key';
  if (column.isReference) return column.name;
  const valueExpression = `json_extract(coalesce(row, detail), ${literal(`$.${column.name}`)})`;
  return flat?.some(({ name, type }) => name === column.name && type === 'integer')
    ? `CASE WHEN ${valueExpression} NOT GLOB '*[^0-9]*' AND CAST(CAST(${valueExpression} AS INTEGER) AS TEXT) = ${valueExpression} THEN CAST(${valueExpression} AS INTEGER) ELSE ${valueExpression} END`
    : valueExpression;
}

/** A quoted SQL string for column names and comments, not for values, which are bound; U+0000 is replaced. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''").replaceAll('\0', '\ufffd')}'`;

/** Indexes over most records: an import into an empty mirror creates them afterwards, which is faster. */
const largeIndexes = {
  record_date: 'ON record(kind, date)',
  record_politician: 'ON record(politician, kind, date) WHERE politician IS NOT NULL',
  record_party: 'ON record(party, kind, date) WHERE party IS NOT NULL',
  // SQLite prefers the later of two equally good indexes: this one must follow `record_politician`.
  record_partyless: 'ON record(politician) WHERE politician IS NOT NULL AND party IS NULL',
  // Descending, as changes are listed, so that records of one moment are read in order of id.
  record_added: 'ON record(first_seen DESC)',
  same_text: 'ON record(text_hash) WHERE text_hash IS NOT NULL AND withdrawn IS NULL',
};

/** SQL condition: the key is a hash of content, as of records without an id (';' follows ':' in ASCII). */
export const hashKeySql = "key > 'sha256:' AND key < 'sha256;'";

/** Indexes for lists, joins and copies; the migrations create those of keys and full text. */
const listIndexes = {
  ...largeIndexes,
  record_content: `ON record(kind, hash) WHERE ${hashKeySql}`,
  record_group: 'ON record(group_slug) WHERE group_slug IS NOT NULL',
  record_topic: 'ON record(topic, kind, date) WHERE topic IS NOT NULL',
  politician_name: "ON record(kind, sort_name) WHERE kind = 'politician'",
  politician_updated: "ON record(kind, updated_at) WHERE kind = 'politician'",
  record_gone: 'ON record(withdrawn DESC) WHERE withdrawn IS NOT NULL',
  version_ended: 'ON version(seen_to DESC, record, ended_by)',
  record_detail_since: 'ON record(detail_since) WHERE detail_since IS NOT NULL',
  party_name: "ON record(kind, sort_name) WHERE kind = 'party'",
};

/** Creates missing list indexes, as in a new mirror or after a killed import. */
export function createListIndexes(mirror: Mirror): void {
  for (const [name, definition] of Object.entries(listIndexes))
    mirror.database.exec(`CREATE INDEX IF NOT EXISTS ${name} ${definition}`);
}

/** Drops the large indexes of an empty mirror, to be created after the import. */
export function dropLargeIndexesIfEmpty(mirror: Mirror): void {
  if (mirror.database.prepare('SELECT 1 FROM record LIMIT 1').get()) return;
  for (const name of Object.keys(largeIndexes)) mirror.database.exec(`DROP INDEX IF EXISTS ${name}`);
}
