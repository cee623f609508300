import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { changeCounts } from '../../src/store/history/change-counts.ts';
import { listChanges } from '../../src/store/history/changes.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';
import { saveAll } from '../server/demo-server.ts';

const quote = (id: string, text: string): Document => ({
  id,
  politician: 'oceane-bruyevre',
  text,
  date: '2031-01-01',
});
const since = '2000-01-01T00:00:00.000Z';

describe('the counts of changes', () => {
  const { mirror, remove } = createTemporaryMirror();
  before(() => {
    saveAll(mirror, 'quote', [quote('a', 'une'), quote('b', 'deux'), quote('c', 'trois')], '2031-02-01T06:00:00.000Z');
    saveAll(mirror, 'quote', [quote('a', 'une autre'), quote('d', 'quatre')], '2031-02-02T06:00:00.000Z');
    saveAll(mirror, 'promise', [{ ...quote('p', 'cinq'), title: 'p' }], '2031-02-02T06:00:00.000Z');
    mirror.sql("UPDATE record SET withdrawn = '2031-02-03T06:00:00.000Z' WHERE key = 'b'").run();
  });
  after(() => remove());

  it('tell what came first of a kind from what was added later, by day, the newest first', () => {
    expect(changeCounts(mirror, { since, until: null })).to.have.deep.members([
      { day: '2031-02-03', kind: 'quote', change: 'withdrawn', count: 1 },
      { day: '2031-02-02', kind: 'promise', change: 'first', count: 1 },
      { day: '2031-02-02', kind: 'quote', change: 'added', count: 1 },
      { day: '2031-02-02', kind: 'quote', change: 'edited', count: 1 },
      { day: '2031-02-01', kind: 'quote', change: 'first', count: 3 },
    ]);
    expect(
      changeCounts(mirror, { since: '2031-02-01T06:00:00.000Z', until: '2031-02-02T23:00:00.000Z' }),
    ).to.have.length(3);
  });

  it('add up to the changes that are listed', () => {
    const counted = changeCounts(mirror, { since, until: null })!.reduce((sum, { count }) => sum + count, 0);
    expect(counted).to.equal([...listChanges(mirror, { since })].length);
  });
});
