import { RefusedDatasetError, ServiceAnswerError } from '../errors.ts';
import type { Kind } from '../model/kinds.ts';
import { kindState } from '../store/kind-state.ts';
import type { SyncContext } from './context.ts';

const refusedSentence = 'and was refused; the last good one stays';
const refusedHint = 'if the service means it, run again with --accept-shrink';

/** Throws where a column went: that says that something broke, more often than that nobody needs it any more. */
export function refuseLostColumns(
  { mirror, maxShrink }: SyncContext,
  kind: Kind,
  { url, columns }: { url: string; columns: string[] },
): void {
  const held = kindState(mirror, kind).fileColumns ?? [];
  const lost = held.filter((column) => !columns.includes(column));
  if (lost.length === 0 || maxShrink >= 1) return;
  const sentence = `the dataset of ${kind.plural} lost the column ${lost.map((each) => `"${each}"`).join(', ')}`;
  // The other format may still have it.
  throw new ServiceAnswerError(url, `${sentence} ${refusedSentence}`, { hint: refusedHint });
}

/**
 * Throws where more than the allowed share of rows is gone, or the file was cut off. `isWhole` tells whether the last
 * line of a CSV file ends; null for a file that tells its end itself.
 */
export function refuseShrunken(
  { mirror, maxShrink }: SyncContext,
  kind: Kind,
  { url, before, gone, isWhole }: { url: string; before: number; gone: number; isWhole: boolean | null },
): void {
  if (maxShrink >= 1) return;
  if (gone > before * maxShrink) refuse(url, `the dataset of ${kind.plural} lost ${gone} of ${before} rows`);
  const endedBefore = kindState(mirror, kind).fileEndsLine;
  // Where the last one ended its line, or rows are gone and nobody knows, a line without end was cut off.
  const isCut = isWhole === false && (endedBefore ?? gone > 0);
  if (isCut) refuse(url, `the dataset of ${kind.plural} ends within a line`);
}

function refuse(url: string, sentence: string): never {
  throw new RefusedDatasetError(url, `${sentence} ${refusedSentence}`, { hint: refusedHint });
}
