import { expect } from 'chai';
import type { ServicePage } from '../../src/service/pages.ts';
import { createPageGroup } from '../../src/sync/page-group.ts';

describe('pages that come', () => {
  let now = 0;
  let saved: number[] = [];
  const group = (prepare = async () => {}) =>
    createPageGroup(() => now, { prepare, save: (pages) => saved.push(pages.length) });
  const page = (next: string | null = 'more', records = 50, characters = 0) => ({
    page: { next, items: Array.from({ length: records }, () => ({})) } as unknown as ServicePage,
    characters,
  });
  beforeEach(() => {
    now = 0;
    saved = [];
  });

  it('are saved each by itself where they come slowly', async () => {
    const slow = group();
    for (let n = 0; n < 3; n += 1) {
      await slow.add(page(), { mayWait: true });
      now += 1000;
    }
    expect(saved).to.deep.equal([1, 1, 1]);
  });

  it('are saved 1,000 records at once while as many wait where they come fast, the last with all that wait', async () => {
    const fast = group();
    for (let n = 0; n < 43; n += 1) await fast.add(page(), { mayWait: true });
    expect(saved).to.deep.equal([1, 20]);
    await fast.add(page(null), { mayWait: true });
    expect(saved).to.deep.equal([1, 20, 23]);
    expect(await fast.save()).to.equal(null);
  });

  it('are saved once they are long', async () => {
    const long = group();
    for (let n = 0; n < 5; n += 1) await long.add(page('more', 50, 2 ** 21), { mayWait: true });
    expect(saved).to.deep.equal([1, 1, 1, 1]);
  });

  it('wait no longer than a second', async () => {
    const waiting = group();
    for (let n = 0; n <= 13; n += 1) {
      await waiting.add(page(), { mayWait: true });
      now += 90;
    }
    expect(saved).to.deep.equal([1, 7]);
    for (let n = 0; n < 7; n += 1) {
      await waiting.add(page(), { mayWait: true });
      now += 90;
    }
    expect(saved).to.deep.equal([1, 7, 7]);
  });

  it('never wait where the next one may not be asked for', async () => {
    const careful = group();
    for (let n = 0; n < 3; n += 1) await careful.add(page(), { mayWait: false });
    expect(saved).to.deep.equal([1, 1, 1]);
  });

  it('are saved when a walk breaks off', async () => {
    const broken = group();
    for (let n = 0; n < 4; n += 1) await broken.add(page(), { mayWait: true });
    await broken.save();
    expect(saved).to.deep.equal([1, 3]);
  });

  it('are saved once all that is worked out ahead is there, which nobody waits for before', async () => {
    const events: string[] = [];
    const slow = createPageGroup(() => now, {
      prepare: async () => {
        await Promise.resolve();
        events.push('prepared');
      },
      save: (pages) => events.push(`saved ${pages.length}`),
    });
    for (let n = 0; n < 3; n += 1) await slow.add(page(), { mayWait: true });
    events.push('asked to save');
    await slow.save();
    expect(events.filter((each) => each === 'prepared')).to.have.length(2);
    expect(events.at(-1)).to.equal('saved 2');
  });

  it('are saved as soon as theirs is worked out, while those behind them are not yet', async () => {
    const asked: (() => void)[] = [];
    const ahead = createPageGroup(() => now, {
      prepare: () => new Promise<void>((resolve) => asked.push(resolve)),
      save: (pages) => saved.push(pages.length),
    });
    for (let n = 0; n < 40; n += 1) await ahead.add(page(), { mayWait: true });
    const added = ahead.add(page(), { mayWait: true });
    for (const done of asked.slice(0, 20)) done();
    await added;
    expect(saved).to.deep.equal([1, 20]);
    for (const done of asked) done();
    await ahead.save();
    expect(saved).to.deep.equal([1, 20, 20]);
  });
});
