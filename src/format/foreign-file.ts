import {
  accessSync,
  closeSync,
  constants,
  createReadStream,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { BadInputError } from '../errors.ts';
import { dataSize, type Phrase, say } from '../words/speech.ts';
import { codeOf, reasonOf } from './sink.ts';

/** Largest list or description of files that is read, in bytes; enough for 65,535 files with the longest paths. */
export const maxListBytes = 20_000_000;

/** Largest file of records in bytes, also after decompression: a sparse or compressed file may be tiny on disk. */
export const maxTableBytes = 2 ** 34;

export const missingReason = say`it is not there`;

/** Advice for a damaged file that was to be imported. */
export const importAgainHint = say`nothing of that file was imported; copy or export it again, and import it again`;

/** Advice for a damaged file of an export. */
export const copyAgainHint = say`copy it again from where it is whole`;

/** Returns the error text for a file of more than `limit` bytes. */
export const tooLargeReason = (limit: number): Phrase => say`it is larger than ${dataSize(limit)}, and was not read`;

/** True for a relative path that stays inside its folder. */
export const isInsideFolder = (path: string) =>
  !path.startsWith('/') && !path.includes('\0') && !path.split(/[/\\]/).includes('..');

/** Returns why a path is no readable regular file of at most `maxBytes`, in `folder` not via links; null if it is. */
export function whyUnreadable(path: string, maxBytes: number, folder: string | null = null): Phrase | null {
  if (folder !== null && !isInsideFolder(path)) return say`it points outside the folder`;
  const file = folder === null ? path : join(folder, path);
  try {
    if (folder !== null && leadsThroughLink(folder, path)) return say`it leads through a symbolic link`;
    const stats = statSync(file);
    if (stats.isDirectory()) return say`it is a folder`;
    // Opening a pipe waits for a writer, and a device may never end.
    if (!stats.isFile()) return say`it is not a regular file`;
    if (stats.size > maxBytes) return tooLargeReason(maxBytes);
    accessSync(file, constants.R_OK);
    return null;
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? missingReason : reasonOf(error);
  }
}

const leadsThroughLink = (folder: string, path: string) =>
  path.split('/').some((_, at, parts) => lstatSync(join(folder, ...parts.slice(0, at + 1))).isSymbolicLink());

/** Reads up to `length` bytes of a file from `position` on; fewer at its end. */
export function readBytes(path: string, length: number, position = 0): Buffer {
  const bytes = Buffer.alloc(length);
  const file = openSync(path, 'r');
  using _ = { [Symbol.dispose]: () => closeSync(file) };
  return bytes.subarray(0, readSync(file, bytes, 0, length, position));
}

const decompressors = {
  '.gz': () => createGunzip({ chunkSize: 1 << 16 }),
  '.zst': () => createZstdDecompress({ chunkSize: 1 << 16 }),
};

/** Yields the bytes of a file, decompressed by its extension to at most `maxBytes`. Throws a BadInputError. */
export async function* inputBytes(path: string, maxBytes = maxTableBytes): AsyncGenerator<Buffer<ArrayBuffer>> {
  const extension = extname(path) as keyof typeof decompressors;
  let byteCount = 0;
  try {
    const { size } = statSync(path);
    for (let start = 0, isFirst = true; isFirst || start < size; isFirst = false) {
      const file = createReadStream(path, { highWaterMark: 1 << 18, start });
      const decompressor = decompressors[extension]?.();
      for await (const chunk of decompressor ? pipeline(file, decompressor, () => {}) : file) {
        byteCount += chunk.length;
        if (decompressor && byteCount > maxBytes)
          throw new BadInputError(path, say`its uncompressed size exceeds the maximum of ${dataSize(maxBytes)}`);
        yield chunk;
      }
      // Node decompresses all members of a gzip file, but only one frame of a Zstandard file.
      start += extension === '.zst' ? decompressor!.bytesWritten : size;
    }
  } catch (error) {
    if (error instanceof BadInputError) throw error;
    const isDamaged = /^Z(STD)?_/.test((error as { code?: string }).code ?? '');
    const reason = isDamaged ? say`the compressed data is damaged or cut off` : reasonOf(error);
    throw new BadInputError(path, reason, importAgainHint);
  }
}

/** Reads the values of one section of a settings file (`[NAME]`, then `key = value`); null if either is missing. */
export function readSection(path: string, name: string): Record<string, string> | null {
  if (whyUnreadable(path, maxListBytes) !== null) return null;
  const text = readFileSync(path, 'utf8');
  const lines = text.split('\n').map((line) => line.trim());
  const start = lines.indexOf(`[${name}]`);
  if (start < 0) return null;
  const end = lines.findIndex((line, index) => index > start && line.startsWith('['));
  const entries = lines.slice(start + 1, end < 0 ? undefined : end).flatMap((line): [string, string][] => {
    const { key, value } = /^(?<key>\w+)\s*=\s*(?<value>.*)$/.exec(line)?.groups ?? {};
    return key && value ? [[key, value]] : [];
  });
  return Object.fromEntries(entries);
}
