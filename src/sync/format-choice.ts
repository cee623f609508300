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

/** Chooses the format of each dataset by earlier results. */
export type FormatChoice = {
  /** The preferred format and its fallback. */
  order(kind: Kind): [string, string];
  /** The client to use: one attempt for what failed before. */
  client(kind: Kind, format: string): ServiceClient;
  /** Records that a dataset came in a format. */
  taken(kind: Kind, format: string): void;
  /** Records that a dataset failed in one format and came in the other. */
  failed(kind: Kind, format: string, error: RequestError): void;
};

const stage = 'formats';

/** First retry of a failed format after a night; each failure doubles the time. */
const soonestMs = 20 * 3_600_000;

/**
 * Creates the choice. Failed Parquet is remembered per dataset, and for all datasets after two failures in a row; then one
 * dataset retries it for all when due.
 */
export function createFormatChoice(context: SyncContext): FormatChoice {
  const { mirror, client, now } = context;
  let failedInARow = 0;
  const address = (kind: Kind | null, format: string) =>
    client.address('/export/dataset', { entity: kind?.plural, format });
  const failure = (url: string): Failure | undefined =>
    failures(mirror, stage).find((each) => each.url === url);
  const failedBefore = (kind: Kind) =>
    [failure(address(null, typed)), failure(address(kind, typed))].filter((each) => each !== undefined);
  const wasPlain = (kind: Kind) =>
    knownAnswer(mirror, address(kind, typed)) === null && knownAnswer(mirror, address(kind, plain)) !== null;

  return {
    order(kind) {
      const known = failedBefore(kind);
      const isLeft =
        known.length === 0 ? wasPlain(kind) : known.some(({ next_at }) => Date.parse(next_at) > now());
      return isLeft ? [plain, typed] : [typed, plain];
    },
    client(kind, format) {
      return limitAttempts(context, format === typed && (failedInARow > 0 || failedBefore(kind).length > 0));
    },
    taken(kind, format) {
      if (format !== typed) return;
      failedInARow = 0;
      for (const { url } of failedBefore(kind)) forgetFailure(mirror, url);
    },
    failed(kind, format, error) {
      if (format !== typed) return;
      failedInARow += 1;
      const isAll = failedInARow >= 2 || failure(address(null, typed)) !== undefined;
      for (const url of [address(kind, typed), ...(isAll ? [address(null, typed)] : [])]) {
        const times = failure(url)?.count ?? 0;
        noteFailure(context, { stage, url, soonestMs: soonestMs * 2 ** times, isMadeGood: true }, error);
      }
    },
  };
}
