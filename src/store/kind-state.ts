import { allowedColumns } from '../model/identity-guard.ts';
import type { Kind } from '../model/kinds.ts';
import type { Mirror } from './mirror.ts';

/** `whole`: all records that the service lists; `partial`: some; `imported`: from files of unknown completeness. */
export type Completeness = 'whole' | 'partial' | 'imported';

/** State of one kind; times are ISO 8601, and null before the first such event. */
export type KindState = ReturnType<typeof kindState>;

/** `origin`: source address or path; `enumeratedAt`: last complete list; `rowCount`, `file…`: of the last file. */
type KindStateRow = Record<'origin' | 'retrievedAt' | 'enumeratedAt' | 'fileHash', string | null> &
  Record<'rowCount' | 'fileEndsLine', number | null> & { columns: string; fileColumns: string | null };

/** The state of a kind; without records, all null and no columns. */
export function kindState(mirror: Mirror, { name }: Kind) {
  const sql = `SELECT coalesce(columns, '[]') AS columns, origin, retrieved_at AS retrievedAt, enumerated_at AS enumeratedAt,
      row_count AS rowCount, file_hash AS fileHash, file_columns AS fileColumns, file_ends_line AS fileEndsLine
    FROM (SELECT ? AS kind) LEFT JOIN kind_state USING (kind)`;
  const { columns, fileColumns, fileEndsLine, ...state } = mirror.sql<KindStateRow>(sql).get(name)!;
  return {
    kind: name,
    columns: JSON.parse(columns) as string[],
    ...state,
    /** Columns of the last applied dataset file; null before the first. */
    fileColumns: fileColumns === null ? null : (JSON.parse(fileColumns) as string[]),
    /** True if that file was CSV and ended with a line break; null if unknown, or for Parquet. */
    fileEndsLine: fileEndsLine === null ? null : fileEndsLine === 1,
  };
}

/** Saves the given parts of a kind's state; logs a new `retrievedAt` as a retrieval. */
export function saveKindState(mirror: Mirror, kind: Kind, state: Partial<Omit<KindState, 'kind'>>): void {
  const next = { ...kindState(mirror, kind), ...state };
  const columns = allowedColumns(kind, next.columns);
  const fileColumns = allowedColumns(kind, next.fileColumns);
  const sql = `INSERT OR REPLACE INTO kind_state (kind, columns, origin, retrieved_at, enumerated_at, row_count, file_hash, file_columns,
    file_ends_line) VALUES ($kind, $columns, $origin, $retrievedAt, $enumeratedAt, $rowCount, $fileHash, $fileColumns, $fileEndsLine)`;
  mirror.sql(sql).run({
    ...next,
    columns: JSON.stringify(columns),
    fileColumns: fileColumns && JSON.stringify(fileColumns),
    fileEndsLine: next.fileEndsLine === null ? null : Number(next.fileEndsLine),
  });
  if (state.retrievedAt) logRetrieval(mirror, kind, { at: state.retrievedAt, columns });
}

/** Maximum columns of views and files, as databases allow about 1,600; further fields are only in JSON documents. */
export const maxColumns = 500;

/** Columns of the records of a kind, in the service's order. */
export const storedColumns = (mirror: Mirror, kind: Kind): string[] => kindState(mirror, kind).columns;

/** Logs the retrieval of a kind, with its columns if they changed. */
function logRetrieval(mirror: Mirror, kind: Kind, { at, columns }: { at: string; columns: string[] }): void {
  const text = JSON.stringify(columns);
  const areColumnsNew = JSON.stringify(columnsAt(mirror, kind, at)) !== text;
  const sql = `INSERT INTO retrieval (kind, at, columns) VALUES (?, ?, ?)
    ON CONFLICT (kind, at) DO UPDATE SET columns = coalesce(excluded.columns, columns)`;
  mirror.sql(sql).run(kind.name, at, areColumnsNew ? text : null);
}

/** A retrieval of a kind; columns only if they changed. */
export type Retrieval = { at: string; columns: string[] | null };

/** Retrievals of a kind after a moment, ISO 8601, oldest first. */
export function retrievalsAfter(mirror: Mirror, kind: Kind, at: string): Retrieval[] {
  const sql = 'SELECT at, columns FROM retrieval WHERE kind = ? AND at > ? ORDER BY at';
  const rows = mirror.sql<{ at: string; columns: string | null }>(sql).all(kind.name, at);
  return rows.map((each) => ({ at: each.at, columns: each.columns === null ? null : JSON.parse(each.columns) }));
}

/** Upserts retrievals received from another mirror. */
export function saveRetrievals(mirror: Mirror, kind: Kind, retrievals: Retrieval[]): void {
  const add = mirror.sql('INSERT OR REPLACE INTO retrieval (kind, at, columns) VALUES (?, ?, ?)');
  for (const { at, columns } of retrievals)
    add.run(kind.name, at, columns && JSON.stringify(allowedColumns(kind, columns)));
}

/** Columns of a kind as last logged up to a moment, ISO 8601; null if none were logged. */
export function columnsAt(mirror: Mirror, kind: Kind, at: string): string[] | null {
  const sql =
    'SELECT columns FROM retrieval WHERE kind = ? AND at <= ? AND columns IS NOT NULL ORDER BY at DESC LIMIT 1';
  return JSON.parse(mirror.column<string>(sql).get(kind.name, at) ?? 'null');
}

/** Last complete retrieval of a kind, ISO 8601, or null; for a past mirror the last one up to its moment. */
export function kindRetrievedAt(mirror: Mirror, kind: Kind): string | null {
  if (mirror.asOf === null) return kindState(mirror, kind).retrievedAt;
  const sql = 'SELECT max(at) FROM retrieval WHERE kind = ? AND at <= ?';
  return mirror.column<string | null>(sql).get(kind.name, mirror.asOf)!;
}

/** Time of the last change, sync or retrieval up to a moment, ISO 8601, or null; `record` may be a view of the past. */
export function lastFillUntil(mirror: Mirror, at: string): string | null {
  const sql = `SELECT max(moment) FROM (
    SELECT max(first_seen) AS moment FROM main.record WHERE first_seen <= @at
    UNION ALL SELECT max(withdrawn) FROM main.record WHERE withdrawn <= @at
    UNION ALL SELECT max(seen_to) FROM version WHERE seen_to <= @at
    UNION ALL SELECT max(ended_at) FROM run WHERE exit = 0 AND ended_at <= @at
    UNION ALL SELECT max(at) FROM retrieval WHERE at <= @at)`;
  return mirror.column<string | null>(sql).get({ at })!;
}
