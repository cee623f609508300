import { allowedColumns } from '../model/identity-guard.ts';
import type { Kind } from '../model/kinds.ts';
import type { Mirror } from './mirror.ts';
import { logRetrieval } from './retrievals.ts';

/** Completeness of a kind: all that the service lists, a part, or an imported file, whose completeness is unknown. */
export type Completeness = 'whole' | 'partial' | 'imported';

/** State of one kind; times ISO 8601, null if it has not happened yet. */
export type KindState = ReturnType<typeof kindState>;

/** `origin` is the address or path that the records came from. */
type KindStateRow = Record<'origin' | 'retrievedAt' | 'enumeratedAt' | 'fileHash', string | null> &
  Record<'rowCount' | 'fileEndsLine', number | null> & { columns: string; fileColumns: string | null };

/** The state of a kind; all null for one without records. */
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

/** Limit of columns in views and files; databases take some 1,600. Further fields are only in JSON documents. */
export const maxColumns = 500;

/** Columns of the records of a kind, in the service's order. */
export const storedColumns = (mirror: Mirror, kind: Kind): string[] => kindState(mirror, kind).columns;
