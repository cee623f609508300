import { expect } from 'chai';
import { kindOf } from '../../src/model/kinds.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';

const kind = kindOf('content');
const at = '2026-11-01T06:00:00.000Z';
const text = (id: string, title = 'Le phare') => ({ id, title, text: 'Une lampe.' });

describe('saving records', () => {
  it('tells held, edited, new and repeated ones apart, in whatever order they come', () => {
    const { mirror, remove } = createTemporaryMirror();
    const outcomesOf = (ids: (readonly [id: string, title?: string])[]) => {
      const saver = createSaver(mirror, kind, { at });
      const outcomes = ids.map((each) => saver.save(text(...each)));
      saver.finish();
      return outcomes;
    };
    expect(outcomesOf([['a'], ['a'], ['b'], ['c']])).to.deep.equal(['added', 'same', 'added', 'added']);
    expect(outcomesOf([['a'], ['d'], ['b'], ['c', 'Le port'], ['e'], ['e'], ['c', 'Le port']])).to.deep.equal([
      'same',
      'added',
      'same',
      'edited',
      'added',
      'same',
      'same',
    ]);
    expect(mirror.column<string>('SELECT key FROM record ORDER BY id').all().join()).to.equal('a,b,c,d,e');
    remove();
  });
});
