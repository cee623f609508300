import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { openMirror, openWritableMirror } from '../../src/store/open.ts';
import { recordRange } from '../../src/store/record.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { matchingSql } from '../../src/store/search/counting.ts';
import { wordsOf } from '../../src/store/search/expression.ts';
import { rankBySegments } from '../../src/store/search/segment-ranking.ts';
import { atOnce } from '../../src/store/transaction.ts';
import { openSegments } from '../../src/store/word-index/segments.ts';
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
    politician: random.pick(['agathe-quai', 'basile-mer', 'cap-agathe', null]),
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

  /** Who expects nothing else of it gives one token; an expression is that of a word in texts and its form in names. */
  const expressionOf = (asked: string) => (asked.startsWith('(') ? asked : `("${asked}")`);
  const own = (
    asked: string,
    from = first,
    {
      after = null,
      isPart = true,
      ranked = 0,
    }: { after?: { relevance: number; id: number } | null; isPart?: boolean; ranked?: number } = {},
  ) => {
    const mirror = openMirror(db);
    const matching = { sql: matchingSql(''), parameters: [expressionOf(asked), from, last] };
    const ranges = [{ from, last, weights }];
    const words = wordsOf(expressionOf(asked))!;
    const wanted = { words, ranges, ranked, isPart, isScoped: false, matching };
    const found = rankBySegments(mirror, wanted, { after, limit: 2000 });
    mirror.close();
    return found!;
  };
  const byIndex = (asked: string, from = first) => {
    const mirror = openMirror(db);
    const found = mirror
      .sql<{ id: number; relevance: number }>(
        `SELECT rowid AS id, bm25(search, ${weights.join(', ')}) AS relevance ${matchingSql('')} ORDER BY 2, 1 DESC`,
      )
      .all(expressionOf(asked), from, last);
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

  it('ranks what is one word in texts and another in names exactly as bm25 does, also where only one of them is left', () => {
    const exactly = (places: { id: number; relevance: number }[]) =>
      places.map(({ id, relevance }) => [id, relevance.toPrecision(13)]);
    for (const [prose, name] of [
      ['port', 'quai'],
      ['cap', 'mer'],
      ['mer', 'moulin'],
      ['moulin', 'cap'],
      ['un', 'agathe'],
      ['mer', 'mer'],
    ]) {
      const asked = `({title body} : ("${prose}") OR {name about} : ("${name}"))`;
      const places = own(asked, first, { isPart: false });
      expect(places.length, `${asked} seed ${seed}`).to.be.above(100);
      expect(exactly(places), `${asked} seed ${seed}`).to.deep.equal(exactly(byIndex(asked)));
    }
  });

  it('ranks the same where it knows how many records there are, which words of before would be more than', () => {
    for (const asked of ['port', 'un', '({title body} : ("mer") OR {name about} : ("mer"))']) {
      const places = own(asked, first, { isPart: false });
      expect(own(asked, first, { isPart: false, ranked: places.length }), asked).to.deep.equal(places);
    }
  });

  it('finds nothing of a word that no record holds', () => {
    expect(own('moulin')).to.deep.equal([]);
  });

  it('tells each record once, as it is now, and so many of the last ones', () => {
    const mirror = openMirror(db);
    for (const token of ['port', 'mer', 'un']) {
      const segments = openSegments(mirror, token)!;
      const [all, some]: [number[], number[]] = [[], []];
      segments.read(first, last, (id) => all.push(id));
      const ids = byIndex(token)
        .map(({ id }) => id)
        .sort((one, other) => one - other);
      expect(
        all.sort((one, other) => one - other),
        `${token} seed ${seed}`,
      ).to.deep.equal(ids);
      expect(segments.readLast({ from: first, last }, 20, (id) => some.push(id))).to.equal(true);
      expect(some).to.include.members(ids.slice(-20));
    }
    mirror.close();
  });

  it('judges in how many records a word stands by those that were read', () => {
    const mirror = openMirror(db);
    const segments = openSegments(mirror, 'port')!;
    segments.read(first, last, () => {});
    expect(segments.estimate()).to.be.within(byIndex('port').length, 3 * byIndex('port').length);
    mirror.close();
  });
});
