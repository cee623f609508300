import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { BadMirrorError, LockedError, NoMirrorError } from '../../src/errors.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { listChanges } from '../../src/store/history/changes.ts';
import { openPast } from '../../src/store/history/past.ts';
import { isLocked, takeLock } from '../../src/store/lock.ts';
import { newestVersion } from '../../src/store/migrations.ts';
import { type Mirror, readMeta, saveMeta } from '../../src/store/mirror.ts';
import { asMirrorError } from '../../src/store/mirror-errors.ts';
import { openMirror, openWritableMirror } from '../../src/store/open.ts';
import { listPoliticians } from '../../src/store/records/politicians.ts';
import { readCompleteRecord } from '../../src/store/records/profile.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { readSnapshot, transaction } from '../../src/store/transaction.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { makeOlder } from '../helpers/older-mirror.ts';
import { searchWords } from '../helpers/search-words.ts';

describe('opening a mirror', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
    path = join(folder, 'mirror.db');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('states the first error where closing a file fails, too', () => {
    const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    const both = new SuppressedError(new Error('closing failed'), full, 'two errors');
    expect(asMirrorError(path, both)).to.be.instanceOf(BadMirrorError).with.property('cause', full);
  });

  it('for reading needs one, and names two ways to get it', () => {
    expect(() => openMirror(path))
      .to.throw(NoMirrorError)
      .with.property('hint')
      .match(/init URL.*import FOLDER/);
  });

  const foreign: [string, (path: string) => void, RegExp][] = [
    ['text', (file) => writeFileSync(file, 'nom;parti\n'.repeat(20)), /not an SQLite file/],
    ['a truncated header', (file) => writeFileSync(file, 'SQLite format 3\0'), /not an SQLite file/],
    ['another SQLite file', (file) => new Database(file).exec('CREATE TABLE t (a)').close(), /not a mirror/],
    [
      'a mirror of a newer version',
      (file) => {
        const mirror = openWritableMirror(file);
        mirror.database.pragma(`user_version = ${newestVersion + 1}`);
        mirror.close();
      },
      /newer Hemicycle/,
    ],
  ];
  for (const [what, make, reason] of foreign) {
    it(`refuses ${what} with exit 10 and changes no byte of it`, () => {
      make(path);
      const before = readFileSync(path);
      for (const open of [openMirror, openWritableMirror]) {
        expect(() => open(path))
          .to.throw(BadMirrorError, reason)
          .with.property('exit', 10);
      }
      expect(readFileSync(path).equals(before)).to.equal(true);
    });
  }

  it('that is damaged inside fails with exit 10', async () => {
    const demo = await createDemoMirror();
    const bytes = readFileSync(demo.db);
    bytes.fill(0x55, 16_384, bytes.length);
    writeFileSync(path, bytes);
    expect(() => openMirror(path).database.prepare('SELECT count(*) FROM record').get()).to.throw();
    demo.remove();
  });

  it('for reading writes nothing', async () => {
    const demo = await createDemoMirror();
    const before = readFileSync(demo.db);
    const mirror = openMirror(demo.db);
    mirror.sql('SELECT count(*) FROM politicians').get();
    expect(() => mirror.database.exec('DELETE FROM record')).to.throw(/readonly/);
    mirror.close();
    expect(readFileSync(demo.db).equals(before)).to.equal(true);
    demo.remove();
  });

  for (const version of [1, 2, 3, 4]) {
    it(`that has schema ${version} is read with the one of now, and changes no byte of it`, async () => {
      const demo = await createDemoMirror();
      const readAnswers = () => {
        const mirror = openMirror(demo.db);
        const answers = [
          readCompleteRecord(mirror, kindOf('politician'), 'oceane-bruyevre'),
          searchWords(mirror, { query: 'retraites', limit: 5 }),
          listPoliticians(mirror, { sort: 'name', limit: 100 }),
          [...listChanges(mirror, { since: '2000-01-01' })],
          mirror.sql('SELECT * FROM politicians').all(),
        ];
        mirror.close();
        const past = openPast(demo.db, '2026-11-02T00:00:00.000Z');
        answers.push(readCompleteRecord(past, kindOf('politician'), 'oceane-bruyevre'));
        past.close();
        return answers;
      };
      const expected = readAnswers();
      leaveOlder(demo.db, version);
      const before = readFileSync(demo.db);
      expect(readAnswers()).to.deep.equal(expected);
      expect(readFileSync(demo.db).equals(before)).to.equal(true);
      expect(before.readUInt32BE(60)).to.equal(version);
      demo.remove();
    });
  }

  for (const version of [3, 4]) {
    it(`that has schema ${version} tells the copies of a text as before, now and then, and so it does once it is written`, () => {
      const save = (at: string, texts: Record<string, string>) => {
        const mirror = openWritableMirror(path);
        transaction(mirror, () => {
          const saver = createSaver(mirror, kindOf('content'), { at });
          for (const [id, text] of Object.entries(texts)) saver.save({ id, title: '', text });
          saver.finish();
          saveMeta(mirror, 'synced_at', at);
        });
        mirror.close();
      };
      const copies = (mirror: Mirror) => {
        const { items } = searchWords(mirror, { query: 'phare', limit: 9 });
        mirror.close();
        return items.map(({ id, copies }) => [id, copies]);
      };
      save('2026-01-01T00:00:00.000Z', {
        a: 'Le phare.',
        b: 'Le  phare.',
        c: 'Un autre phare.',
        d: 'Le phare.',
      });
      save('2026-01-03T00:00:00.000Z', { d: 'Un autre phare.' });
      const copiesNowAndThen = () => [copies(openMirror(path)), copies(openPast(path, '2026-01-02T00:00:00.000Z'))];
      const [now, past] = copiesNowAndThen();
      expect(now).to.have.deep.members([
        ['b', 1],
        ['d', 1],
      ]);
      expect(past).to.have.deep.members([
        ['d', 2],
        ['c', 0],
      ]);
      leaveOlder(path, version);
      expect(copiesNowAndThen()).to.deep.equal([now, past]);
      openWritableMirror(path).close();
      expect(copiesNowAndThen()).to.deep.equal([now, past]);
      save('2026-01-04T00:00:00.000Z', { a: 'Un autre phare.', d: 'Le phare.' });
      expect(copies(openMirror(path))).to.have.deep.members([
        ['d', 1],
        ['c', 1],
      ]);
    });
  }

  it('of an older program that is too large for memory names what brings it up to date', () => {
    openWritableMirror(path).close();
    leaveOlder(path, 2);
    // Beyond what the file's header counts there is nothing, and a sparse file takes no room.
    truncateSync(path, 2 ** 31);
    expect(() => openMirror(path)).to.throw(BadMirrorError, /older Hemicycle, and is too large/);
    openWritableMirror(path).close();
    openMirror(path).close();
  });

  it('that an older program is writing shows what that saves, and what a newer one makes of it', async () => {
    const demo = await createDemoMirror();
    leaveOlder(demo.db, 2);
    const mirror = openMirror(demo.db);
    const site = () => readSnapshot(mirror, () => readMeta(mirror, 'site_url'));
    expect(site()).to.equal('https://valombre.example');
    const writer = new Database(demo.db);
    const save = (value: string) => writer.prepare("UPDATE meta SET value = ? WHERE key = 'site_url'").run(value);
    for (const value of ['https://one.example', 'https://two.example']) {
      save(value);
      expect(site()).to.equal(value);
    }
    writer.exec('BEGIN');
    save('https://three.example');
    expect(site()).to.equal('https://two.example');
    writer.exec('COMMIT');
    writer.close();
    expect(site()).to.equal('https://three.example');
    expect(mirror.database.memory).to.equal(true);
    openWritableMirror(demo.db).close();
    expect(site()).to.equal('https://three.example');
    expect(mirror.database.memory).to.equal(false);
    mirror.close();
    demo.remove();
  });

  it('that a newer program has marked as its own in the log alone is refused', async () => {
    const demo = await createDemoMirror();
    const newer = openWritableMirror(demo.db);
    newer.database.pragma(`user_version = ${newestVersion + 1}`);
    expect(readFileSync(demo.db).readUInt32BE(60)).to.equal(newestVersion);
    expect(() => openMirror(demo.db))
      .to.throw(BadMirrorError, /newer Hemicycle/)
      .with.property('exit', 10);
    newer.close();
    demo.remove();
  });

  it('offers documented views with plain columns to any tool', async () => {
    const demo = await createDemoMirror();
    const tool = new Database(demo.db, { readonly: true });
    expect(tool.prepare("SELECT full_name FROM politicians WHERE slug = 'oceane-bruyevre'").pluck().get()).to.equal(
      'Océane Bruyèvre',
    );
    expect(tool.prepare("SELECT required FROM ballots WHERE scrutin_id = 'VAL1V7'").pluck().get()).to.be.greaterThan(0);
    expect(
      tool.prepare('SELECT count(*) FROM politicians WHERE department IS NOT NULL').pluck().get(),
    ).to.be.greaterThan(0);
    tool.close();
    demo.remove();
  });

  it('for writing goes on where the lock is damaged, which says nothing of the mirror', async () => {
    writeFileSync(`${path}.lock`, 'no database\n'.repeat(3000));
    const lock = await takeLock(path, { sleep: async () => {} });
    expect(isLocked(path)).to.equal(true);
    lock.close();
    rmSync(`${path}.lock`);
    mkdirSync(`${path}.lock`);
    const error = await takeLock(path, { sleep: async () => {} }).catch((thrown) => thrown);
    expect(error.exit).to.equal(10);
    expect(error.message).to.include(`${path}.lock`);
  });

  it('makes none of what a deleted one left in its log', () => {
    const former = openWritableMirror(path);
    former.database.pragma('wal_autocheckpoint = 0');
    saveMeta(former, 'site_url', 'https://former.example');
    for (const ending of ['-wal', '-shm']) copyFileSync(path + ending, `${path}.kept${ending}`);
    former.close();
    for (const ending of ['', '-wal', '-shm']) rmSync(`${path}${ending}`, { force: true });
    for (const ending of ['-wal', '-shm']) renameSync(`${path}.kept${ending}`, `${path}${ending}`);
    const anew = openWritableMirror(path);
    expect(readMeta(anew, 'site_url')).to.equal(null);
    expect(anew.database.pragma('integrity_check', { simple: true })).to.equal('ok');
    anew.close();
    expect(readdirSync(folder).filter((name) => name.includes('.new'))).to.deep.equal([]);
  });

  it('drops what an older program kept beside the index once it is written', () => {
    const before = openWritableMirror(path);
    before.database.exec('CREATE TABLE doc_value (block INTEGER PRIMARY KEY, days BLOB, texts BLOB) STRICT');
    makeOlder(before.database, 4);
    before.close();
    const after = openWritableMirror(path);
    expect(after.column("SELECT name FROM sqlite_schema WHERE name = 'doc_value'").all()).to.deep.equal([]);
    after.close();
  });

  it('for writing is one run at a time, and the lock goes with its holder', async () => {
    const sleep = async () => {};
    const lock = await takeLock(path, { sleep });
    expect(isLocked(path)).to.equal(true);
    let error: unknown;
    await takeLock(path, { sleep }).catch((caught) => {
      error = caught;
    });
    expect(error).to.be.instanceOf(LockedError).with.property('exit', 9);
    lock.close();
    expect(isLocked(path)).to.equal(false);
    (await takeLock(path, { sleep })).close();
  });
});

/** The file of a mirror as the program of an earlier schema left it, closed. */
function leaveOlder(path: string, version: number): void {
  const database = new Database(path);
  makeOlder(database, version);
  database.close();
}
