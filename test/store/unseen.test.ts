import { expect } from 'chai';
import { kindOf, kinds } from '../../src/model/kinds.ts';
import { countRows } from '../../src/store/rows.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { countUnseen, hasUnseen, unseenRows, withdrawUnseen } from '../../src/store/saving/unseen.ts';
import { atOnce } from '../../src/store/transaction.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';

const kind = kindOf('quote');
const night = (n: number) => `2026-11-0${n}T06:00:00.000Z`;
const none = { unseen: 0, unseen_since: null };

describe('a record that a list lacks', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  beforeEach(() => {
    own = createTemporaryMirror();
    enumerate(1, ['q1', 'q2']);
  });
  afterEach(() => own.remove());

  /** Takes a night's list of quotes into the mirror. */
  const enumerate = (n: number, ids: string[], { isProof = false } = {}) =>
    atOnce(own.mirror, () => {
      const saver = createSaver(own.mirror, kind, { at: night(n) });
      for (const id of ids) saver.save({ id, text: 'Oui.' });
      saver.finish();
      return withdrawUnseen(own.mirror, kind, { seen: saver.seen, at: night(n), isProof });
    });
  const marked = () => unseenRows(own.mirror, kinds).map(({ key, since }) => [key, since]);

  it('is kept and marked as unseen once, and withdrawn with its mark the second time', () => {
    expect(enumerate(2, ['q1'])).to.include({ withdrawn: 0, unseen: 1 });
    expect([countRows(own.mirror, kind), marked()]).to.deep.equal([2, [['q2', night(2)]]]);
    expect(countUnseen(own.mirror, kind)).to.deep.equal({ unseen: 1, unseen_since: night(2) });
    expect(enumerate(3, ['q1'])).to.include({ withdrawn: 1, unseen: 0 });
    expect([countRows(own.mirror, kind), marked()]).to.deep.equal([1, []]);
    expect([hasUnseen(own.mirror, kind), countUnseen(own.mirror, kind)]).to.deep.equal([false, none]);
  });

  it('is marked anew, not withdrawn, when it came back after its withdrawal and is lacking once', () => {
    for (const n of [2, 3]) enumerate(n, ['q1']);
    enumerate(4, ['q1', 'q2']);
    expect(enumerate(5, ['q1'])).to.include({ withdrawn: 0, unseen: 1 });
    expect(marked()).to.deep.equal([['q2', night(5)]]);
  });

  it('loses its mark when it is listed again, and needs two more lists to be withdrawn', () => {
    enumerate(2, ['q1']);
    expect(enumerate(3, ['q1', 'q2'])).to.include({ withdrawn: 0, unseen: 0 });
    expect(marked()).to.deep.equal([]);
    expect(enumerate(4, ['q1'])).to.include({ withdrawn: 0, unseen: 1 });
  });

  it('is withdrawn at once by a list that proves it, and leaves no mark of an earlier list', () => {
    expect(enumerate(2, ['q1'], { isProof: true })).to.include({ withdrawn: 1, unseen: 0 });
    enumerate(3, []);
    expect(enumerate(4, [], { isProof: true })).to.include({ withdrawn: 1, unseen: 0 });
    expect([hasUnseen(own.mirror, kind), marked()]).to.deep.equal([false, []]);
  });

  it('is not counted for records of another kind', () => {
    enumerate(2, ['q1']);
    expect(countUnseen(own.mirror, kindOf('promise'))).to.deep.equal(none);
    expect(unseenRows(own.mirror, [kindOf('promise')])).to.deep.equal([]);
  });
});
