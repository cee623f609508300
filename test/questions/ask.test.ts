import { expect } from 'chai';
import { ask, feed, itemsOf, openMirror } from '../../src/index.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';

describe('ask', () => {
  it('takes what a command line takes: kinds in any case, singular or plural', async () => {
    const demo = await createDemoMirror();
    const mirror = openMirror(demo.db);
    const types = async (written: string[]) => {
      const items = await itemsOf(await ask(mirror, feed, { types: written, limit: 50 }));
      return new Set(items.map(({ type }) => type));
    };
    expect(await types(['Promises'])).to.deep.equal(new Set(['promise']));
    expect(await types(['POSITION'])).to.deep.equal(new Set(['position']));
    const refused = await types(['promse']).catch((error: { message: string; hint: string }) => error);
    expect(refused).to.include({
      message: '--types must be one of content, promise, position',
      hint: 'did you mean: promise?',
    });
    mirror.close();
    demo.remove();
  });
});
