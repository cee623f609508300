import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from './child.ts';
import type { Place } from './trial.ts';

/** The path of a mirror of the real data, or of the fictional where they are not here; made once. */
export async function importedMirror({ folder, data }: Place, name = 'imported.db'): Promise<string> {
  const mirror = join(folder, name);
  if (!existsSync(mirror)) {
    await runChild('import-ours', [data.folder, mirror]);
  }
  return mirror;
}
