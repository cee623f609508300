import { expect } from 'chai';
import type { ServicePage } from '../../src/service/pages.ts';
import { createPageGroup } from '../../src/sync/page-group.ts';

describe('pages that come', () => {
  let now = 0;
  let saved: number[] = [];
  const group = () =>
    createPageGroup(
      () => now,
      (pages) => saved.push(pages.length),
    );
  const page = (next: string | null = 'more') => ({ next, items: [] }) as unknown as ServicePage;
  beforeEach(() => {
    now = 0;
    saved = [];
  });

  it('are saved each by itself where they come slowly', () => {
    const slow = group();
    for (let n = 0; n < 3; n += 1) {
      slow.add(page(), { mayWait: true });
      now += 1000;
    }
    expect(saved).to.deep.equal([1, 1, 1]);
  });

  it('are saved ten at once where they come fast, the first at once, and the last with those that wait', () => {
    const fast = group();
    for (let n = 0; n < 13; n += 1) fast.add(page(), { mayWait: true });
    expect(saved).to.deep.equal([1, 10]);
    fast.add(page(null), { mayWait: true });
    expect(saved).to.deep.equal([1, 10, 3]);
    expect(fast.save()).to.equal(null);
  });

  it('never wait where the next one may not be asked for', () => {
    const careful = group();
    for (let n = 0; n < 3; n += 1) careful.add(page(), { mayWait: false });
    expect(saved).to.deep.equal([1, 1, 1]);
  });

  it('are saved when a walk breaks off', () => {
    const broken = group();
    for (let n = 0; n < 4; n += 1) broken.add(page(), { mayWait: true });
    broken.save();
    expect(saved).to.deep.equal([1, 3]);
  });
});
