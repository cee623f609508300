import { expect } from 'chai';
import { kinds } from '../../src/model/kinds.ts';
import { stagesIn } from '../../src/sync/stages.ts';

describe('the stages of a sync', () => {
  it('bring every kind but those that only files bring', () => {
    const stages = stagesIn({ only: null, full: false, details: 'changed', ballots: [] });
    const brought = kinds.filter(({ name }) => stages.some((stage) => stage.kinds.includes(name)));
    expect(brought).to.deep.equal(kinds.filter(({ isFileOnly }) => !isFileOnly));
  });
});
