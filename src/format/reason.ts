const reasons: Record<string, string> = {
  ENOSPC: 'no space left on the device',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be larger than the system allows',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EROFS: 'the file system is read-only',
  ENOENT: 'the folder does not exist',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'too many symbolic links',
  EIO: 'the device failed',
};

/** Why the system refused a file operation, in words; the error's own message where the code is unknown. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return (code && reasons[code]) ?? (error instanceof Error ? error.message : String(error));
}

/** The system's code of an error (`ENOSPC`), or null when it is not an error of the system. */
export function codeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
