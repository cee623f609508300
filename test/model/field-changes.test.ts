import { expect } from 'chai';
import { kindOf } from '../../src/model/kinds.ts';
import { fieldChanges } from '../../src/model/normal-form.ts';

const promise = kindOf('promise');

describe('the field changes of a record', () => {
  it('name what was said and what is said, in the order of the newer document', () => {
    const changes = fieldChanges(
      promise,
      { id: 'p', title: 'Un phare', topic: 'mer', text: null },
      { id: 'p', text: 'À Brume', title: 'Deux phares', topic: null },
    );
    expect(changes).to.deep.equal([
      { field: 'text', old: null, new: 'À Brume' },
      { field: 'title', old: 'Un phare', new: 'Deux phares' },
      { field: 'topic', old: 'mer', new: null },
    ]);
  });

  it('hold nothing where only updated_at, an empty field or the order of a set moved', () => {
    const before = { id: 'p', source_ids: ['a', 'b'], updated_at: '2026-01-01', text: null };
    const after = { id: 'p', source_ids: ['b', 'a'], updated_at: '2026-02-01' };
    expect(fieldChanges(promise, before, after)).to.deep.equal([]);
  });

  it('tell zero, false and nothing apart', () => {
    const changes = fieldChanges(promise, { a: 0, b: false, c: null }, { a: null, b: 0, c: '' });
    expect(changes).to.deep.equal([
      { field: 'a', old: 0, new: null },
      { field: 'b', old: false, new: 0 },
      { field: 'c', old: null, new: '' },
    ]);
  });
});
