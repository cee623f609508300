import { createHash } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { BadMirrorError } from '../errors.ts';
import { type Kind, type KindName, kindOf } from '../model/kinds.ts';
import { say } from '../words/speech.ts';
import type { Mirror } from './mirror.ts';
import { holdsBack } from './tombstones.ts';

/** File formats of the service's datasets. */
export type DatasetFormat = 'csv' | 'parquet';

/** A dataset as the service sent it when it was last downloaded and applied. */
export type KeptDownload = {
  kind: KindName;
  format: DatasetFormat;
  /** Cell separator of a CSV file; null for Parquet. */
  delimiter: string | null;
  columns: string[];
  rows: number;
  bytes: number;
  sha256: string;
  /** When it was downloaded, ISO 8601. */
  retrievedAt: string;
};

/** Bytes per compressed part, the most of a download held in memory. */
export const partBytes = 2 ** 20;

/** The last saved download of a dataset, without its bytes; null if there is none. */
export function keptDownload(mirror: Mirror, kind: Kind): KeptDownload | null {
  const stored = mirror
    .sql<Omit<KeptDownload, 'columns'> & { columns: string }>(
      `SELECT kind, format, delimiter, columns, row_count AS rows, bytes, sha256, retrieved_at AS retrievedAt
       FROM download WHERE kind = ?`,
    )
    .get(kind.name);
  return stored ? { ...stored, columns: JSON.parse(stored.columns) } : null;
}

/** Saves a download and its bytes over the former one of that kind. Call it in the transaction that saves its records. */
export function keepDownload(mirror: Mirror, download: KeptDownload, pieces: Iterable<Uint8Array>): void {
  const keep = createDownloadKeeper(mirror, download);
  for (const piece of pieces) keep(zstdCompressSync(piece));
}

/** Replaces the saved download of a kind; returns a function that takes each compressed part. */
export function createDownloadKeeper(mirror: Mirror, download: KeptDownload): (part: Uint8Array) => void {
  const { kind, format, delimiter, columns, rows, bytes, sha256, retrievedAt } = download;
  mirror.sql('DELETE FROM download_part WHERE kind = ?').run(kind);
  // The service's bytes say what is withheld.
  if (holdsBack(mirror, kindOf(kind))) {
    mirror.sql('DELETE FROM download WHERE kind = ?').run(kind);
    return () => {};
  }
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

/** Saves that the service sent the same bytes again. */
export function noteDownloadedAgain(mirror: Mirror, kind: Kind, at: string): void {
  mirror.sql('UPDATE download SET retrieved_at = ? WHERE kind = ?').run(at, kind.name);
}

/** The bytes of a saved download, in order; throws a BadMirrorError if their checksum is wrong. */
export function* downloadedBytes(mirror: Mirror, { kind, sha256 }: KeptDownload): Generator<Uint8Array> {
  const digest = createHash('sha256');
  for (const part of downloadParts(mirror, kind)) {
    const chunk = decompressed(mirror, kind, part);
    digest.update(chunk);
    yield chunk;
  }
  if (digest.digest('hex') !== sha256) throw damaged(mirror, kind);
}

/** The parts of a saved download, still compressed. */
export function downloadParts(mirror: Mirror, kind: KindName): Iterable<Buffer> {
  return mirror.column<Buffer>('SELECT zstd FROM download_part WHERE kind = ? ORDER BY part').iterate(kind);
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
