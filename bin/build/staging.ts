import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of the files that packages contain unchanged, such as units and launchers. */
export const packagingFolder = join(import.meta.dirname, 'packaging');

/** Runs a program; returns its stdout. */
export function run(program: string, argv: string[]): string {
  return execFileSync(program, argv, { encoding: 'utf8', maxBuffer: 1e9, stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Sets the modes of all files in a folder, and their times to SOURCE_DATE_EPOCH, to be reproducible. */
export function normaliseFiles(folder: string): void {
  run('chmod', ['-R', 'u=rwX,go=rX', folder]);
  run('find', [folder, '-exec', 'touch', '-h', '-d', `@${process.env.SOURCE_DATE_EPOCH}`, '{}', '+']);
}

/** Packs paths within a folder into a file, sorted by name; compressed if `tarPath` ends in .gz. */
export function writeTar(folder: string, paths: string[], tarPath: string, ownerId = 0): void {
  const argv = ['--sort=name', '--format=gnu', `--owner=${ownerId}`, `--group=${ownerId}`, '--numeric-owner'];
  const compressFlags = tarPath.endsWith('.gz') ? ['--use-compress-program=gzip -9n'] : [];
  const mtime = `--mtime=@${process.env.SOURCE_DATE_EPOCH}`;
  run('tar', [...argv, mtime, ...compressFlags, '-cf', tarPath, '-C', folder, ...paths]);
}

/** Sorted paths, relative to the folder, of all files in it and its subfolders; links are omitted. */
export function filesIn(folder: string): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => lstatSync(join(folder, path)).isFile()).sort();
}
