import { expect } from 'chai';
import { kindOf } from '../../src/model/kinds.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import {
  beginEmbedding,
  finishEmbedding,
  nextTextsToEmbed,
  saveVectors,
  unitVector,
} from '../../src/store/search/embeddings.ts';
import { nearestRecords } from '../../src/store/search/meaning.ts';
import { distanceOfNearest, packSigns, signDistances } from '../../src/store/search/sign-bits.ts';
import { transaction } from '../../src/store/transaction.ts';
import { createRandom, seedOf } from '../helpers/random.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';

describe('the signs of vectors', () => {
  const distancesTo = (vectors: Float32Array[], one: Float32Array) => [...signDistances(packSigns(vectors), one)];

  it('count the numbers whose sign two vectors do not share', () => {
    const vectors = [
      [1, 1, 1],
      [1, 1, -1],
      [-1, -1, -1],
      [1, 0, 1],
    ].map((each) => Float32Array.from(each));
    expect(distancesTo(vectors, vectors[0]!)).to.deep.equal([0, 1, 3, 1]);
  });

  for (const dimensions of [1, 31, 32, 33, 64, 256, 1000])
    it(`count as by hand in ${dimensions} dimensions`, () => {
      const random = createRandom(seedOf('VECTORS_SEED'));
      const vectors = Array.from({ length: 20 }, () =>
        Float32Array.from({ length: dimensions }, () => random.integer(2001) - 1000),
      );
      const byHand = vectors.map((vector) => vector.filter((each, n) => each > 0 !== vectors[0]![n]! > 0).length);
      expect(distancesTo(vectors, vectors[0]!)).to.deep.equal(byHand);
    });

  it('tell within which distance the nearest lie', () => {
    const distances = Uint16Array.from([5, 1, 3, 3, 9]);
    expect([1, 2, 3, 4, 5, 6].map((count) => distanceOfNearest(distances, count))).to.deep.equal([
      1, 3, 3, 5, 9, 65_536,
    ]);
  });

  it('make vectors of length one, and none of what has no direction', () => {
    expect([...unitVector([3, 4])].map((each) => each.toFixed(2))).to.deep.equal(['0.60', '0.80']);
    expect([...unitVector([0, 0])]).to.deep.equal([0, 0]);
  });
});

describe('the nearest records', () => {
  it('are looked for among those of a politician, however many others are nearer', () => {
    const { mirror, remove } = createTemporaryMirror();
    const kind = kindOf('content');
    transaction(mirror, () => {
      const saver = createSaver(mirror, kind, { at: '2026-01-01T00:00:00.000Z' });
      for (let n = 0; n < 500; n += 1)
        saver.save({ id: `near${n}`, title: 'Note', politician: 'basile-cormoret', text: `Phare ${n}.` });
      saver.save({ id: 'far', title: 'Note', politician: 'ines-cormoret', text: 'Digue.' });
      saver.finish();
    });
    beginEmbedding(mirror, 'by hand');
    for (let after = 0; ; ) {
      const { texts, last } = nextTextsToEmbed(mirror, { model: 'by hand', after });
      if (last === null) break;
      if (texts.length === 0) after = last;
      const vectorOf = (text: string) => (text.includes('Digue') ? [1, -1] : [1, 1]);
      saveVectors(
        mirror,
        'by hand',
        texts.map(({ hash, text }) => ({ hash, vector: vectorOf(text) })),
      );
    }
    finishEmbedding(mirror, 'by hand');
    const near = (politicians?: string[]) =>
      nearestRecords(mirror, [1, 1], { scope: { kinds: [kind], politicians }, limit: 5 }).map(({ id }) =>
        mirror.column<string>('SELECT key FROM record WHERE id = ?').get(id),
      );
    expect(near()).to.have.length(5);
    expect(near(['ines-cormoret'])).to.deep.equal(['far']);
    remove();
  });
});
