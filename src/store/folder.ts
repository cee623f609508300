import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents, or checks that an existing one is writable; throws the system's error. One by
 * one, since `recursive` never returns for a missing folder that cannot be created (/proc).
 */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let at = path; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at);
  for (const each of missing) makeOne(each);
  accessSync(path, constants.W_OK);
}

function makeOne(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have created it meanwhile.
    const isThere = (error as { code?: string }).code === 'EEXIST' && statSync(path).isDirectory();
    if (!isThere) throw error;
  }
}
