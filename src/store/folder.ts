import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder, with those above it that are missing, or sees that files can be made in one that is there. Throws the
 * system's error. One by one: `recursive` never comes back where the system takes a folder for missing that it will not
 * make (/proc).
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
    // Another process may have made it meanwhile.
    const isThere = (error as { code?: string }).code === 'EEXIST' && statSync(path).isDirectory();
    if (!isThere) throw error;
  }
}
