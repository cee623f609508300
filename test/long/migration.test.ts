import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { newestVersion } from '../../src/store/migrations.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { contentsOf } from '../helpers/mirror-contents.ts';
import { makeOlder } from '../helpers/older-mirror.ts';
import { runProgram } from '../helpers/program.ts';
import { createRandom, seedOf } from '../helpers/random.ts';
import { compilePreloadedDisk, putFiles, RecordedDisk, readRecord } from '../helpers/recorded-disk.ts';

const parties = fileURLToPath(new URL('../../fixtures/demo/parties.ndjson', import.meta.url));

for (const version of [3, 4])
  describe(`a mirror of schema ${version} that a run brings up to date`, () => {
    let folder: string;
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
    });
    after(() => rmSync(folder, { recursive: true, force: true }));

    /** What a mirror holds once it is opened for writing: records, words, the hashes of texts, and its schema. */
    const broughtUpToDate = (db: string) => {
      openWritableMirror(db).close();
      const database = new Database(db, { readonly: true });
      const hashes = database
        .prepare('SELECT id, text_hash FROM record WHERE text_hash IS NOT NULL ORDER BY id')
        .raw()
        .all();
      const schema = database.pragma('user_version', { simple: true });
      database.close();
      return { hashes, schema, ...contentsOf(db) };
    };

    it('is whole wherever that run is cut off, and ends the same', async function () {
      const preloaded = compilePreloadedDisk(folder);
      if (preloaded === null) {
        console.log('    skipped: what records writes is compiled with gcc, on Linux; it is not here');
        return this.skip();
      }
      const demo = await createDemoMirror();
      const db = join(folder, 'recorded/mirror.db');
      mkdirSync(join(folder, 'recorded'));
      const older = new Database(demo.db);
      older.pragma('journal_mode = DELETE');
      makeOlder(older, version);
      older.pragma('journal_mode = WAL');
      older.close();
      const bytes = readFileSync(demo.db);
      demo.remove();
      putFiles(join(folder, 'recorded'), new Map([[db, bytes]]));
      const record = join(folder, 'record');
      const env = {
        HOME: folder,
        LD_PRELOAD: preloaded,
        FAULT_UNDER: join(folder, 'recorded'),
        RECORD_TO: record,
      };
      const ended = await runProgram(['import', parties, '--db', db, '--quiet'], {
        env,
      });
      expect(ended).to.include({ exit: 0 });
      const expected = broughtUpToDate(db);
      expect(expected.schema).to.equal(newestVersion);
      expect(expected.hashes).to.have.length.above(50);
      const random = createRandom(seedOf('CRASH_SEED'));
      const disk = new RecordedDisk();
      for (const name of ['write', 'fsync'] as const) disk.make({ name, path: db, at: 0, data: bytes });
      disk.make({ name: 'fsync', path: join(folder, 'recorded'), at: 0, data: Buffer.alloc(0) });
      const cut = join(folder, 'cut/mirror.db');
      const calls = readRecord(record);
      for (const [at, call] of calls.entries()) {
        disk.make(call);
        for (const files of [disk.afterKill(), disk.afterPowerCut(random)]) {
          putFiles(join(folder, 'cut'), files);
          const { records, hashes, hits, integrity } = broughtUpToDate(cut);
          const where = `CRASH_SEED=${random.seed}, after call ${at}: ${call.name} ${call.path}`;
          expect({ records, hashes, hits, integrity }, where).to.deep.equal({
            records: expected.records,
            hashes: expected.hashes,
            hits: expected.hits,
            integrity: 'ok',
          });
        }
      }
      expect(calls.length).to.be.at.least(20);
    });
  });
