import { UsageError } from '../errors.ts';
import { type Chamber, chamberOf } from '../model/ballot.ts';
import type { BallotReference } from '../store/to-fetch.ts';

const mostPerRange = 10_000;

/**
 * The ballots that a list such as `AN:1-50,Senat:2025-300,AN:VTANR5L17V1..VTANR5L17V50` means. `A-B` counts up
 * where both are numbers and A is not larger; in the Sénat `YEAR-NUMBER` is one id; `..` always counts up.
 */
export function readBallotRanges(text: string): BallotReference[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .flatMap(readRange);
}

function readRange(part: string): BallotReference[] {
  const colon = part.indexOf(':');
  const chamber = colon < 0 ? null : chamberOf(part.slice(0, colon));
  if (!chamber) throw new UsageError(`"${part}" names no chamber`, 'write AN:1-50 or Senat:2025-300');
  const range = part.slice(colon + 1);
  if (range === '') throw new UsageError(`"${part}" names no ballot`, 'write AN:1-50 or Senat:2025-300');
  const ends = endsOf(chamber, range);
  if (!ends) return [{ chamber, scrutinId: range }];
  const { prefix, from, to } = ends;
  if (to < from || to - from >= mostPerRange)
    throw new UsageError(`"${part}" is not a range of at most ${mostPerRange} ballots`);
  return Array.from({ length: to - from + 1 }, (_, index) => ({
    chamber,
    scrutinId: `${prefix}${from + index}`,
  }));
}

function endsOf(chamber: Chamber, range: string): { prefix: string; from: number; to: number } | null {
  const dotted = /^(.*?)(\d+)\.\.(.*?)(\d+)$/.exec(range);
  if (dotted) {
    const [, prefix = '', from, lastPrefix = '', to] = dotted;
    if (lastPrefix !== '' && lastPrefix !== prefix)
      throw new UsageError(`"${range}" does not begin and end alike`);
    return { prefix, from: Number(from), to: Number(to) };
  }
  const dashed = /^(\d+)-(\d+)$/.exec(range);
  if (!dashed || (chamber === 'Senat' && /^(19|20)\d\d$/.test(dashed[1]!))) return null;
  const [from, to] = [Number(dashed[1]), Number(dashed[2])];
  return from <= to ? { prefix: '', from, to } : null;
}
