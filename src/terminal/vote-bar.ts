import type { Counts } from '../model/ballot.ts';
import type { Style } from './style.ts';

const classes = ['for', 'against', 'abstention'] as const;

/** A mark of its own for each class, so that a bar reads without colour. */
const marks = { for: '█', against: '▒', abstention: '·' } as const;
const colours = { for: 'green', against: 'red', abstention: 'yellow' } as const;

/** A bar whose length is the votes cast of `largest`; empty where no vote for, against or abstaining is stated. */
export function voteBar(
  counts: Counts,
  { width, largest, style }: { width: number; largest: number; style: Style },
) {
  const cast = votesCast(counts);
  if (cast === 0 || largest === 0) return '';
  const length = Math.max(1, Math.round((cast / largest) * width));
  return shares(counts, length)
    .map((share, at) => style.colour(colours[classes[at]!], marks[classes[at]!].repeat(share)))
    .join('');
}

/** The votes for, against and abstaining together, as far as they are stated. */
export function votesCast(counts: Counts): number {
  return classes.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
}

/** What the marks of a bar mean. */
export function barLegend(style: Style): string {
  return classes.map((name) => `${style.colour(colours[name], marks[name])} ${name}`).join('  ');
}

/** Largest remainders, so that the shares fill the bar; whoever has a vote has a mark while there is room. */
function shares(counts: Counts, length: number): number[] {
  const values = classes.map((name) => counts[name] ?? 0);
  const cast = votesCast(counts);
  const exact = values.map((value) => (value / cast) * length);
  const parts = exact.map(Math.floor);
  const order = exact
    .map((value, at) => ({ at, rest: value - Math.floor(value) }))
    .sort((a, b) => b.rest - a.rest);
  let spare = length - parts.reduce((sum, part) => sum + part, 0);
  const give = (at: number, count: number) => {
    parts[at] = parts[at]! + count;
  };
  for (const { at } of order) {
    if (spare === 0 || values[at] === 0) continue;
    give(at, 1);
    spare--;
  }
  const largest = parts.indexOf(Math.max(...parts));
  for (const [at, value] of values.entries()) {
    if (value === 0 || parts[at]! > 0 || parts[largest]! < 2) continue;
    give(at, 1);
    give(largest, -1);
  }
  return parts;
}
