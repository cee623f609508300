import { createHash } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { BadMirrorError } from '../errors.ts';
import type { Kind, KindName } from '../model/kinds.ts';
import { say } from '../words/speech.ts';
import type { Mirror } from './mirror.ts';

/** The formats in which the service sends datasets. */
export type DatasetFormat = 'csv' | 'parquet';

/** A dataset as the service sent it when it was last downloaded and applied. */
export type KeptDownload = {
  kind: KindName;
  format: DatasetFormat;
  /** What separates the cells of a CSV file; null for Parquet. */
  delimiter: string | null;
  columns: string[];
  rows: number;
  bytes: number;
  sha256: string;
  /** When it was downloaded, ISO 8601. */
  retrievedAt: string;
};

/** How many bytes are compressed together; what is read or written holds no more of a download in memory. */
export const partBytes = 2 ** 20;

/** What the mirror keeps of the last download of a dataset, without its bytes; null where it keeps none. */
export function keptDownload(mirror: Mirror, kind: Kind): KeptDownload | null {
  const stored = mirror
    .sql<Omit<KeptDownload, 'columns'> & { columns: string }>(
      `SELECT kind, format, delimiter, columns, row_count AS rows, bytes, sha256, retrieved_at AS retrievedAt
       FROM download WHERE kind = ?`,
    )
    .get(kind.name);
  return stored ? { ...stored, columns: JSON.parse(stored.columns) } : null;
}

/**
 * Keeps a download and its bytes in the place of the former one of that kind; to be called in the transaction that
 * saves its records.
 */
export function keepDownload(mirror: Mirror, download: KeptDownload, pieces: Iterable<Uint8Array>): void {
  const keep = createDownloadKeeper(mirror, download);
  for (const piece of pieces) keep(zstdCompressSync(piece));
}

/** Puts a download in the place of the former one of that kind; what comes back takes its parts, each compressed. */
export function createDownloadKeeper(mirror: Mirror, download: KeptDownload): (part: Uint8Array) => void {
  const { kind, format, delimiter, columns, rows, bytes, sha256, retrievedAt } = download;
  mirror.sql('DELETE FROM download_part WHERE kind = ?').run(kind);
  mirror
    .sql(
      `INSERT OR REPLACE INTO download (kind, format, delimiter, columns, row_count, bytes, sha256, retrieved_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(kind, format, delimiter, JSON.stringify(columns), rows, bytes, sha256, retrievedAt);
  const add = mirror.sql('INSERT INTO download_part (kind, part, zstd) VALUES (?, ?, ?)');
  let number = 0;
  return (part) => {
    add.run(kind, number, part);
    number += 1;
  };
}

/** Notes that the service sent the kept bytes once more. */
export function noteDownloadedAgain(mirror: Mirror, kind: Kind, at: string): void {
  mirror.sql('UPDATE download SET retrieved_at = ? WHERE kind = ?').run(at, kind.name);
}

/** The bytes of a kept download, in order; throws a BadMirrorError where they are no longer those that came. */
export function* downloadedBytes(mirror: Mirror, { kind, sha256 }: KeptDownload): Generator<Uint8Array> {
  const digest = createHash('sha256');
  // A fresh statement: a cached one cannot be iterated twice at once.
  const parts = mirror.database
    .prepare('SELECT zstd FROM download_part WHERE kind = ? ORDER BY part')
    .pluck()
    .iterate(kind) as IterableIterator<Uint8Array>;
  for (const part of parts) {
    const chunk = decompressed(mirror, kind, part);
    digest.update(chunk);
    yield chunk;
  }
  if (digest.digest('hex') !== sha256) throw damaged(mirror, kind);
}

function decompressed(mirror: Mirror, kind: KindName, part: Uint8Array): Uint8Array {
  try {
    return zstdDecompressSync(part);
  } catch (error) {
    throw damaged(mirror, kind, error);
  }
}

function damaged({ path }: Mirror, kind: KindName, cause?: unknown): BadMirrorError {
  return new BadMirrorError(
    path,
    say`the kept download of the dataset ${kind} is damaged`,
    say`\`hemicycle sync --full\` downloads it again`,
    cause,
  );
}
