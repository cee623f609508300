import type { RequestError } from '../errors.ts';
import { formats } from '../format/formats.ts';
import type { Kind } from '../model/kinds.ts';
import type { ServiceClient } from '../service/client.ts';
import { type Failure, failures, forgetFailure } from '../store/syncs/failures.ts';
import { knownAnswer } from '../store/syncs/validators.ts';
import type { SyncContext } from './context.ts';
import { limitAttempts, noteFailure } from './failures.ts';

/** Formats of datasets, the typed one first. */
export const datasetFormats = formats
  .filter(({ isOfInterface }) => isOfInterface)
  .sort((a, b) => Number(a.isText) - Number(b.isText))
  .map(({ name }) => name) as [string, string];

const [typed, plain] = datasetFormats;

const stage = 'formats';

/** First retry of a failed format after a night; each failure doubles the time. */
const soonestMs = 20 * 3_600_000;

export type FormatChoice = ReturnType<typeof createFormatChoice>;

/**
 * Chooses the format of each dataset by earlier results. Failed Parquet is remembered per dataset, and for all datasets
 * after two failures in a row; then one dataset retries it for all when due.
 */
export function createFormatChoice(context: SyncContext) {
  const { mirror, client, now } = context;
  let failedInARow = 0;
  const address = (kind: Kind | null, format: string) =>
    client.address('/export/dataset', { entity: kind?.plural, format });
  const failuresAt = (...urls: string[]): Failure[] =>
    failures(mirror, stage).filter(({ url }) => urls.includes(url));
  const failedBefore = (kind: Kind) => failuresAt(address(null, typed), address(kind, typed));
  const isKnown = (kind: Kind, format: string) => knownAnswer(mirror, address(kind, format)) !== null;

  return {
    /** The preferred format and its fallback. */
    order(kind: Kind): [string, string] {
      const known = failedBefore(kind);
      const isPlainFirst =
        known.length === 0
          ? isKnown(kind, plain) && !isKnown(kind, typed)
          : known.some(({ next_at }) => Date.parse(next_at) > now());
      return isPlainFirst ? [plain, typed] : [typed, plain];
    },
    /** The client to use: one attempt for what failed before. */
    client(kind: Kind, format: string): ServiceClient {
      return limitAttempts(context, format === typed && (failedInARow > 0 || failedBefore(kind).length > 0));
    },
    /** Records that a dataset came in a format. */
    taken(kind: Kind, format: string): void {
      if (format !== typed) return;
      failedInARow = 0;
      for (const { url } of failedBefore(kind)) forgetFailure(mirror, url);
    },
    /** Records that a dataset failed in one format and came in the other. */
    failed(kind: Kind, format: string, error: RequestError): void {
      if (format !== typed) return;
      failedInARow += 1;
      const ofAll = address(null, typed);
      const isAll = failedInARow >= 2 || failuresAt(ofAll).length > 0;
      for (const url of [address(kind, typed), ...(isAll ? [ofAll] : [])]) {
        const times = failuresAt(url)[0]?.count ?? 0;
        noteFailure(context, { stage, url, soonestMs: soonestMs * 2 ** times, isMadeGood: true }, error);
      }
    },
  };
}
