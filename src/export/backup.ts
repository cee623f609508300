import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { chmod, copyFile, rename, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline as callbackPipeline, type Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { type Entry, extract, pack } from 'tar-stream';
import { UsageError, VerificationError } from '../errors.ts';
import {
  createAtomically,
  createTemporaryPath,
  discard,
  removeAbandonedFiles,
  renameDurably,
} from '../format/atomic-file.ts';
import { readBytes, whyUnreadable } from '../format/foreign-file.ts';
import { compressions } from '../format/sink.ts';
import type { Attribution } from '../model/attribution.ts';
import { createFolder } from '../store/folder.ts';
import { whileOpen } from '../store/mirror.ts';
import { openMirror, openReadOnlyDatabase } from '../store/open.ts';
import { dataSize, type Phrase, say, saying } from '../words/speech.ts';
import { hashFile, hashStream } from './former-export.ts';

/** A file to back up, with its name in the archive. */
export type BackupFile = { name: string; path: string; isDatabase: boolean; isSecret: boolean };

/** The content of `manifest.json`, the first entry of a backup, which lists the following entries in order. */
export type BackupManifest = Awaited<ReturnType<typeof writeBackup>>;

/** Properties of a backup; `has_secrets` is false for an archive without watches, tokens and settings. */
type BackupOptions = { program: string; has_secrets: boolean; attribution: () => Attribution };

/** Name of the mirror in a backup. */
export const mirrorEntryName = 'mirror.db';

/** Name of the manifest in a backup. */
export const manifestName = 'manifest.json';

/** For each suffix of an archive, the function that creates its compressing stream; null for no compression. */
const archiveFormats = {
  '.tar': null,
  '.tar.gz': compressions.gz,
  '.tgz': compressions.gz,
  '.tar.zst': compressions.zst,
};

/** Archives existing files, databases as snapshots; returns the manifest. Throws a UsageError for an unknown suffix. */
export async function writeBackup(output: string, files: readonly BackupFile[], about: BackupOptions) {
  const [, createCompressor] = Object.entries(archiveFormats).find(([ending]) => output.endsWith(ending)) ?? [];
  if (createCompressor === undefined)
    throw new UsageError(
      say`${output} does not end in ${Object.keys(archiveFormats).join(', ')}`,
      say`as in \`hemicycle backup -o hemicycle.tar.gz\``,
    );
  const copies: { name: string; path: string; mode: number; bytes: number; sha256: string }[] = [];
  return createAtomically(output, async (temporary) => {
    // The archive may contain tokens.
    await chmod(temporary, 0o600);
    for (const file of files.filter(({ path }) => existsSync(path))) {
      const copy = createTemporaryPath(dirname(output));
      copies.push({ name: file.name, path: copy, ...(await createCopy(file, copy)) });
    }
    const manifest = {
      format: 'hemicycle-backup',
      version: 1,
      made_at: new Date().toISOString(),
      ...about,
      attribution: about.attribution(),
      files: copies.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })),
    };
    const archive = pack();
    const mtime = new Date(manifest.made_at);
    const addEntries = async () => {
      archive.entry({ name: manifestName, mtime, mode: 0o600 }, `${JSON.stringify(manifest, null, 2)}\n`);
      for (const { path, bytes: size, sha256: _, ...entry } of copies)
        await pipeline(createReadStream(path), archive.entry({ ...entry, size, mtime }));
      archive.finalize();
    };
    const out = createWriteStream(temporary);
    const compressor = createCompressor?.();
    await Promise.all([addEntries(), compressor ? pipeline(archive, compressor, out) : pipeline(archive, out)]);
    return manifest;
  }).finally(() => Promise.all(copies.map(({ path }) => discard(path))));
}

/** Copies a file, a database as a compact snapshot; returns mode, size and hash. */
async function createCopy({ name, path, isDatabase }: BackupFile, copyPath: string) {
  if (isDatabase) {
    const { database } = name === mirrorEntryName ? openMirror(path) : { database: openReadOnlyDatabase(path) };
    whileOpen(database, () => database.prepare('VACUUM INTO ?').run(copyPath));
  } else await copyFile(path, copyPath);
  const { mode } = await stat(path);
  const { size: bytes } = await stat(copyPath);
  return { mode: mode & 0o777, bytes, sha256: await hashStream(createReadStream(copyPath)) };
}

/** The files of a backup in words: `mirror.db 73 MB, watches.db 40 kB`. */
export function filesPhrase({ files }: BackupManifest): Phrase {
  return saying((speech) => speech.list(files.map(({ name, bytes }) => `${name} ${speech.bytes(bytes)}`)));
}

const decompressions = [
  { signature: [0x1f, 0x8b], unpack: () => createGunzip() },
  { signature: [0x28, 0xb5, 0x2f, 0xfd], unpack: () => createZstdDecompress() },
];

/** True if a file looks like a backup: a tar file, compressed or not, whose first entry is the manifest. */
export async function isBackup(path: string): Promise<boolean> {
  if (!(await stat(path).catch(() => null))?.isFile()) return false;
  try {
    for await (const entry of readEntries(path)) return entry.header.name === manifestName;
  } catch {
    // Not a tar file.
  }
  return false;
}

/** The bytes of a file, decompressed if it is compressed; errors are emitted on the stream. */
export function openDecompressed(path: string): Readable {
  const head = readBytes(path, 4);
  const unpack = decompressions.find(({ signature }) => signature.every((byte, at) => head[at] === byte))?.unpack();
  const bytes = createReadStream(path);
  return unpack ? callbackPipeline(bytes, unpack, () => {}) : bytes;
}

/** The entries of a tar file; unread contents are skipped. */
async function* readEntries(path: string): AsyncGenerator<Entry> {
  const bytes = openDecompressed(path);
  const archive = extract();
  let failure: unknown = null;
  const extraction = pipeline(bytes, archive);
  extraction.catch((error: unknown) => {
    failure = error;
    archive.destroy(error as Error);
  });
  try {
    yield* archive;
    await extraction;
  } finally {
    bytes.destroy();
    if (failure === null) archive.destroy();
  }
}

/** Extracts a backup's files (null `target`: only verified) and passes them to `use`; throws a VerificationError. */
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

/** Extracts files beside their targets and adds their paths to `copies`; returns the manifest. */
async function unpack(path: string, target: (name: string) => string | null, copies: Map<string, string>) {
  const entries = readEntries(path);
  try {
    const { value: firstEntry } = await entries.next();
    const manifest = await readManifest(path, firstEntry);
    const remainingFiles = new Map(manifest.files.map((file) => [file.name, file]));
    for await (const entry of entries) {
      const { name, size = 0, type } = entry.header;
      const file = remainingFiles.get(name);
      if (file?.bytes !== size || type !== 'file')
        throw damagedError(path, say`it contains ${name}, which its manifest does not list`);
      remainingFiles.delete(name);
      const targetPath = target(name);
      const sha256 = await (targetPath === null ? hashStream(entry) : extractEntry(entry, targetPath, copies));
      if (sha256 !== file.sha256) throw damagedError(path, say`${name} differs from its backup`);
      // Further entries may never end.
      if (remainingFiles.size === 0) break;
    }
    const [missing] = remainingFiles.keys();
    if (missing !== undefined) throw damagedError(path, say`${missing} is missing`);
    return manifest;
  } catch (error) {
    if (error instanceof VerificationError || (error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    throw damagedError(path, say`it is not a complete tar file of \`hemicycle backup\``);
  } finally {
    await entries.return(undefined);
  }
}

const maxManifestBytes = 1_000_000;

async function readManifest(path: string, entry: Entry | undefined): Promise<BackupManifest> {
  const isManifest = entry?.header.name === manifestName && (entry.header.size ?? 0) <= maxManifestBytes;
  const manifest = isManifest ? ((await json(entry)) as BackupManifest) : null;
  if (manifest?.format !== 'hemicycle-backup' || !Array.isArray(manifest.files))
    throw damagedError(path, say`it is not a Hemicycle backup`);
  if (manifest.version !== 1)
    throw new VerificationError(
      say`${path}: it was written by a newer Hemicycle`,
      say`update with \`npm i -g hemicycle\`; nothing was written`,
    );
  return manifest;
}

/** Writes an entry into a copy beside its target; returns the hash of the written bytes. */
async function extractEntry(entry: Entry, targetPath: string, copies: Map<string, string>): Promise<string> {
  const { name, size = 0, mode = 0o600 } = entry.header;
  const folder = dirname(targetPath);
  createFolder(folder);
  await removeAbandonedFiles(folder);
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < size)
    throw new UsageError(say`${folder} has ${dataSize(bavail * bsize)} free; ${name} needs ${dataSize(size)}`);
  const copy = createTemporaryPath(folder);
  copies.set(name, copy);
  await pipeline(entry, createWriteStream(copy, { mode: 0o600, flush: true }));
  await chmod(copy, mode & 0o777);
  return hashFile(copy);
}

function damagedError(path: string, reason: Phrase): VerificationError {
  return new VerificationError(
    say`${path}: ${reason}`,
    say`nothing was restored; copy the backup again, or take another one`,
  );
}

/** Suffixes of a database and its logs, which SQLite would apply to another database of the same name. */
const databaseSuffixes = ['', '-wal', '-shm', '-journal'];

/** Renames a copy to `path`; returns the path to which a former file was renamed (`PATH.before`), null without one. */
export async function installCopy(copy: string, path: string): Promise<string | null> {
  const existingSuffixes = databaseSuffixes.filter((ending) => existsSync(path + ending));
  let formerPath = `${path}.before`;
  for (let number = 2; existsSync(formerPath); number += 1) formerPath = `${path}.before${number}`;
  for (const ending of existingSuffixes) await rename(path + ending, formerPath + ending);
  await renameDurably(copy, path);
  return existingSuffixes.includes('') ? formerPath : null;
}

/** True if two files have the same bytes. */
export async function isSameFile(path: string, copy: string): Promise<boolean> {
  if ((await stat(path)).size !== (await stat(copy)).size) return false;
  return (await hashFile(path)) === (await hashFile(copy));
}
