import { expect } from 'chai';
import { openWritableMirror } from '../../src/store/open.ts';
import { planSync } from '../../src/sync/stages.ts';
import { frenchWords } from '../../src/words/french.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { wholeScope } from '../helpers/sync-run.ts';

describe('the plan of a sync', () => {
  it('has French for each stage, for what it requests and for what it assumes', async () => {
    const demo = await createDemoMirror();
    const mirror = openWritableMirror(demo.db);
    const scopes = [wholeScope, { ...wholeScope, full: true }, { ...wholeScope, details: 'all' as const }];
    const plans = [null, mirror].flatMap((each) =>
      scopes.flatMap((scope) =>
        [false, true].map((isVerifying) => planSync(each, 'https://service.example', { scope, rate: 60, isVerifying })),
      ),
    );
    mirror.close();
    demo.remove();
    const texts = plans.flatMap(({ stages, assumed }) => [
      ...stages.flatMap(({ stage, what }) => [stage, what]),
      ...assumed.map((count) => count.replace(/^\S+ /, '')),
    ]);
    expect(texts.length).to.be.greaterThan(50);
    expect([...new Set(texts)].filter((text) => frenchWords.word(text) === undefined)).to.deep.equal([]);
  });
});
