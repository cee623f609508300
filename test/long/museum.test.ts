import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zstdDecompressSync } from 'node:zlib';
import { expect } from 'chai';
import { newestVersion } from '../../src/store/migrations.ts';
import { contentsOf } from '../helpers/mirror-contents.ts';
import { askProgram } from '../helpers/program.ts';
import { startServedProgram } from '../helpers/served-program.ts';

const museum = fileURLToPath(new URL('../../fixtures/mirrors', import.meta.url));
const names = readdirSync(museum).filter((name) => name.endsWith('.db.zst'));
const editedPromise = 'promise-bruyevre-2025-001';

describe('a mirror that an earlier program wrote', () => {
  let folder: string;
  let exported: Map<string, string>;
  const envOf = (db: string) => ({ HOME: folder, HEMICYCLE_DB: db });
  const run = async (db: string, ...argv: string[]) => {
    const ended = await askProgram(argv, { env: envOf(db) });
    expect(ended.exit, `${argv.join(' ')}: ${ended.stderr}`).to.equal(0);
    return ended;
  };
  /** The exported datasets of a mirror by file name, without the files that name days. */
  async function exportOf(db: string): Promise<Map<string, string>> {
    const to = `${db}.export/`;
    await run(db, 'export', '--all', '-o', to);
    const files = readdirSync(to).filter((name) => name.endsWith('.csv'));
    return new Map(files.map((name) => [name, readFileSync(join(to, name), 'utf8')]));
  }
  /** A copy of an exhibit, which its test may change. */
  function exhibit(name: string): string {
    const db = join(folder, name.replace(/\.zst$/, ''));
    writeFileSync(db, zstdDecompressSync(readFileSync(join(museum, name))));
    return db;
  }

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
    const db = join(folder, 'new.db');
    await run(db, 'import', join(museum, 'records'));
    exported = await exportOf(db);
    expect(exported.size).to.be.at.least(10);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is kept for every earlier schema', () => {
    const versions = names.map((name) => Number(/^schema-(\d+)\.db\.zst$/.exec(name)?.[1]));
    expect(versions.sort((a, b) => a - b)).to.deep.equal(Array.from({ length: newestVersion - 1 }, (_, at) => at + 1));
  });

  for (const name of names) {
    it(`answers, serves and exports as it is: ${name}`, async () => {
      const db = exhibit(name);
      const bytes = readFileSync(db);
      const { items } = JSON.parse((await run(db, 'history', 'promise', editedPromise, '--json')).stdout);
      expect(items).to.have.length(2);
      const changed = JSON.parse(
        (await run(db, 'changes', '--since', '2026-01-01', '--only', 'edited', '--json')).stdout,
      );
      expect(changed.items.map(({ key }: { key: string }) => key)).to.deep.equal([editedPromise]);
      expect((await run(db, 'search', 'bruyevre', '--format', 'csv')).stdout).to.include('oceane-bruyevre');
      expect(Object.fromEntries(await exportOf(db))).to.deep.equal(Object.fromEntries(exported));
      const served = await startServedProgram([], envOf(db));
      const { total } = (await (await fetch(`${served.origin}/api/v1/politicians`)).json()) as { total: number };
      expect(total).to.equal(12);
      expect((await fetch(`${served.origin}/records/promise/${editedPromise}`)).status).to.equal(200);
      await served.stop();
      expect(readFileSync(db).equals(bytes), 'reading writes nothing').to.equal(true);
    });

    it(`goes on with the next import, and keeps its history: ${name}`, async () => {
      const db = exhibit(name);
      const records = join(folder, 'records');
      cpSync(join(museum, 'records'), records, { recursive: true });
      const { stderr } = await run(db, 'import', records);
      expect(stderr)
        .to.match(/promises: 0 added, 0 changed, 12 unchanged/)
        .and.not.match(/[1-9]\d* (added|changed)/);
      const { items } = JSON.parse((await run(db, 'history', 'promise', editedPromise, '--json')).stdout);
      expect(items).to.have.length(2);
      expect(Object.fromEntries(await exportOf(db))).to.deep.equal(Object.fromEntries(exported));
      const fresh = join(folder, 'new.db');
      expect(contentsOf(db).hits).to.deep.equal(contentsOf(fresh).hits);
    });
  }
});
