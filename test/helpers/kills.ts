import { isLong } from './random.ts';

/** A thousand runs, as the suites share them in a long run. */
export const shares = {
  sync: 250,
  follower: 150,
  import: 150,
  export: 150,
  'export between two files': 100,
  watch: 100,
  PostgreSQL: 100,
};

/** How many runs a suite kills: its share of a thousand in a long run, else a handful. */
export function killsOf(part: keyof typeof shares): number {
  return isLong ? shares[part] : 6;
}

/** Prints how many runs were killed before they had ended. */
export function printKills(part: keyof typeof shares, killed: number): void {
  console.log(`      ${killed} runs killed: ${part}`);
}
