import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { openMirror, openWritableMirror } from '../../src/store/open.ts';
import { recordRange } from '../../src/store/record.ts';
import { createSaver } from '../../src/store/save.ts';
import { matchingSql } from '../../src/store/search/ranking.ts';
import { rankBySegments } from '../../src/store/search/segment-ranking.ts';
import { openSegments } from '../../src/store/search/segments.ts';
import { atOnce } from '../../src/store/transaction.ts';
import { createRandom, seedOf } from '../helpers/random.ts';

describe('ranking by the segments of the index', () => {
  const seed = seedOf('SEGMENTS_SEED');
  const random = createRandom(seed);
  const { first, last } = recordRange(kindOf('content'));
  const weights = [10, 0.3, 1, 0.1];
  let folder: string;
  let db: string;

  const text = (length: number) =>
    Array.from({ length }, () => random.pick(['port', 'quai', 'mer', 'digue', 'cap'])).join(' ');
  const note = (n: number): Document => ({
    id: `n${n}`,
    title: random.isOneIn(4) ? 'Un port' : '',
    // One text is longer than a page of the index, and so are the places of its words.
    text: text(n === 70 ? 30_000 : random.integer(30)),
  });

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-segments-'));
    db = join(folder, 'mirror.db');
    const mirror = openWritableMirror(db);
    // Each is a segment of its own, and holds some of the records of those before in another form.
    for (const begin of [0, 300, 500, 600])
      atOnce(mirror, () => {
        const saver = createSaver(mirror, kindOf('content'), {
          at: `2026-01-0${1 + begin / 100}T00:00:00.000Z`,
        });
        for (let n = 0; n < 400; n += 1) saver.save(note(begin + (n % 2 ? n : n - begin)));
        saver.finish();
      });
    mirror.close();
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const own = (
    token: string,
    from = first,
    {
      after = null,
      isPart = true,
    }: { after?: { relevance: number; id: number } | null; isPart?: boolean } = {},
  ) => {
    const mirror = openMirror(db);
    const matching = { sql: matchingSql(''), parameters: [`"${token}"`, from, last] };
    const ranges = [{ from, last, weights }];
    const wanted = { token, ranges, ranked: 0, isPart, matching };
    const found = rankBySegments(mirror, wanted, { after, limit: 2000 });
    mirror.close();
    return found!;
  };
  const byIndex = (token: string, from = first) => {
    const mirror = openMirror(db);
    const found = mirror
      .sql<{ id: number; relevance: number }>(
        `SELECT rowid AS id, bm25(search, ${weights.join(', ')}) AS relevance ${matchingSql('')} ORDER BY 2, 1 DESC`,
      )
      .all(`"${token}"`, from, last);
    mirror.close();
    return found;
  };
  const rounded = (places: { id: number; relevance: number }[]) =>
    places.map(({ id, relevance }) => [id, Math.round((relevance / places[0]!.relevance) * 1e9)]);

  it('puts records in the order of bm25, in the same proportion, however often they were saved anew', () => {
    for (const token of ['port', 'mer', 'un']) {
      const places = own(token);
      expect(places.length, `${token} seed ${seed}`).to.be.above(100);
      expect(rounded(places), `${token} seed ${seed}`).to.deep.equal(rounded(byIndex(token)));
    }
  });

  it('reads from one record on, and goes on behind a place', () => {
    const from = first + 350;
    const places = own('port', from);
    expect(rounded(places)).to.deep.equal(rounded(byIndex('port', from)));
    expect(own('port', from, { after: places[20]! })).to.deep.equal(places.slice(21));
  });

  it('ranks all records of a word exactly as bm25 does', () => {
    const exactly = (places: { id: number; relevance: number }[]) =>
      places.map(({ id, relevance }) => [id, relevance.toPrecision(13)]);
    for (const token of ['port', 'mer', 'un', 'digue'])
      expect(exactly(own(token, first, { isPart: false })), `${token} seed ${seed}`).to.deep.equal(
        exactly(byIndex(token)),
      );
  });

  it('knows of a match that it is alone with its text by where the word stands there, and never of one that is not', () => {
    const mirror = openMirror(db);
    const texts = new Map(
      mirror
        .sql<{ id: number; text: string }>("SELECT id, row ->> 'text' AS text FROM record")
        .all()
        .map(({ id, text: said }) => [id, said] as const),
    );
    mirror.close();
    const found = own('mer');
    const same = (id: number) => found.filter((other) => texts.get(other.id) === texts.get(id)).length;
    for (const { id, isAlone } of found)
      if (isAlone) expect(same(id), `record ${id} seed ${seed}`).to.equal(1);
    expect(found.filter(({ isAlone }) => isAlone).length).to.be.above(found.length / 3);
    expect(found.filter(({ id }) => same(id) > 1)).to.not.be.empty;
  });

  it('finds nothing of a word that no record holds', () => {
    expect(own('moulin')).to.deep.equal([]);
  });

  it('judges in how many records a word stands by those that were read', () => {
    const mirror = openMirror(db);
    const segments = openSegments(mirror, 'port')!;
    segments.read(first, last, () => {});
    expect(segments.estimate()).to.be.within(byIndex('port').length, 3 * byIndex('port').length);
    mirror.close();
  });
});
