import { expect } from 'chai';
import { kindOf } from '../../src/model/kinds.ts';
import { openMirror } from '../../src/store/open.ts';
import { findSimilarRecords } from '../../src/store/records/reference.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';

describe('records similar to an unknown key', () => {
  it('share its longest beginning', async () => {
    const demo = await createDemoMirror();
    const mirror = openMirror(demo.db);
    const keysNear = (key: string) => findSimilarRecords(mirror, kindOf('ballot'), key).map((each) => each.key);
    expect(keysNear('AN:VAL1V117')).to.deep.equal(['AN:VAL1V11']);
    expect(keysNear('AN:VAL1V2x')).to.deep.equal(['AN:VAL1V20', 'AN:VAL1V2']);
    expect(keysNear('AN:VAL9')).to.deep.equal(['AN:VAL1V1', 'AN:VAL1V2', 'AN:VAL1V3']);
    mirror.close();
    demo.remove();
  });
});
