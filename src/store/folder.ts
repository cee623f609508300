import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Creates a folder and its missing parents. Throws the system's error, also if an existing folder is not writable. */
export function createFolder(path: string): void {
  const missingFolders: string[] = [];
  for (let at = path; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missingFolders.unshift(at);
  // One by one: `recursive` never returns for a folder that cannot be created (/proc).
  for (const each of missingFolders)
    try {
      mkdirSync(each);
    } catch (error) {
      // Another process may have created it meanwhile.
      if ((error as { code?: string }).code !== 'EEXIST' || !statSync(each).isDirectory()) throw error;
    }
  accessSync(path, constants.W_OK);
}
