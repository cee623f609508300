import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from './child.ts';
import type { Place } from './trial.ts';

/** The path of a mirror of the real data, or of the fictional where they are not here; made once. */
export async function importedMirror({ folder, root }: Place, name = 'imported.db'): Promise<string> {
  const real = join(root, '../shared/data/real');
  const mirror = join(folder, name);
  if (!existsSync(mirror)) {
    await runChild('import-ours', [existsSync(real) ? real : join(root, 'fixtures/demo'), mirror]);
  }
  return mirror;
}
