import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { openWritableMirror } from '../../src/store/open.ts';
import { findImportFiles, type ImportFile, type ImportOptions, importFiles } from '../../src/sync/import.ts';
import { createPreparer, type ReadInput } from '../../src/sync/prepared-batches.ts';
import type { Phrase } from '../../src/words/speech.ts';
import { contentsOf } from '../helpers/mirror-contents.ts';
import { createRandom, seedOf } from '../helpers/random.ts';

const fixtures = fileURLToPath(new URL('../../fixtures/demo', import.meta.url));
const at = '2026-11-01T00:00:00.000Z';
const always = 0;
const never = Number.POSITIVE_INFINITY;

describe('an import that reads on a thread of its own', () => {
  let folder: string;
  let opened = 0;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
    // Each mirror draws a mark of its own when it is made: all of these have one.
    openWritableMirror(join(folder, 'empty.db')).close();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** The bytes of a mirror that was filled from the files. */
  async function imported(files: ImportFile[], options: Partial<ImportOptions>): Promise<Buffer> {
    const path = join(folder, `${opened++}.db`);
    copyFileSync(join(folder, 'empty.db'), path);
    const mirror = openWritableMirror(path);
    await importFiles(mirror, files, { at, ...options });
    // A mark that is drawn by chance with every change.
    mirror.sql("UPDATE meta SET value = '000000000000000000000000' WHERE key IN ('state', 'changed_at')").run();
    mirror.close();
    return readFileSync(path);
  }

  /** A folder with so many records of one kind, in each of which anything may stand. */
  function manyRecords(count: number): string {
    const random = createRandom(seedOf('IMPORT_SEED'));
    const words = ['L’énergie', 'd’un', 'forêts', '49-3', '\ud800', 'œuvre', '\u0000', 'Le Roc', '1e400', 'côté'];
    const text = () => Array.from({ length: 12 }, () => random.pick(words)).join(' ');
    const lines = Array.from({ length: count }, (_, n) =>
      JSON.stringify({
        id: `c${n}`,
        title: text(),
        text: text(),
        politician: 'ada-roc',
        number: n / 7,
      }),
    );
    writeFileSync(join(folder, 'content.ndjson'), `${[...lines, ...lines.slice(0, 5)].join('\n')}\n`);
    return folder;
  }

  for (const [name, folder] of [
    ['the demo', () => fixtures],
    ['1,600 records of odd texts, some twice', () => manyRecords(1600)],
  ] as const) {
    it(`leaves the same file as one that does not: ${name}`, async () => {
      const files = findImportFiles(folder());
      const alone = await imported(files, { largeFrom: never });
      const threaded = await imported(files, { largeFrom: always });
      expect(threaded.equals(alone)).to.equal(true);
    });
  }

  it('starts none for few records, nor for those that the mirror holds already', async () => {
    const files = findImportFiles(manyRecords(1500));
    const preparing = () => {
      throw new Error('started');
    };
    const notes: string[] = [];
    const note = (text: Phrase) => notes.push(`${text}`);
    const mirror = openWritableMirror(join(folder, 'mirror.db'));
    await importFiles(mirror, files, { at, preparing, note });
    await importFiles(mirror, files, { at, preparing, note, largeFrom: always });
    mirror.close();
    expect(notes).to.deep.equal([]);
  });

  it('reads without it where it cannot be had or breaks off, says so, and loses nothing', async () => {
    const files = findImportFiles(manyRecords(1600));
    const alone = await imported(files, { largeFrom: never });
    const [first] = files;
    const breaking = `import { parentPort } from 'node:worker_threads';
      import { prepareBatch } from '${new URL('../../src/store/saving/prepare.ts', import.meta.url)}';
      import { kindOf } from '${new URL('../../src/model/kinds.ts', import.meta.url)}';
      parentPort.on('message', (files) => {
        const batch = prepareBatch(kindOf('content'), [{ document: { id: 'c0' }, text: '{"id":"c0"}' }]);
        parentPort.postMessage({ path: files[0].path, batch });
        throw new Error('out of memory');
      });`;
    const program = new URL(`data:text/javascript,${encodeURIComponent(breaking)}`);
    for (const start of [
      () => {
        throw new Error('out of memory');
      },
      () => new Worker(program),
    ]) {
      const notes: string[] = [];
      const options = {
        preparing: (files: readonly ReadInput[]) => createPreparer(files, start),
        largeFrom: always,
      };
      const note = (text: Phrase) => notes.push(`${text}`);
      expect((await imported(files, { ...options, note })).equals(alone)).to.equal(true);
      expect(notes).to.deep.equal([`the reading thread failed (out of memory); ${first!.path} is read without it`]);
    }
  });

  it('keeps a file with a bad line out whole, names the line, and tells of no broken thread', async () => {
    writeFileSync(join(manyRecords(1600), 'content.ndjson'), '{"id":"last"\n', { flag: 'a' });
    const mirror = openWritableMirror(join(folder, 'mirror.db'));
    const notes: string[] = [];
    const note = (text: Phrase) => notes.push(`${text}`);
    const options = { at, note, largeFrom: always };
    const [result] = await importFiles(mirror, findImportFiles(folder), options);
    expect(result?.error?.message).to.match(/content\.ndjson:1606: not JSON/);
    expect(mirror.column('SELECT count(*) FROM record').get()).to.equal(0);
    expect(notes).to.deep.equal([]);
    mirror.close();
  });

  describe('of a large file of a kind that the mirror lacks', () => {
    /** Fills a new mirror in parts of a size; what came of it, what the mirror holds, and how long its log became. */
    async function inParts(files: ImportFile[], options: Partial<ImportOptions>) {
      const path = join(folder, `${opened++}.db`);
      // What a larger cache holds comes into the log with the commit.
      const mirror = openWritableMirror(path, { cacheMb: 1 });
      let logBytes = 0;
      const progress = () => {
        logBytes = Math.max(logBytes, statSync(`${path}-wal`).size);
      };
      const [result] = await importFiles(mirror, files, { at, largeFrom: always, progress, ...options });
      const hashes = mirror.sql('SELECT id, text_hash FROM record ORDER BY id').all();
      mirror.close();
      return { result: result!, contents: { hashes, ...contentsOf(path) }, logBytes };
    }

    it('keeps the log small, and the mirror is the same', async () => {
      const files = findImportFiles(manyRecords(30_000));
      const whole = await inParts(files, { partSize: never });
      const parts = await inParts(files, { partSize: 2 ** 20 });
      expect(parts.contents).to.deep.equal(whole.contents);
      expect(parts.result).to.deep.equal(whole.result);
      expect(whole.logBytes).to.be.above(12 * 2 ** 20);
      expect(parts.logBytes).to.be.below(10 * 2 ** 20);
    });

    it('goes on from the parts that are there where it was cut off', async () => {
      const files = findImportFiles(manyRecords(6000));
      const expected = await inParts(files, { partSize: never });
      const path = join(folder, 'cut-off.db');
      const cutOff = openWritableMirror(path);
      const progress = (_: ImportFile, saved: number) => {
        if (saved > 3000) throw new Error('cut off');
      };
      const options = { at, largeFrom: always, partSize: 2 ** 18 };
      const error = await importFiles(cutOff, files, { ...options, progress }).catch(({ message }) => message);
      expect(error).to.equal('cut off');
      cutOff.close();
      const mirror = openWritableMirror(path);
      const storedCount = mirror.column<number>('SELECT count(*) FROM record').get()!;
      expect(storedCount).to.be.above(1000).and.below(6000);
      const [result] = await importFiles(mirror, files, options);
      mirror.close();
      expect(result?.outcomes).to.include({ added: 6000 - storedCount, same: storedCount + 5 });
      const { hashes: _, ...contents } = expected.contents;
      expect(contentsOf(path)).to.deep.equal(contents);
    });

    it('keeps nothing of it where a line is bad, and all of it once that is mended', async () => {
      const files = findImportFiles(manyRecords(6000));
      const expected = await inParts(files, { partSize: never });
      const text = readFileSync(join(folder, 'content.ndjson'), 'utf8');
      writeFileSync(join(folder, 'content.ndjson'), `${text}{"id":"last"\n`);
      const path = join(folder, 'mended.db');
      const mirror = openWritableMirror(path);
      const options = { at, largeFrom: always, partSize: 2 ** 18 };
      const [refused] = await importFiles(mirror, files, options);
      expect(refused?.error?.message).to.match(/content\.ndjson:6006: not JSON/);
      for (const table of ['record', 'search'])
        expect(mirror.column(`SELECT count(*) FROM ${table}`).get(), table).to.equal(0);
      writeFileSync(join(folder, 'content.ndjson'), text);
      const [mended] = await importFiles(mirror, files, options);
      expect(mended?.outcomes).to.deep.equal(expected.result.outcomes);
      mirror.close();
      const { hashes: _, ...contents } = expected.contents;
      expect(contentsOf(path)).to.deep.equal(contents);
    });
  });
});
