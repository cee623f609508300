import { randomInt } from 'node:crypto';

/** A source of chance that gives the same again for the same seed. */
export type Random = {
  seed: number;
  /** A whole number from 0 up to, not including, `below`. */
  integer(below: number): number;
  /** True in one of `n` cases. */
  isOneIn(n: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
};

/** True in `npm run test:long`: everything that is tried by chance is tried more often, and otherwise every time. */
export const isLong = process.env.TEST_LONG === '1';

/**
 * The seed that an environment variable states, else one that is always the same, so that a run of the tests tells of
 * the change it runs on; `TEST_RANDOM=1` (`npm run test:random`) draws one, to look for what no seed has shown yet.
 */
export function seedOf(variable: string): number {
  const seedText = process.env[variable];
  if (seedText) return Number(seedText);
  return process.env.TEST_RANDOM === '1' ? randomInt(2 ** 31) : 20261122;
}

/** Chance from a seed (mulberry32, https://gist.github.com/tommyettinger/46a874533244883189143505d203312c). */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (below: number) => Math.floor(next() * below);
  return {
    seed,
    integer,
    isOneIn: (n) => integer(n) === 0,
    pick: (items) => items[integer(items.length)]!,
  };
}
