import { expect } from 'chai';
import { kinds } from '../../src/model/kinds.ts';
import { stages } from '../../src/sync/stages.ts';

describe('the stages of a sync', () => {
  it('bring every kind but those that only files bring', () => {
    const brought = kinds.filter(({ name }) => stages.some((stage) => stage.kinds.includes(name)));
    expect(brought).to.deep.equal(kinds.filter(({ isFileOnly }) => !isFileOnly));
  });
});
