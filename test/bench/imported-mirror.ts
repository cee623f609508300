import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { deleteMeta } from '../../src/store/mirror.ts';
import { openWritableMirror } from '../../src/store/open.ts';
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

/** Deletes the journal of a mirror, so that clients read its server like any service and do not follow it. */
export function deleteJournal(path: string): void {
  const mirror = openWritableMirror(path);
  deleteMeta(mirror, 'journal');
  mirror.close();
}
