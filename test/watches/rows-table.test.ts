import { expect } from 'chai';
import { findKind } from '../../src/model/kinds.ts';
import { questions } from '../../src/questions/table.ts';

describe('the record that an item of a question is', () => {
  it('is stated by the question, whatever its name', () => {
    const lists = questions.filter((question) => question.answers === 'list');
    const stated = lists.flatMap(({ name, recordOfItem }) => {
      const record = recordOfItem?.({ type: 'promise', id: 'a', slug: null }, { kind: 'quote' });
      return record ? [{ name, ...record }] : [];
    });
    expect(stated.every(({ kind }) => findKind(kind) !== undefined)).to.equal(true);
    expect(stated.map(({ name, kind }) => `${name} ${kind}`)).to.include.members([
      'ballots ballot',
      'text ballot',
      'records quote',
      'feed promise',
      'search promise',
    ]);
    expect(stated.find(({ name }) => name === 'search')).to.deep.include({ key: 'a' });
  });
});
