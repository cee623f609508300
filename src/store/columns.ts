import { type Column, type ColumnType, columnOf, type Kind } from '../model/kinds.ts';
import { columnsAt, maxColumns, storedColumns } from './kind-state.ts';
import type { Mirror } from './mirror.ts';

/** Columns of a kind's export, at most `maxColumns`. */
export const exportColumns = (mirror: Mirror, kind: Kind): Column[] =>
  typedColumns(mirror, kind, allColumns(mirror, kind).slice(0, maxColumns));

/** The columns with these names; an undocumented one gets the type of its stored values, `json` if types differ. */
export function typedColumns(mirror: Mirror, kind: Kind, names: string[]): Column[] {
  const columns = names.map((name) => columnOf(kind, name));
  const guessedNames = columns.flatMap(({ name, isGuessed }) => (isGuessed ? [name] : []));
  const types = storedTypes(mirror, kind, guessedNames);
  return columns.map((column) => (column.isGuessed ? { ...column, type: types.get(column.name) ?? 'text' } : column));
}

/** The type of each field that current records have: that of all its values, `json` if they differ, `text` if null. */
function storedTypes(mirror: Mirror, kind: Kind, names: string[]): Map<string, ColumnType> {
  if (names.length === 0) return new Map();
  // SQLite may return the name of a field as it is escaped in the document.
  const byLabel = new Map(names.flatMap((name) => [name, JSON.stringify(name).slice(1, -1)].map((key) => [key, name])));
  const types = mirror.sql<{ label: string; type: ColumnType }>(
    `SELECT label, CASE WHEN count(DISTINCT type) < 2 OR (count(DISTINCT type) = 2 AND min(type) = 'integer' AND max(type) = 'number')
        THEN coalesce(max(type), 'text') ELSE 'json' END AS type
      FROM (SELECT field.key AS label, CASE WHEN field.type IN ('true', 'false') THEN 'boolean'
          WHEN field.type = 'integer' AND field.value BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER} THEN 'integer'
          WHEN field.type IN ('integer', 'real') THEN 'number' WHEN field.type = 'text' THEN 'text'
          WHEN field.type <> 'null' THEN 'json' END AS type
        FROM record, json_each(coalesce(record.row, record.detail)) AS field
        WHERE record.kind = ? AND record.withdrawn IS NULL AND field.key IN (SELECT value FROM json_each(?)))
      GROUP BY label`,
  );
  const labels = JSON.stringify([...byLabel.keys()]);
  return new Map(types.all(kind.name, labels).map(({ label, type }) => [byLabel.get(label)!, type]));
}

/** All column names of a kind: of a dataset in file order; of another kind documented ones, then others by name. */
function allColumns(mirror: Mirror, kind: Kind): string[] {
  const documentedColumns = kind.columns.map((column) => column.name);
  if (mirror.asOf !== null) return pastColumns(mirror, kind, { documented: documentedColumns, at: mirror.asOf });
  const columns = storedColumns(mirror, kind);
  if (kind.dataset) return columns.length > 0 ? columns : documentedColumns;
  const otherColumns = columns.filter((column) => !documentedColumns.includes(column));
  return [...documentedColumns, ...[...storedTypes(mirror, kind, otherColumns).keys()].sort()];
}

/** Columns added to a kind after the past moment that a mirror shows; none for a mirror of the present. */
export function columnsAddedSince(mirror: Mirror, kind: Kind): string[] {
  if (mirror.asOf === null) return [];
  const pastColumnNames = allColumns(mirror, kind);
  return storedColumns(mirror, kind).filter((column) => !pastColumnNames.includes(column));
}

/** Columns of a kind at a past moment: of a dataset those logged then; else documented ones and those proven then. */
function pastColumns(mirror: Mirror, kind: Kind, { documented, at }: { documented: string[]; at: string }) {
  const columnsThen = columnsAt(mirror, kind, at);
  if (kind.dataset && columnsThen !== null) return columnsThen.length > 0 ? columnsThen : documented;
  const sql = `SELECT field.key AS name, max(field.type <> 'null' OR record.last_seen <= ?) AS isCertain
    FROM record, json_each(coalesce(record.row, record.detail)) AS field
    WHERE record.kind = ? AND record.withdrawn IS NULL AND field.key <> '_key' GROUP BY field.key`;
  const fields = mirror.sql<{ name: string; isCertain: number }>(sql).all(at, kind.name);
  // A field existed then if a value is not null, its record was not received again since, or its column was logged.
  const existingFields = fields.filter(({ name, isCertain }) => isCertain === 1 || columnsThen?.includes(name));
  const pastFields = new Set(existingFields.map(({ name }) => name));
  const retainedColumns = kind.dataset
    ? storedColumns(mirror, kind).filter((column) => pastFields.has(column) || documented.includes(column))
    : documented;
  const columns = [...retainedColumns, ...[...pastFields].filter((column) => !retainedColumns.includes(column)).sort()];
  return columns.length > 0 ? columns : documented;
}
