import { copyFileSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Mirror, saveMeta } from '../../src/store/mirror.ts';
import { openMirror, openWritableMirror } from '../../src/store/open.ts';
import { findImportFiles, importFiles } from '../../src/sync/import.ts';
import { sharedCache } from './program.ts';

/** The moment that every record of a demo mirror was seen. */
export const demoMoment = '2026-11-01T06:00:00.000Z';

/** The groups of the fictional chambers from left to right. */
export const demoSeating =
  'ligue-des-ateliers,parti-du-verger,alliance-des-rivages,mouvement-de-la-lanterne,union-des-clairieres';

const fixtures = fileURLToPath(new URL('../../fixtures/demo', import.meta.url));

/** A mirror of the fictional records in a folder of its own; `remove` deletes the folder. */
export async function createDemoMirror(): Promise<{ folder: string; db: string; remove: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
  const db = join(folder, 'mirror.db');
  copyFileSync(await demoTemplate(), db);
  // Where the folder is a home, programs find the code that others have compiled.
  symlinkSync(sharedCache, join(folder, '.cache'));
  // As a writer leaves it.
  openWritableMirror(db).close();
  return { folder, db, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A demo mirror that a block of tests only reads: there before the first of them, and gone after the last. */
export function readDemoMirror(): { readonly folder: string; readonly mirror: Mirror } {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let mirror: Mirror;
  before(async () => {
    demo = await createDemoMirror();
    mirror = openMirror(demo.db);
  });
  after(() => {
    mirror.close();
    demo.remove();
  });
  return {
    get folder() {
      return demo.folder;
    },
    get mirror() {
      return mirror;
    },
  };
}

/** A demo mirror for each test of a block that runs the program: with the environment for that, and a place for what it writes. */
export function demoMirrorForEach(): {
  readonly db: string;
  readonly folder: string;
  readonly out: string;
  readonly env: Record<string, string>;
} {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let env: Record<string, string>;
  beforeEach(async () => {
    demo = await createDemoMirror();
    env = { HEMICYCLE_DB: demo.db, HOME: demo.folder };
  });
  afterEach(() => demo.remove());
  return {
    get db() {
      return demo.db;
    },
    get folder() {
      return demo.folder;
    },
    get out() {
      return join(demo.folder, 'out');
    },
    get env() {
      return env;
    },
  };
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
  saveMeta(mirror, 'group_order', demoSeating);
});
