import { HemicycleError } from '../../errors.ts';
import { isOfFile } from '../../store/mirror.ts';
import type { UserText } from '../../words/speech.ts';

/** An address of which no page could be made, and why. */
export type SiteFailure = { address: string; reason: UserText };

/**
 * What `make` returns for an address; null if it throws, which is added to the failures: one record never ends a run. An
 * error of the mirror's file does.
 */
export function attempt<Made>(
  { failures }: { failures: SiteFailure[] },
  address: string,
  make: () => Made,
): Made | null {
  try {
    return make();
  } catch (error) {
    if (isOfFile(error)) throw error;
    failures.push({
      address,
      reason: error instanceof HemicycleError ? error.phrase : (error as Error).message,
    });
    return null;
  }
}
