import type { Kind } from '../model/kinds.ts';
import { maxColumns, storedColumns } from './kind-state.ts';
import type { Mirror } from './mirror.ts';
import { columnsAt } from './retrievals.ts';

/** Columns of a kind's export, of which no file has more than `maxColumns`. */
export const exportColumns = (mirror: Mirror, kind: Kind): string[] => allColumns(mirror, kind).slice(0, maxColumns);

/** Columns of any export: a dataset's in file order; else documented, then others by name, as arrival is arbitrary. */
function allColumns(mirror: Mirror, kind: Kind): string[] {
  const documented = kind.columns.map((column) => column.name);
  if (mirror.asOf !== null) return pastColumns(mirror, kind, { documented, at: mirror.asOf });
  const columns = storedColumns(mirror, kind);
  if (kind.dataset) return columns.length > 0 ? columns : documented;
  const otherColumns = columns.filter((column) => !documented.includes(column) && isStoredField(mirror, kind, column));
  return [...documented, ...otherColumns.sort()];
}

/** Columns added to a kind after the past moment that a mirror shows; none for now. */
export function columnsAddedSince(mirror: Mirror, kind: Kind): string[] {
  if (mirror.asOf === null) return [];
  const pastColumnNames = allColumns(mirror, kind);
  return storedColumns(mirror, kind).filter((column) => !pastColumnNames.includes(column));
}

function isStoredField(mirror: Mirror, kind: Kind, column: string): boolean {
  const path = `$.${JSON.stringify(column)}`;
  const sql = `SELECT 1 FROM record WHERE kind = ? AND withdrawn IS NULL AND json_type(coalesce(row, detail), ?) IS NOT NULL LIMIT 1`;
  return mirror.sql(sql).get(kind.name, path) !== undefined;
}

/** Columns of an export of the past: those logged then, else those of the records. */
function pastColumns(mirror: Mirror, kind: Kind, { documented, at }: { documented: string[]; at: string }) {
  const noted = columnsAt(mirror, kind, at);
  if (kind.dataset && noted !== null) return noted.length > 0 ? noted : documented;
  const pastFields = pastFieldPresence(mirror, kind, at);
  const isOf = (column: string) => pastFields.get(column) || (pastFields.has(column) && noted?.includes(column));
  const retainedColumns = kind.dataset
    ? storedColumns(mirror, kind).filter((column) => isOf(column) || documented.includes(column))
    : documented;
  const otherColumns = [...pastFields.keys()].filter((column) => !retainedColumns.includes(column) && isOf(column));
  const columns = [...retainedColumns, ...otherColumns.sort()];
  return columns.length > 0 ? columns : documented;
}

/** Fields of a kind's past records; true if certainly present then: not null, or the record was not written since. */
function pastFieldPresence(mirror: Mirror, kind: Kind, at: string): Map<string, boolean> {
  const sql = `SELECT field.key AS name, max(field.type <> 'null' OR record.last_seen <= ?) AS isCertain
    FROM record, json_each(coalesce(record.row, record.detail)) AS field
    WHERE record.kind = ? AND record.withdrawn IS NULL AND field.key <> '_key' GROUP BY field.key`;
  const fields = mirror.sql<{ name: string; isCertain: number }>(sql).all(at, kind.name);
  return new Map(fields.map(({ name, isCertain }) => [name, isCertain === 1]));
}
