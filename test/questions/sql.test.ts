import { expect } from 'chai';
import { rowsPage, splitColumns } from '../../src/questions/sql.ts';

describe('the columns of an answer to a statement', () => {
  const namesOf = (columns: string[], rows: Record<string, number>[]) => {
    const { items, extra } = rowsPage({ columns, rows, isCut: false });
    return splitColumns(String(extra!.columns), JSON.parse(`[${[...items].join(',')}]`)[0]);
  };

  it('keep their order, and the commas in their names', () => {
    const row = { b: 1, 'max(2, 7)': 7, 1: 1, a: 3 };
    const names = ['b', 'max(2, 7)', '1', 'a'];
    expect(namesOf(names, [row])).to.deep.equal(names);
    expect(namesOf(['b', 'a'], [])).to.deep.equal(['b', 'a']);
  });
});
