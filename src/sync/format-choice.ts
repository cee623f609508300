import type { RequestError } from '../errors.ts';
import { formats } from '../format/formats.ts';
import type { Kind } from '../model/kinds.ts';
import type { ServiceClient } from '../service/client.ts';
import { type Failure, failures, forgetFailure } from '../store/syncs/failures.ts';
import { knownAnswer } from '../store/syncs/validators.ts';
import type { SyncContext } from './context.ts';
import { limitAttempts, noteFailure } from './failures.ts';

/** What datasets are asked for in, the typed one first. */
export const datasetFormats = formats
  .filter(({ isOfInterface }) => isOfInterface)
  .sort((a, b) => Number(a.isText) - Number(b.isText))
  .map(({ name }) => name) as [string, string];

const [typed, plain] = datasetFormats;

/** In which format each dataset of a run is asked for, by how the service answered so far. */
export type FormatChoice = {
  /** The format to ask for, and the one to take in its place. */
  order(kind: Kind): [string, string];
  /** The client to ask with: what failed before is tried once. */
  client(kind: Kind, format: string): ServiceClient;
  /** Notes that a dataset came in a format. */
  taken(kind: Kind, format: string): void;
  /** Notes that a dataset did not come in a format, and came in the other. */
  failed(kind: Kind, format: string, error: RequestError): void;
};

const stage = 'formats';

/** A format that failed is left alone for a night at least, and for twice as long each time that it fails again. */
const soonestMs = 20 * 3_600_000;

/**
 * Chooses the formats of a run. Parquet that cannot be had is remembered: that of one dataset, and once it fails for two
 * of them in a row, that of all; then one dataset tries it again, when it is time, for all.
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
