import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { saveMeta } from '../../src/store/meta.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { findImportFiles, importFiles } from '../../src/sync/import.ts';

/** The moment that every record of a demo mirror was seen. */
export const demoMoment = '2026-11-01T06:00:00.000Z';

const sharedCache = join(tmpdir(), 'hemicycle-test-home', '.cache');

const fixtures = fileURLToPath(new URL('../../fixtures/demo', import.meta.url));

/** A mirror of the fictional records in a folder of its own; `remove` deletes the folder. */
export async function createDemoMirror(): Promise<{ folder: string; db: string; remove: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
  const db = join(folder, 'mirror.db');
  copyFileSync(await demoTemplate(), db);
  // Where the folder is a home, programs find the code that others have compiled.
  mkdirSync(sharedCache, { recursive: true });
  symlinkSync(sharedCache, join(folder, '.cache'));
  // As a writer leaves it.
  openWritableMirror(db).close();
  return { folder, db, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The path of a mirror that is filled once, when it is first asked for, to be copied; it goes with the process. */
export function createTemplate(fill: (mirror: Mirror) => unknown): () => Promise<string> {
  let template: Promise<string> | undefined;
  const make = async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hemicycle-template-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    const db = join(folder, 'mirror.db');
    const mirror = openWritableMirror(db);
    await fill(mirror);
    mirror.close();
    return db;
  };
  return () => {
    template ??= make();
    return template;
  };
}

const demoTemplate = createTemplate(async (mirror) => {
  await importFiles(mirror, findImportFiles(fixtures), { at: demoMoment });
  mirror.sql('UPDATE kind_state SET origin = ?').run('fixtures/demo');
  saveMeta(mirror, 'service_name', 'Service de Valombre (fictional)');
  saveMeta(mirror, 'site_url', 'https://valombre.example');
});
