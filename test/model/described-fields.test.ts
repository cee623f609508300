import { expect } from 'chai';
import { columnOf, kindOf, kinds } from '../../src/model/kinds.ts';
import { demoRecords } from '../server/demo-server.ts';

describe('the description of a field', () => {
  for (const kind of kinds) {
    it(`is there for all that a ${kind.name} says, in files and dictionaries too`, () => {
      const fields = new Set(demoRecords(kind).flatMap(Object.keys));
      const plain = columnOf(kind, 'a field that nobody knows').description;
      expect([...fields].filter((field) => columnOf(kind, field).description === plain)).to.deep.equal([]);
    });
  }

  it('makes no column of what only some services add', () => {
    const columns = kindOf('politician').columns.map(({ name }) => name);
    expect(columnOf(kindOf('politician'), 'birth_date').description).to.equal('Date of birth (ISO 8601).');
    expect(columns).to.include('bio').and.not.include('birth_date');
  });
});
