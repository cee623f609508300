import { say } from '../words/speech.ts';
import { type Document, textOf } from './document.ts';
import type { Kind } from './kinds.ts';
import { differingFields, typedForm } from './normal-form.ts';

/** Number of fetched profiles that must equal the composed ones before the remaining ones are composed. */
export const sampleSizes = { politician: 20, party: 12 };

/** Explanation of `"composed": true` in a response. */
export const composedText = say`≈ composed from the datasets: this profile was not fetched from the service (to fetch it: \`hemicycle sync --details all\`)`;

/** Up to this many profiles are fetched without sampling: a minute's requests. */
export const maxFetchedAnyway = 60;

/** Sample size that includes a wrong profile with probability .95 if 1 % are wrong: 1 - .99^300 = .951. */
export const significantSampleSize = 300;

/** Number of composed profiles to check per day, at most 20: thirty days give a significant sample. */
export function dailyChecks(composed: number): number {
  return Math.min(sampleSizes.politician, Math.ceil(composed / 15));
}

/** The first field in which a fetched profile differs from the composed one, or null; null differs from missing. */
export function profileDifference(kind: Kind, composed: Document, fetched: Document): string | null {
  return differingFields(composed, fetched, (document) => typedForm(kind, document))[0] ?? null;
}

/** True if a profile's `updated_at` is later than its row's, so that they may differ. */
export function isNewerThan(row: Document, profile: Document): boolean {
  const [rowMs, profileMs] = [row, profile].map((each) => Date.parse(textOf(each, 'updated_at', 'updatedAt') ?? ''));
  return profileMs! > rowMs!;
}
