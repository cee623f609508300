import { statSync } from 'node:fs';

/** Device and inode of the file at a path; empty if there is none. */
export function fileIdentity(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.dev}:${stat.ino}` : '';
}

/** Text that changes whenever the file at a path is replaced or written; empty if there is none. */
export function fileState(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ') : '';
}

/** Size of the file at a path in bytes; 0 if there is none. */
export const fileBytes = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
