import { HemicycleError } from '../../errors.ts';
import { isFileError } from '../../store/mirror.ts';
import { type Phrase, verbatim } from '../../words/speech.ts';

/** An address whose page could not be rendered, and the reason. */
export type SiteFailure = { address: string; reason: Phrase };

/** Returns what `make` returns; adds a thrown error to the failures and returns null. Rethrows mirror file errors. */
export function attempt<Result>(
  { failures }: { failures: SiteFailure[] },
  address: string,
  make: () => Result,
): Result | null {
  try {
    return make();
  } catch (error) {
    if (isFileError(error)) throw error;
    failures.push({
      address,
      reason: error instanceof HemicycleError ? error.phrase : verbatim((error as Error).message),
    });
    return null;
  }
}
