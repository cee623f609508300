import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { saveMeta } from '../../src/store/meta.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { findImportFiles, importFiles } from '../../src/sync/import.ts';

/** The moment that every record of a demo mirror was seen. */
export const demoMoment = '2026-11-01T06:00:00.000Z';

const fixtures = fileURLToPath(new URL('../../fixtures/demo', import.meta.url));

/** A mirror of the fictional records in a folder of its own; `remove` deletes the folder. */
export async function createDemoMirror(): Promise<{ folder: string; db: string; remove: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
  const db = join(folder, 'mirror.db');
  const mirror = openWritableMirror(db);
  await importFiles(mirror, findImportFiles(fixtures), { at: demoMoment });
  mirror.sql('UPDATE kind_state SET origin = ?').run('fixtures/demo');
  saveMeta(mirror, 'service_name', 'Service de Valombre (fictional)');
  saveMeta(mirror, 'site_url', 'https://valombre.example');
  mirror.close();
  return { folder, db, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
