import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { chmod, rename, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Readable, pipeline as unpacking } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { type Entry, extract } from 'tar-stream';
import { UsageError, VerificationError } from '../errors.ts';
import { createTemporaryPath, discard, forget, removeAbandonedFiles, syncFolder } from '../format/atomic-file.ts';
import { readBytes, whyUnreadable } from '../format/foreign-file.ts';
import { createFolder } from '../store/folder.ts';
import { dataSize, type Phrase, say } from '../words/speech.ts';
import { type BackupManifest, hashStream, manifestName } from './backup.ts';
import { hashFile } from './former.ts';

const decompressions = [
  { mark: [0x1f, 0x8b], unpack: () => createGunzip() },
  { mark: [0x28, 0xb5, 0x2f, 0xfd], unpack: () => createZstdDecompress() },
];

/** True if a file looks like a backup: a tar file, packed or plain, whose first entry is the manifest. */
export async function isBackup(path: string): Promise<boolean> {
  if (!(await stat(path).catch(() => null))?.isFile()) return false;
  try {
    for await (const entry of readEntries(path)) return entry.header.name === manifestName;
  } catch {
    // Not a tar file.
  }
  return false;
}

/** The bytes of a file, unpacked if they are packed; errors are emitted on the stream. */
export function openUnpacked(path: string): Readable {
  const head = readBytes(path, 4);
  const unpack = decompressions.find(({ mark }) => mark.every((byte, at) => head[at] === byte))?.unpack();
  const bytes = createReadStream(path);
  return unpack ? unpacking(bytes, unpack, () => {}) : bytes;
}

/** The entries of a tar file; unread contents are skipped. */
async function* readEntries(path: string): AsyncGenerator<Entry> {
  const bytes = openUnpacked(path);
  const archive = extract();
  let failure: unknown = null;
  const reading = pipeline(bytes, archive);
  reading.catch((error: unknown) => {
    failure = error;
    archive.destroy(error as Error);
  });
  try {
    yield* archive;
    await reading;
  } finally {
    bytes.destroy();
    if (failure === null) archive.destroy();
  }
}

/** Passes verified copies of a backup's files to `use`, deleting leftovers; throws a VerificationError if damaged. */
export async function withBackup<Result>(
  path: string,
  target: (name: string) => string | null,
  use: (unpacked: { manifest: BackupManifest; copies: Map<string, string> }) => Promise<Result>,
): Promise<Result> {
  const copies = new Map<string, string>();
  const reason = whyUnreadable(path, Number.POSITIVE_INFINITY);
  if (reason !== null)
    throw new VerificationError(say`${path}: ${reason}`, say`name a file that \`hemicycle backup\` wrote`);
  const work = async () => use({ manifest: await unpack(path, target, copies), copies });
  return work().finally(() => Promise.all([...copies.values()].map(discard)));
}

async function unpack(path: string, target: (name: string) => string | null, copies: Map<string, string>) {
  let manifest: BackupManifest | null = null;
  const remainingNames = new Set<string>();
  try {
    for await (const entry of readEntries(path)) {
      const { name, size = 0 } = entry.header;
      if (manifest === null) {
        manifest = await readManifest(path, entry);
        for (const file of manifest.files) remainingNames.add(file.name);
        continue;
      }
      const fileEntry = manifest.files.find((file) => file.name === name);
      if (!fileEntry || !remainingNames.delete(name) || fileEntry.bytes !== size || entry.header.type !== 'file')
        throw damagedError(path, say`it contains ${name}, which its manifest does not list`);
      const targetPath = target(name);
      const sha256 = await (targetPath === null
        ? hashStream(entry)
        : extractEntry(entry, { ...fileEntry, targetPath }, copies));
      if (sha256 !== fileEntry.sha256) throw damagedError(path, say`${name} differs from its backup`);
      // Further entries may never end.
      if (remainingNames.size === 0) break;
    }
  } catch (error) {
    if (error instanceof VerificationError || (error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    throw damagedError(path, say`it is not a complete tar file of \`hemicycle backup\``);
  }
  const [missing] = remainingNames;
  if (manifest === null) throw damagedError(path, say`it is not a Hemicycle backup`);
  if (missing !== undefined) throw damagedError(path, say`${missing} is missing`);
  return manifest;
}

const maxManifestBytes = 1_000_000;

async function readManifest(path: string, entry: Entry): Promise<BackupManifest> {
  const { name, size = 0 } = entry.header;
  if (name !== manifestName || size > maxManifestBytes) throw damagedError(path, say`it is not a Hemicycle backup`);
  const manifest = (await json(entry)) as BackupManifest;
  if (manifest.format !== 'hemicycle-backup' || !Array.isArray(manifest.files))
    throw damagedError(path, say`it is not a Hemicycle backup`);
  if (manifest.version !== 1)
    throw new VerificationError(
      say`${path}: it was written by a newer Hemicycle`,
      say`update with \`npm i -g hemicycle\`; nothing was written`,
    );
  return manifest;
}

/** Writes an entry into a copy beside its target; returns the hash of the written bytes. */
async function extractEntry(
  entry: Entry,
  { name, bytes, targetPath }: { name: string; bytes: number; targetPath: string },
  copies: Map<string, string>,
): Promise<string> {
  const folder = dirname(targetPath);
  createFolder(folder);
  await removeAbandonedFiles(folder);
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < bytes) {
    const [needed, free] = [bytes, bavail * bsize].map(dataSize);
    throw new UsageError(say`${folder} has ${free!} free; ${name} needs ${needed!}`);
  }
  const copy = createTemporaryPath(folder);
  copies.set(name, copy);
  await pipeline(entry, createWriteStream(copy, { mode: 0o600, flush: true }));
  await chmod(copy, (entry.header.mode ?? 0o600) & 0o777);
  return hashFile(copy);
}

function damagedError(path: string, reason: Phrase): VerificationError {
  return new VerificationError(
    say`${path}: ${reason}`,
    say`nothing was restored; copy the backup again, or take another one`,
  );
}

/** SQLite would apply leftover logs to another database of the same name. */
const databaseSuffixes = ['', '-wal', '-shm', '-journal'];

/** Puts a copy in place; returns the former file's free new name (`mirror.db.before`, moved with its logs), or null. */
export async function installCopy(copy: string, path: string): Promise<string | null> {
  const existingSuffixes = databaseSuffixes.filter((ending) => existsSync(path + ending));
  let formerPath = `${path}.before`;
  for (let number = 2; existsSync(formerPath); number += 1) formerPath = `${path}.before${number}`;
  for (const ending of existingSuffixes) await rename(path + ending, formerPath + ending);
  await moveCopy(copy, path);
  return existingSuffixes.includes('') ? formerPath : null;
}

/** Puts a copy in place of a file without logs; readers of that file go on with it. */
export async function moveCopy(copy: string, path: string): Promise<void> {
  await rename(copy, path);
  forget(copy);
  await syncFolder(dirname(path));
}

/** True if a file has the same bytes as a copy. */
export async function isSameFile(path: string, copy: string): Promise<boolean> {
  if ((await stat(path)).size !== (await stat(copy)).size) return false;
  return (await hashFile(path)) === (await hashFile(copy));
}
