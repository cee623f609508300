import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { kindOf } from '../../src/model/kinds.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { openMirror, openWritableMirror } from '../../src/store/open.ts';
import { saveDetail } from '../../src/store/saving/detail.ts';
import { search } from '../../src/store/search/search.ts';
import { atOnce } from '../../src/store/transaction.ts';
import { docValuesOf, refreshDocValues } from '../../src/store/word-index/doc-values.ts';
import { importFiles } from '../../src/sync/import.ts';
import { createRandom, seedOf } from '../helpers/random.ts';

describe('the values that stand beside the index', () => {
  const seed = seedOf('DOC_VALUES_SEED');
  const random = createRandom(seed);
  let folder: string;
  let path: string;

  const day = () =>
    random.isOneIn(10) ? '' : `20${random.pick(['01', '12', '25'])}-0${random.integer(9) + 1}-11`;
  const text = () =>
    `Le port de ${random.pick(['Sable', 'Brume', 'Corail', 'Varech'])} ${'ouvre '.repeat(random.integer(4))}`;
  const note = (n: number): Document => ({ id: `n${n}`, title: `Note ${n}`, text: text(), date: day() });

  const save = async (at: string, notes: readonly Document[], kind = 'content') => {
    const file = join(folder, `${kind}.ndjson`);
    writeFileSync(file, notes.map((each) => `${JSON.stringify(each)}\n`).join(''));
    const mirror = openWritableMirror(path);
    await importFiles(mirror, [{ kind: kindOf('content'), format: 'ndjson', path: file }], { at });
    mirror.close();
  };
  const reading = <Value>(read: (mirror: Mirror) => Value): Value => {
    const mirror = openMirror(path);
    try {
      return read(mirror);
    } finally {
      mirror.close();
    }
  };
  const writing = (work: (mirror: Mirror) => void) => {
    const mirror = openWritableMirror(path);
    atOnce(mirror, () => work(mirror));
    mirror.close();
  };
  const found = (query = 'port') =>
    reading((mirror) => {
      const told: string[] = [];
      let cursor: string | undefined;
      do {
        const { items, nextCursor } = search(mirror, { query, limit: 7, cursor });
        told.push(...items.map(({ slug, id, date, copies }) => [slug ?? id, date, copies].join(' ')));
        cursor = nextCursor ?? undefined;
      } while (cursor !== undefined);
      return told;
    });
  const areKept = () => reading((mirror) => docValuesOf(mirror) !== null);
  const ids = () =>
    reading((mirror) =>
      mirror.column<number>("SELECT id FROM record WHERE kind = 'content' ORDER BY id").all(),
    );

  /** What is found is the same with the values and without them: from the records. */
  const expectSameWithout = () => {
    expect(areKept(), 'kept').to.equal(true);
    const withValues = found();
    const kept = reading(
      (mirror) => mirror.column<string>("SELECT value FROM meta WHERE key = 'doc_values'").get()!,
    );
    writing((mirror) => mirror.sql("DELETE FROM meta WHERE key = 'doc_values'").run());
    expect(areKept(), 'kept').to.equal(false);
    expect(withValues, `seed ${seed}`).to.deep.equal(found());
    writing((mirror) => mirror.sql("INSERT INTO meta (key, value) VALUES ('doc_values', ?)").run(kept));
    return withValues;
  };

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-values-'));
    path = join(folder, 'mirror.db');
    await save(
      '2026-01-01T00:00:00.000Z',
      Array.from({ length: 300 }, (_, n) => note(n)),
    );
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('tell the days and copies of records as the records do', () => {
    expect(expectSameWithout()).to.have.lengthOf.above(10);
  });

  it('follow what later runs added, edited, put back and withdrew', async () => {
    await save(
      '2026-02-01T00:00:00.000Z',
      Array.from({ length: 200 }, (_, n) => note(2 * n)),
    );
    const before = expectSameWithout();
    await save(
      '2026-03-01T00:00:00.000Z',
      Array.from({ length: 40 }, (_, n) => ({
        ...note(n),
        text: `Le port de Sable, ${n}`,
        date: '2026-01-01',
      })),
    );
    expect(expectSameWithout()).to.not.deep.equal(before);
  });

  it('know a text that its only copy no longer has', async () => {
    const pair = ['a', 'b'].map((id) => ({ id, title: id, text: 'Une digue seule', date: '2026-01-01' }));
    await save('2026-02-01T00:00:00.000Z', pair);
    const [first, second] = ids().slice(-2) as [number, number];
    const areAlone = () => reading((mirror) => [first, second].map((id) => docValuesOf(mirror)!.isAlone(id)));
    expect(areAlone()).to.deep.equal([false, false]);
    await save('2026-03-01T00:00:00.000Z', [{ ...pair[1], text: 'Une autre digue' }]);
    expect(areAlone()).to.deep.equal([true, true]);
    expect(found('digue')).to.have.members(['a 2026-01-01 0', 'b 2026-01-01 0']);
  });

  it('are not believed after a change that they do not hold yet', () => {
    writing((mirror) =>
      saveDetail(
        mirror,
        kindOf('content'),
        { id: 'n7', title: 'Note 7', text: 'Le port de Sable', date: '2026-03-03' },
        { at: '2026-02-01T00:00:00.000Z' },
      ),
    );
    expect(areKept()).to.equal(false);
    writing(refreshDocValues);
    expectSameWithout();
  });

  it('are made for a mirror of a program that kept none, or analysed texts in another way', () => {
    writing((mirror) => {
      mirror.database.exec('DROP TABLE doc_value');
      mirror.sql("DELETE FROM meta WHERE key = 'doc_values'").run();
      refreshDocValues(mirror);
    });
    const made = expectSameWithout();
    writing((mirror) => {
      mirror.sql("UPDATE meta SET value = json_set(value, '$.analyser', 0) WHERE key = 'doc_values'").run();
      mirror.sql('UPDATE doc_value SET days = zeroblob(4096), texts = zeroblob(4096)').run();
    });
    expect(areKept()).to.equal(false);
    writing(refreshDocValues);
    expect(expectSameWithout()).to.deep.equal(made);
  });

  it('leave days to the records where one is no day', async () => {
    await save('2026-02-01T00:00:00.000Z', [{ ...note(3), date: '2026-01-01T10:00:00Z' }]);
    const all = ids();
    expect(reading((mirror) => docValuesOf(mirror)!.days(all))).to.equal(null);
    expect(reading((mirror) => docValuesOf(mirror)!.days(all.slice(4)))).to.have.lengthOf(all.length - 4);
    expectSameWithout();
  });
});
