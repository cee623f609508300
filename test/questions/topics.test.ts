import { expect } from 'chai';
import { ask, itemsOf } from '../../src/index.ts';
import { topics } from '../../src/questions/topics.ts';
import { fieldsAt, itemsAt, readTwoNights } from './question-results.ts';

describe('the question for topics', () => {
  const night = readTwoNights();

  it('lists the most used first, equals by the alphabet, each with its records by kind', async () => {
    const [first, second] = await itemsAt(night.past, topics);
    expect(first).to.deep.equal({ topic: 'democratie', records: 13, kinds: { promise: 9, position: 4 } });
    expect(second).to.deep.equal({ topic: 'retraites', records: 13, kinds: { promise: 7, position: 6 } });
    const counts = (await fieldsAt(night.past, topics, ['records'])).flat() as number[];
    expect(counts)
      .to.deep.equal([...counts].sort((one, other) => other - one))
      .and.have.length(10);
  });

  it('lists the first of them where fewer are asked for, and how many there are', async () => {
    const listing = await ask(night.past, topics, { limit: 2 });
    expect([(await itemsOf(listing)).map(({ topic }) => topic), listing.total]).to.deep.equal([
      ['democratie', 'retraites'],
      10,
    ]);
  });

  it('counts a record under the topic that it had then, and nothing that is withdrawn', async () => {
    const counts = async (mirror: typeof night.now) =>
      Object.fromEntries(await fieldsAt(mirror, topics, ['topic', 'records']));
    const before = await counts(night.past);
    const after = await counts(night.now);
    expect([before.fanaux, after.fanaux]).to.deep.equal([undefined, 1]);
    const sum = (all: Record<string, unknown>) =>
      Object.values(all).reduce<number>((total, each) => total + Number(each), 0);
    expect(sum(before) - sum(after)).to.equal(1);
  });

  it('gives every kind a column of its own in a flat row', async () => {
    const [first] = await itemsAt(night.past, topics);
    expect(topics.toRow!(first!)).to.deep.equal({ topic: 'democratie', records: 13, promise: 9, position: 4 });
  });
});
