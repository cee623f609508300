import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from './child.ts';
import type { Workspace } from './trial.ts';

/** Path of a mirror of the workspace's records; the first call with a file name imports them. */
export async function importedMirror({ folder, records }: Workspace, fileName = 'imported.db'): Promise<string> {
  const mirror = join(folder, fileName);
  if (!existsSync(mirror)) {
    await runChild('import-mirror', [records.folder, mirror]);
  }
  return mirror;
}
