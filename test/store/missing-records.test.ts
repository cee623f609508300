import Database from 'better-sqlite3';
import { expect } from 'chai';
import { type Kind, kindOf, kinds } from '../../src/model/kinds.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { countRows } from '../../src/store/rows.ts';
import { countMissing, listMissing, saveUnlisted } from '../../src/store/saving/missing-records.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { withdrawMissing } from '../../src/store/saving/withdrawals.ts';
import { transaction } from '../../src/store/transaction.ts';
import { createNumberSet, type NumberSet } from '../../src/store/word-index/number-set.ts';
import { makeOlder } from '../helpers/older-mirror.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';

const kind = kindOf('quote');
const night = (n: number) => `2026-11-0${n}T06:00:00.000Z`;
const none = { unseen: 0, unseen_since: null };

type Listed = { seenNumbers: NumberSet; at: string; maxShrink?: number };

/** Takes what a list lacked as evidence, and judges it. */
function judgeList(mirror: Mirror, of: Kind, { seenNumbers, at, maxShrink = 0.999 }: Listed) {
  const { marked } = saveUnlisted(mirror, of, { listedNumbers: seenNumbers, at });
  const tally = withdrawMissing(mirror, of, { at, maxShrink });
  return { ...tally, marked: Math.max(0, marked + tally.marked) };
}

describe('a record that a list lacks', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  beforeEach(() => {
    own = createTemporaryMirror();
    enumerate(1, ['q1', 'q2']);
  });
  afterEach(() => own.remove());

  /** Takes a night's list of quotes into the mirror. */
  const enumerate = (n: number, ids: string[], maxShrink?: number) =>
    transaction(own.mirror, () => {
      const saver = createSaver(own.mirror, kind, { at: night(n) });
      for (const id of ids) saver.save({ id, text: 'Oui.' });
      saver.finish();
      return judgeList(own.mirror, kind, { seenNumbers: saver.seenNumbers, at: night(n), maxShrink });
    });
  const marked = () => listMissing(own.mirror, kinds).map(({ key, since }) => [key, since]);

  it('is kept and marked as unseen once, and withdrawn with its mark the second time', () => {
    expect(enumerate(2, ['q1'])).to.include({ withdrawn: 0, marked: 1 });
    expect([countRows(own.mirror, kind), marked()]).to.deep.equal([2, [['q2', night(2)]]]);
    expect(countMissing(own.mirror, kind)).to.deep.equal({ unseen: 1, unseen_since: night(2) });
    expect(enumerate(3, ['q1'])).to.include({ withdrawn: 1, marked: 0 });
    expect([countRows(own.mirror, kind), marked()]).to.deep.equal([1, []]);
    expect([countMissing(own.mirror, kind).unseen > 0, countMissing(own.mirror, kind)]).to.deep.equal([false, none]);
  });

  it('is marked anew, not withdrawn, when it came back after its withdrawal and is lacking once', () => {
    for (const n of [2, 3]) enumerate(n, ['q1']);
    enumerate(4, ['q1', 'q2']);
    expect(enumerate(5, ['q1'])).to.include({ withdrawn: 0, marked: 1 });
    expect(marked()).to.deep.equal([['q2', night(5)]]);
  });

  it('loses its mark when it is listed again, and needs two more lists to be withdrawn', () => {
    enumerate(2, ['q1']);
    expect(enumerate(3, ['q1', 'q2'])).to.include({ withdrawn: 0, marked: 0 });
    expect(marked()).to.deep.equal([]);
    expect(enumerate(4, ['q1'])).to.include({ withdrawn: 0, marked: 1 });
  });

  it('is withdrawn at once by a list that proves it, and leaves no mark of an earlier list', () => {
    expect(enumerate(2, ['q1'], 1)).to.include({ withdrawn: 1, marked: 0 });
    enumerate(3, []);
    expect(enumerate(4, [], 1)).to.include({ withdrawn: 1, marked: 0 });
    expect([countMissing(own.mirror, kind).unseen > 0, marked()]).to.deep.equal([false, []]);
  });

  /** Records of ten that the lists of three nights lack, and those that are withdrawn: what stands together at an end may be cut. */
  const lists: [missing: number[], withdrawn: number[]][] = [
    [[9], [9]],
    [
      [8, 9],
      [8, 9],
    ],
    [[7, 8, 9], []],
    [[6, 7, 8, 9], []],
    [
      [0, 1],
      [0, 1],
    ],
    [[0, 1, 2], []],
    [
      [4, 5, 6, 7],
      [4, 5, 6, 7],
    ],
    [
      [4, 8, 9],
      [4, 8, 9],
    ],
    [[4, 7, 8, 9], [4]],
    [
      [0, 1, 8, 9],
      [0, 1, 8, 9],
    ],
    [
      [0, 1, 2, 8, 9],
      [8, 9],
    ],
    [[0, 1, 2, 7, 8, 9], []],
  ];
  const upTo = Array.from({ length: 10 }, (_, n) => n);
  /** Orders in which the records may be listed: the key and date of each. */
  const orders: Record<string, (n: number) => { id: string; date: string | null }> = {
    'as they came': (n) => ({ id: `k${(n * 7) % 10}`, date: null }),
    'by key': (n) => ({ id: `k${n}`, date: null }),
    'by date': (n) => ({ id: `k${(n * 7) % 10}`, date: `2026-01-1${n}` }),
  };
  for (const [order, place] of Object.entries(orders))
    for (const [missing, withdrawn] of lists)
      it(`${order} at ${missing} of ten is withdrawn by three lists at ${withdrawn.join() || 'no place'}`, () => {
        const kind = kindOf('source');
        // Of those by key or by date, the order in which they came is another.
        const shift = (n: number) => (order === 'as they came' ? n : (n * 3) % 10);
        const list = (n: number, places: number[]) =>
          transaction(own.mirror, () => {
            const saver = createSaver(own.mirror, kind, { at: night(n) });
            for (const each of places.toSorted((a, b) => shift(a) - shift(b))) saver.save(place(each));
            saver.finish();
            return judgeList(own.mirror, kind, {
              seenNumbers: saver.seenNumbers,
              at: night(n),
            });
          });
        list(1, upTo);
        const left = upTo.filter((n) => !missing.includes(n));
        list(2, left);
        // Two days suffice where lists lack three records, three where they lack more.
        expect(list(3, left).withdrawn).to.equal(missing.length > 3 ? 0 : withdrawn.length);
        list(4, left);
        const held = own.mirror.column<string>("SELECT key FROM record WHERE kind = 'source' AND withdrawn IS NULL");
        const expected = upTo.filter((n) => !withdrawn.includes(n)).map((n) => place(n).id);
        expect(held.all()).to.have.members(expected);
      });

  /** Of a feed, whose end is its oldest day, the cut is at that end alone, and of records with a day. */
  const walks: [missing: number[], withdrawn: number][] = [
    [[0, 1], 2],
    [[0, 1, 2], 0],
    [[0, 1, 2, 10], 1],
    [[7, 8, 9], 3],
    [[10, 11, 12], 0],
    [[0, 10, 11, 12], 0],
    [[0, 1, 10], 3],
  ];
  for (const [missing, withdrawn] of walks)
    it(`of a feed at ${missing} of thirteen, the last three without a day, is withdrawn ${withdrawn} times`, () => {
      const content = kindOf('content');
      const numbers = Array.from({ length: 13 }, (_, n) => n);
      const walk = (n: number, places: number[]) =>
        transaction(own.mirror, () => {
          const saver = createSaver(own.mirror, content, { at: night(n) });
          for (const each of places) saver.save({ id: `c${each}`, date: each < 10 ? `2026-01-1${each}` : null });
          saver.finish();
          return judgeList(own.mirror, content, {
            seenNumbers: saver.seenNumbers,
            at: night(n),
          });
        });
      walk(1, numbers);
      const left = numbers.filter((n) => !missing.includes(n));
      walk(2, left);
      if (missing.length > 3) expect(walk(3, left).withdrawn).to.equal(0);
      expect(walk(4, left).withdrawn).to.equal(withdrawn);
    });

  it('is withdrawn with all others that a person accepts, and counts for no later guard', () => {
    const source = kindOf('source');
    const list = (n: number, ids: number[], isProof = false) =>
      transaction(own.mirror, () => {
        const saver = createSaver(own.mirror, source, { at: night(n) });
        for (const id of ids) saver.save({ id: `s${id}` });
        saver.finish();
        return judgeList(own.mirror, source, {
          seenNumbers: saver.seenNumbers,
          at: night(n),
          maxShrink: isProof ? 1 : 0.2,
        });
      });
    list(1, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(list(2, [0, 2, 4, 6, 8], true)).to.deep.equal({ withdrawn: 5, marked: 0, blocked: 0 });
    list(3, [0, 2, 6, 8]);
    expect(list(4, [0, 2, 6, 8])).to.deep.equal({ withdrawn: 1, marked: 0, blocked: 0 });
  });

  for (const [ms, withdrawn] of [
    [-1, 0],
    [0, 1],
    [1, 1],
  ] as const)
    it(`is ${withdrawn ? '' : 'not '}withdrawn by a second list ${ms} ms from twenty hours after the first`, () => {
      enumerate(2, ['q1']);
      const at = new Date(Date.parse(night(2)) + 20 * 3_600_000 + ms).toISOString();
      const seen = createNumberSet();
      seen.add(0);
      expect(judgeList(own.mirror, kind, { seenNumbers: seen, at }).withdrawn).to.equal(withdrawn);
    });

  /** Records of ten that are gone in a first and a second month, days between, and the withdrawn of each: two of ten may go. */
  const losses: [first: number, second: number, daysBetween: number, withdrawn: [number, number]][] = [
    [1, 0, 0, [1, 0]],
    [2, 0, 0, [2, 0]],
    [3, 0, 0, [0, 0]],
    [1, 1, 29, [1, 1]],
    [1, 2, 29, [1, 0]],
    [2, 1, 29, [2, 0]],
    [2, 1, 30, [2, 1]],
    [2, 1, 31, [2, 1]],
  ];
  for (const [first, second, daysBetween, withdrawn] of losses)
    it(`is withdrawn with ${first - 1} others, and ${second} after ${daysBetween} days, within a fifth of thirty days`, () => {
      const source = kindOf('source');
      const numbers = Array.from({ length: 10 }, (_, n) => n);
      const at = (days: number) => new Date(Date.parse(night(1)) + days * 86_400_000).toISOString();
      const list = (days: number, listed: number[]) =>
        transaction(own.mirror, () => {
          const saver = createSaver(own.mirror, source, { at: at(days) });
          for (const n of listed) saver.save({ id: `s${n}` });
          saver.finish();
          const missed = { seenNumbers: saver.seenNumbers, at: at(days), maxShrink: 0.2 };
          return judgeList(own.mirror, source, missed);
        });
      list(0, numbers);
      // Every second record, so that none stands at an end.
      const left = numbers.filter((n) => n % 2 === 0 || n > 2 * first);
      const later = left.filter((n) => n % 2 === 0 || n > 2 * (first + second));
      list(1, left);
      expect(list(2, left)).to.include({ withdrawn: withdrawn[0], blocked: first - withdrawn[0] });
      if (second === 0) return;
      list(1 + daysBetween, later);
      expect(list(2 + daysBetween, later).withdrawn).to.equal(withdrawn[1]);
    });

  it('stays missing since its first list in a mirror of an earlier program, and needs one more', () => {
    enumerate(2, ['q1']);
    const later = own.mirror.path.replace('mirror', 'later');
    own.mirror.database.exec(`VACUUM INTO '${later}'`);
    const database = new Database(later);
    makeOlder(database, 6);
    database.close();
    const mirror = openWritableMirror(later);
    expect(listMissing(mirror, kinds).map(({ key, since }) => [key, since])).to.deep.equal([['q2', night(2)]]);
    const seenNumbers = createNumberSet();
    seenNumbers.add(0);
    expect(judgeList(mirror, kind, { seenNumbers, at: night(3) }).withdrawn).to.equal(1);
    mirror.close();
  });

  it('is not counted for records of another kind', () => {
    enumerate(2, ['q1']);
    expect(countMissing(own.mirror, kindOf('promise'))).to.deep.equal(none);
    expect(listMissing(own.mirror, [kindOf('promise')])).to.deep.equal([]);
  });
});
