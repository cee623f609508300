import { expect } from 'chai';
import { placeSpans } from '../../src/drawing/timeline.ts';

describe('spans on an axis of time', () => {
  it('stand between the year of the first and the day until which they are known', () => {
    const drawn = placeSpans(
      [
        { start: '2020-01-01', end: '2021-01-01' },
        { start: '2022-01-01', end: null },
      ],
      '2024-01-01',
    )!;
    const [former, lasting] = drawn.spans;
    expect(former!.from).to.equal(0);
    expect(former!.to).to.be.closeTo(0.25, 0.001);
    expect(lasting!.from).to.be.closeTo(0.5, 0.001);
    expect(lasting).to.include({ to: 1, lasts: true });
    expect(drawn.years.map(({ year }) => year)).to.deep.equal([2020, 2021, 2022, 2023, 2024]);
  });

  it('keep open what is not stated', () => {
    const { spans } = placeSpans(
      [
        { start: null, end: '2021' },
        { start: null, end: null },
        { start: '2020-06', end: '2020' },
      ],
      '2022-01-01',
    )!;
    expect(spans[0]!.from).to.equal(null);
    expect(spans[1]).to.deep.equal({ from: null, to: null, lasts: false });
    expect(spans[2]!.to).to.be.greaterThan(spans[2]!.from!);
    expect(placeSpans([{ start: null, end: null }], '2022-01-01')).to.equal(null);
  });

  it('mark a handful of years however long they are, and place an end that is still to come', () => {
    const { spans, years } = placeSpans([{ start: '1958-10-05', end: '2031-01-01' }], '2026-11-22')!;
    expect(years.length).to.be.within(2, 9);
    expect(spans[0]!.to).to.equal(1);
    for (const { at } of years) expect(at).to.be.within(0, 1);
  });

  it('end nowhere before they begin', () => {
    const { spans } = placeSpans([{ start: '2022-01-01', end: '2021-01-01' }], '2024-01-01')!;
    expect(spans[0]!.to).to.equal(spans[0]!.from);
  });
});
