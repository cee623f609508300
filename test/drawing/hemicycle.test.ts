import { expect } from 'chai';
import { createHemicycle, hemicycleCells } from '../../src/drawing/hemicycle.ts';
import { shares } from '../../src/drawing/shares.ts';

const sizes = [1, 2, 3, 7, 19, 60, 95, 348, 577, 925, 2000];

describe('a hemicycle', () => {
  it('has as many seats as were asked for, all in the ring above its base', () => {
    for (const count of sizes) {
      const { seats } = createHemicycle(count);
      expect(seats, String(count)).to.have.length(count);
      for (const { x, y } of seats) {
        expect(Math.hypot(x, y)).to.be.within(0.399, 1.001);
        expect(y).to.be.at.least(-1e-9);
      }
    }
    expect(createHemicycle(0).seats).to.deep.equal([]);
  });

  it('has seats that do not touch when they are drawn with half the spacing', () => {
    for (const count of sizes.filter((each) => each > 1 && each < 1000)) {
      const { seats, spacing } = createHemicycle(count);
      let nearest = Number.POSITIVE_INFINITY;
      for (const [at, one] of seats.entries())
        for (const other of seats.slice(at + 1))
          nearest = Math.min(nearest, Math.hypot(one.x - other.x, one.y - other.y));
      expect(nearest, String(count)).to.be.at.least(spacing * 0.95);
    }
  });

  it('is filled from the left to the right, so that each group is one wedge', () => {
    const { seats } = createHemicycle(577);
    const turns = seats.map(({ x, y }) => Math.atan2(y, -x));
    for (const [at, angle] of turns.entries()) if (at > 0) expect(angle).to.be.at.least(turns[at - 1]! - 1e-9);
  });

  it('is symmetric', () => {
    const { seats } = createHemicycle(348);
    const places = new Set(seats.map(({ x, y }) => `${x.toFixed(6)} ${y.toFixed(6)}`.replace('-0.000000', '0.000000')));
    for (const { x, y } of seats)
      expect(places.has(`${(-x).toFixed(6)} ${y.toFixed(6)}`.replace('-0.000000', '0.000000'))).to.equal(true);
  });
});

describe('a hemicycle of characters', () => {
  it('has a character of its own for every mark, within its width', () => {
    for (const count of sizes.filter((each) => each <= 577)) {
      const cells = hemicycleCells(count, 76)!;
      expect(cells, String(count)).to.have.length(count);
      expect(new Set(cells.map(({ column, line }) => `${column} ${line}`)).size).to.equal(count);
      expect(Math.max(...cells.map(({ column }) => column))).to.be.below(76);
      expect(Math.min(...cells.map(({ line }) => line))).to.equal(0);
    }
  });

  it('is refused where it does not fit', () => {
    expect(hemicycleCells(577, 40)).to.equal(null);
    expect(hemicycleCells(0, 40)).to.equal(null);
  });
});

describe('shares', () => {
  it('add up to their total, in proportion, none lost while there is room', () => {
    expect(shares([50, 25, 25], 8)).to.deep.equal([4, 2, 2]);
    expect(shares([1, 1, 1], 2)).to.deep.equal([1, 1, 0]);
    expect(shares([998, 1, 1], 10)).to.deep.equal([8, 1, 1]);
    expect(shares([0, 0], 5)).to.deep.equal([0, 0]);
    expect(shares([3], 0)).to.deep.equal([0]);
  });
});
