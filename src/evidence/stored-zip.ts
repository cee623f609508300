import { unzipSync, zipSync } from 'fflate';
import type { UserText } from '../words/speech.ts';

/** A file in an archive. */
export type ZipEntry = { path: string; bytes: Uint8Array };

/** A fault in a part of an evidence file. */
export type Fault = { part: string; reason: UserText };

/** Size limit of evidence: verification holds it in memory. */
export const maxZipBytes = 2 ** 30;

/** 1980-01-01 00:00, the earliest ZIP timestamp, for reproducible bytes. */
const earliest = new Date(1980, 0, 1);

/** A ZIP file without compression: every byte follows from paths and contents. */
export function storedZip(entries: readonly ZipEntry[]): Uint8Array {
  const files = Object.fromEntries(entries.map(({ path, bytes }) => [path, bytes]));
  return zipSync(files, { level: 0, mtime: earliest });
}

/** The files of a ZIP file without compression; none for what is not one, or states more bytes than it has. */
export function readStoredZip(bytes: Uint8Array): ZipEntry[] {
  let total = 0;
  try {
    const files = unzipSync(bytes, {
      filter({ size, compression }) {
        total += size;
        return compression === 0 && total <= bytes.length;
      },
    });
    return Object.entries(files).map(([path, content]) => ({ path, bytes: content }));
  } catch {
    return [];
  }
}
