import type { Kind, KindName } from '../model/kinds.ts';
import type { Mirror } from './mirror.ts';
import { noteRetrieval } from './retrievals.ts';

/**
 * How much of a kind a mirror holds: all that its service lists, a part of it, or what was imported from a file, of which
 * nobody said what it lacks.
 */
export type Completeness = 'whole' | 'partial' | 'imported';

/** What the mirror knows of one kind as a whole; times ISO 8601, null where nothing happened yet. */
export type KindState = {
  kind: KindName;
  columns: string[];
  /** Where the records came from: an address or a path. */
  origin: string | null;
  retrievedAt: string | null;
  /** When every record of the kind was last listed. */
  enumeratedAt: string | null;
  rowCount: number | null;
  /** SHA-256 of the dataset file last applied. */
  fileHash: string | null;
  /** Columns of the dataset file last applied; null before the first. */
  fileColumns: string[] | null;
  /** True if that file was CSV whose last line ended; null where that is not known, or was Parquet. */
  fileEndsLine: boolean | null;
};

type StoredKindState = {
  kind: KindName;
  columns: string;
  origin: string | null;
  retrieved_at: string | null;
  enumerated_at: string | null;
  row_count: number | null;
  file_hash: string | null;
  file_columns: string | null;
  file_ends_line: number | null;
};

/** The state of a kind; of one never met, all null. */
export function kindState(mirror: Mirror, kind: Kind): KindState {
  const stored = mirror.sql<StoredKindState>('SELECT * FROM kind_state WHERE kind = ?').get(kind.name);
  return {
    kind: kind.name,
    columns: stored ? JSON.parse(stored.columns) : [],
    origin: stored?.origin ?? null,
    retrievedAt: stored?.retrieved_at ?? null,
    enumeratedAt: stored?.enumerated_at ?? null,
    rowCount: stored?.row_count ?? null,
    fileHash: stored?.file_hash ?? null,
    fileColumns: stored?.file_columns ? JSON.parse(stored.file_columns) : null,
    fileEndsLine: typeof stored?.file_ends_line === 'number' ? stored.file_ends_line === 1 : null,
  };
}

/** Saves the given parts of a kind's state; what is not given stays. A new `retrievedAt` is kept in the log of retrievals too. */
export function saveKindState(mirror: Mirror, kind: Kind, state: Partial<Omit<KindState, 'kind'>>): void {
  const next = { ...kindState(mirror, kind), ...state };
  mirror
    .sql(
      `INSERT INTO kind_state (kind, columns, origin, retrieved_at, enumerated_at, row_count, file_hash, file_columns, file_ends_line)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (kind) DO UPDATE SET columns = excluded.columns,
       origin = excluded.origin, retrieved_at = excluded.retrieved_at, enumerated_at = excluded.enumerated_at,
       row_count = excluded.row_count, file_hash = excluded.file_hash, file_columns = excluded.file_columns,
       file_ends_line = excluded.file_ends_line`,
    )
    .run(
      kind.name,
      JSON.stringify(next.columns),
      next.origin,
      next.retrievedAt,
      next.enumeratedAt,
      next.rowCount,
      next.fileHash,
      next.fileColumns && JSON.stringify(next.fileColumns),
      next.fileEndsLine === null ? null : Number(next.fileEndsLine),
    );
  if (state.retrievedAt) noteRetrieval(mirror, kind, { at: state.retrievedAt, columns: next.columns });
}

/** The columns that records of a kind came with, in the order of the service. */
export function columnsSeen(mirror: Mirror, kind: Kind): string[] {
  return kindState(mirror, kind).columns;
}
