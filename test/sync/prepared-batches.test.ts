import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { kindOf } from '../../src/model/kinds.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { prepareBatch } from '../../src/store/saving/prepare.ts';
import { findImportFiles, type ImportFile, importFiles } from '../../src/sync/import.ts';
import { createPreparer, type Preparer } from '../../src/sync/prepared-batches.ts';
import type { UserText } from '../../src/words/speech.ts';
import { createRandom, seedOf } from '../helpers/random.ts';

const fixtures = fileURLToPath(new URL('../../fixtures/demo', import.meta.url));
const at = '2026-11-01T00:00:00.000Z';
const never = Number.POSITIVE_INFINITY;

describe('an import that analyses words on a thread of its own', () => {
  let folder: string;
  let opened = 0;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
    // Each mirror draws a mark of its own when it is made: all of these have one.
    openWritableMirror(join(folder, 'empty.db')).close();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** The bytes of a mirror that was filled from the files. */
  async function imported(files: ImportFile[], preparer: Preparer): Promise<Buffer> {
    const path = join(folder, `${opened++}.db`);
    copyFileSync(join(folder, 'empty.db'), path);
    const mirror = openWritableMirror(path);
    await importFiles(mirror, files, { at, preparer });
    // A mark that is drawn by chance with every change.
    mirror.sql("UPDATE meta SET value = '000000000000000000000000' WHERE key = 'state'").run();
    mirror.close();
    return readFileSync(path);
  }

  /** A folder with so many records of one kind, in each of which anything may stand. */
  function manyRecords(count: number): string {
    const random = createRandom(seedOf('IMPORT_SEED'));
    const words = [
      'L’énergie',
      'd’un',
      'forêts',
      '49-3',
      '\ud800',
      'œuvre',
      '\u0000',
      'Le Roc',
      '1e400',
      'côté',
    ];
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
      const alone = await imported(files, createPreparer({ after: never }));
      const threaded = await imported(files, createPreparer({ after: 0 }));
      expect(threaded.equals(alone)).to.equal(true);
    });
  }

  it('starts none for few records, nor for those that the mirror holds already', async () => {
    const files = findImportFiles(manyRecords(1500));
    const start = () => {
      throw new Error('started');
    };
    const notes: string[] = [];
    const note = (text: UserText) => notes.push(`${text}`);
    const mirror = openWritableMirror(join(folder, 'mirror.db'));
    await importFiles(mirror, files, { at, preparer: createPreparer({ start, note }) });
    await importFiles(mirror, files, { at, preparer: createPreparer({ after: 0, start, note }) });
    mirror.close();
    expect(notes).to.deep.equal([]);
  });

  it('goes on without it where it cannot be had or breaks off, says so once, and loses nothing', async () => {
    const files = findImportFiles(manyRecords(1600));
    const alone = await imported(files, createPreparer({ after: never }));
    for (const answers of [0, 1]) {
      const notes: string[] = [];
      let left = answers;
      const thread = { waiting: () => 0, end: async () => {} };
      const ask = async ({ texts }: { texts: string[] }) => {
        if (left-- === 0) throw new Error('out of memory');
        return prepareBatch(kindOf('content'), texts);
      };
      const preparer = createPreparer({
        after: 0,
        start: () => ({ ...thread, ask }),
        note: (text) => notes.push(`${text}`),
      });
      expect((await imported(files, preparer)).equals(alone)).to.equal(true);
      expect(notes).to.deep.equal([
        'the analysis thread failed (out of memory); records are analysed without it',
      ]);
    }
  });

  it('keeps a file with a bad line out whole, names the line, and tells of no broken thread', async () => {
    writeFileSync(join(manyRecords(1600), 'content.ndjson'), '{"id":"last"\n', { flag: 'a' });
    const mirror = openWritableMirror(join(folder, 'mirror.db'));
    const notes: string[] = [];
    const preparer = createPreparer({ after: 0, note: (text) => notes.push(`${text}`) });
    const [result] = await importFiles(mirror, findImportFiles(folder), { at, preparer });
    expect(result?.error?.message).to.match(/content\.ndjson:1606: not JSON/);
    expect(mirror.column('SELECT count(*) FROM record').get()).to.equal(0);
    expect(notes).to.deep.equal([]);
    mirror.close();
  });
});
