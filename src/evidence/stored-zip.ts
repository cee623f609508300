import { crc32 } from 'node:zlib';
import { say, type UserText } from '../words/speech.ts';

/** A file in an archive. */
export type ZipEntry = { path: string; bytes: Uint8Array };

/** A fault in a part of an evidence file. */
export type Fault = { part: string; reason: UserText };

/** Size limit of evidence: verification holds it in memory. */
export const maxZipBytes = 2 ** 30;

/** Limits of path length and file count (16 bits in the directory). */
const [longestPath, maxFiles] = [200, 65_535];

const [localMark, centralMark, endMark] = [0x04034b50, 0x02014b50, 0x06054b50];
const [localSize, centralSize, endSize] = [30, 46, 22];

/** 1980-01-01 00:00, the earliest ZIP timestamp, for reproducible bytes. */
const [noTime, noDate] = [0, 0x21];

const portablePath = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/;

/** Writes a ZIP file without compression: every byte follows from paths and contents. */
export function* storedZip(entries: readonly ZipEntry[]): Generator<Uint8Array> {
  const central: Uint8Array[] = [];
  let offset = 0;
  for (const entry of entries) {
    const header = localHeader(entry);
    central.push(centralHeader(entry, offset));
    yield header;
    yield entry.bytes;
    offset += header.length + entry.bytes.length;
  }
  yield directory(central, offset);
}

/** Reads a ZIP file of `storedZip`, and faults every byte outside the contents that is not as it would write it. */
export function readStoredZip(bytes: Uint8Array): { entries: ZipEntry[]; faults: Fault[] } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [entries, faults, central]: [ZipEntry[], Fault[], Uint8Array[]] = [[], [], []];
  const paths = new Set<string>();
  let at = 0;
  while (at + localSize <= bytes.length && view.getUint32(at, true) === localMark) {
    const [size, nameLength] = [view.getUint32(at + 18, true), view.getUint16(at + 26, true)];
    const begin = at + localSize + nameLength;
    if (nameLength > longestPath || begin + size > bytes.length || entries.length === maxFiles) break;
    const path = Buffer.from(bytes.subarray(at + localSize, begin)).toString('latin1');
    const entry = { path, bytes: bytes.subarray(begin, begin + size) };
    if (!portablePath.test(path))
      faults.push({ part: path, reason: say`its path is not allowed in evidence` });
    else if (paths.has(path)) faults.push({ part: path, reason: say`it is there twice` });
    faults.push(...headerFaults(bytes.subarray(at, begin), entry));
    paths.add(path);
    entries.push(entry);
    central.push(centralHeader(entry, at));
    at = begin + size;
  }
  return { entries, faults: [...faults, ...directoryFaults(bytes, at, { entries, central, faults })] };
}

/** The header contains the CRC; the manifest shows whether contents or CRC were changed. */
function headerFaults(header: Uint8Array, entry: ZipEntry): Fault[] {
  const expected = localHeader(entry);
  const differing = firstDifference(header, expected);
  if (differing === null) return [];
  const isSum = differing >= 14 && differing < 18;
  const reason = isSum
    ? say`its bytes do not have the check sum that the ZIP file states`
    : say`byte ${differing} of its header in the ZIP file is not what it must be`;
  return [{ part: entry.path, reason }];
}

function directoryFaults(
  bytes: Uint8Array,
  at: number,
  { entries, central, faults }: { entries: ZipEntry[]; central: Uint8Array[]; faults: Fault[] },
): Fault[] {
  const rest = bytes.subarray(at);
  const expected = directory(central, at);
  const differing = firstDifference(rest, expected);
  if (differing === null) return [];
  const part = 'ZIP';
  if (entries.length === 0) return [{ part, reason: say`it is no ZIP file of evidence` }];
  if (differing === expected.length)
    return [{ part, reason: say`${rest.length - expected.length} bytes follow its end` }];
  const place = at + differing;
  if (differing === rest.length) return [{ part, reason: say`it ends too early, at byte ${place}` }];
  let end = 0;
  for (const [index, { length }] of central.entries()) {
    end += length;
    if (differing >= end) continue;
    const { path } = entries[index]!;
    // The directory repeats the checksum, whose fault is listed already.
    if (faults.some((fault) => fault.part === path)) return [];
    return [{ part, reason: say`byte ${place}, in the directory entry of ${path}, is not what it must be` }];
  }
  return [{ part, reason: say`byte ${place}, at the end of the directory, is not what it must be` }];
}

function firstDifference(found: Uint8Array, expected: Uint8Array): number | null {
  const shorter = Math.min(found.length, expected.length);
  for (let at = 0; at < shorter; at += 1) if (found[at] !== expected[at]) return at;
  return found.length === expected.length ? null : shorter;
}

function localHeader(entry: ZipEntry): Uint8Array {
  const path = Buffer.from(entry.path, 'latin1');
  const header = Buffer.alloc(localSize + path.length);
  header.writeUInt32LE(localMark, 0);
  writeShared(header, 4, entry);
  path.copy(header, localSize);
  return header;
}

function centralHeader(entry: ZipEntry, offset: number): Uint8Array {
  const path = Buffer.from(entry.path, 'latin1');
  const header = Buffer.alloc(centralSize + path.length);
  header.writeUInt32LE(centralMark, 0);
  header.writeUInt16LE(20, 4);
  writeShared(header, 6, entry);
  header.writeUInt32LE(offset, 42);
  path.copy(header, centralSize);
  return header;
}

/** Version 2.0, no flags, stored; time, sum, sizes, and the length of the path: APPNOTE.TXT 4.3.7 and 4.3.12. */
function writeShared(header: Buffer, at: number, { path, bytes }: ZipEntry): void {
  header.writeUInt16LE(20, at);
  header.writeUInt16LE(noTime, at + 6);
  header.writeUInt16LE(noDate, at + 8);
  header.writeUInt32LE(crc32(bytes), at + 10);
  header.writeUInt32LE(bytes.length, at + 14);
  header.writeUInt32LE(bytes.length, at + 18);
  header.writeUInt16LE(path.length, at + 22);
}

function directory(central: readonly Uint8Array[], offset: number): Uint8Array {
  const end = Buffer.alloc(endSize);
  const size = central.reduce((sum, { length }) => sum + length, 0);
  end.writeUInt32LE(endMark, 0);
  end.writeUInt16LE(central.length, 8);
  end.writeUInt16LE(central.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...central, end]);
}
