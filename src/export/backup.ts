import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { chmod, copyFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, createZstdCompress } from 'node:zlib';
import { pack } from 'tar-stream';
import { UsageError } from '../errors.ts';
import { createAtomically, createTemporaryPath, discard } from '../format/atomic-file.ts';
import type { Attribution } from '../model/attribution.ts';
import { whileOpen } from '../store/mirror.ts';
import { openMirror, openPlainDatabase } from '../store/open.ts';
import { type Phrase, say, saying } from '../words/speech.ts';

/** A file to back up, with its name in the archive. */
export type BackupFile = { name: string; path: string; isDatabase: boolean; isSecret: boolean };

/** The first entry of a backup, `manifest.json`: lists the following entries in order. */
export type BackupManifest = Awaited<ReturnType<typeof writeBackup>>;

/** Properties of a backup; `has_secrets` is false for an archive without watches, tokens and settings. */
type BackupOptions = { program: string; has_secrets: boolean; attribution: () => Attribution };

/** Name of the mirror in a backup. */
export const mirrorName = 'mirror.db';

export const manifestName = 'manifest.json';

const archiveFormats = [
  { ending: '.tar', pack: null },
  { ending: '.tar.gz', pack: () => createGzip({ level: 6 }) },
  { ending: '.tgz', pack: () => createGzip({ level: 6 }) },
  { ending: '.tar.zst', pack: () => createZstdCompress() },
];

/** Backs up database snapshots atomically, the mirror last, after its watches; a bad extension is a UsageError. */
export async function writeBackup(output: string, files: readonly BackupFile[], about: BackupOptions) {
  const archiveFormat = archiveFormats.findLast(({ ending }) => output.endsWith(ending));
  if (!archiveFormat)
    throw new UsageError(
      say`${output} does not end in ${archiveFormats.map(({ ending }) => ending).join(', ')}`,
      say`as in \`hemicycle backup -o hemicycle.tar.gz\``,
    );
  const copies: { name: string; path: string; mode: number; bytes: number; sha256: string }[] = [];
  return createAtomically(output, async (temporary) => {
    // It may contain tokens.
    await chmod(temporary, 0o600);
    for (const file of files.filter(({ path }) => existsSync(path))) {
      const copy = createTemporaryPath(dirname(output));
      copies.push({ name: file.name, path: copy, ...(await createCopy(file, copy)) });
    }
    const manifest = {
      ...{ format: 'hemicycle-backup', version: 1 },
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
    const compressor = archiveFormat.pack?.();
    await Promise.all([addEntries(), compressor ? pipeline(archive, compressor, out) : pipeline(archive, out)]);
    return manifest;
  }).finally(() => Promise.all(copies.map(({ path }) => discard(path))));
}

async function createCopy({ name, path, isDatabase }: BackupFile, copyPath: string) {
  if (isDatabase) {
    const { database } = name === mirrorName ? openMirror(path) : { database: openPlainDatabase(path) };
    whileOpen(database, () => database.prepare('VACUUM INTO ?').run(copyPath));
  } else await copyFile(path, copyPath);
  const { mode } = await stat(path);
  const { size: bytes } = await stat(copyPath);
  return { mode: mode & 0o777, bytes, sha256: await hashStream(createReadStream(copyPath)) };
}

/** SHA-256 of a stream, hexadecimal. */
export async function hashStream(bytes: Readable): Promise<string> {
  const digest = createHash('sha256');
  for await (const chunk of bytes) digest.update(chunk);
  return digest.digest('hex');
}

/** The files of a backup in words: `mirror.db 73 MB, watches.db 40 kB`. */
export function filesPhrase({ files }: BackupManifest): Phrase {
  return saying((speech) => speech.list(files.map(({ name, bytes }) => `${name} ${speech.bytes(bytes)}`)));
}
