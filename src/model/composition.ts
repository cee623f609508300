import { say } from '../words/speech.ts';
import { type Document, textOf } from './document.ts';
import type { Kind } from './kinds.ts';
import { differingFields, typedForm } from './normal-form.ts';

/** Profiles to fetch before the remaining ones are composed, that is built from stored records, not fetched. */
export const sampleSizes = { politician: 20, party: 12 };

/** Explanation of `"composed": true` in a response. */
export const composedText = say`≈ composed from the datasets: this profile was not fetched from the service (to fetch it: \`hemicycle sync --details all\`)`;

/** Up to this many profiles are all fetched, without a sample: a minute's requests. */
export const maxFetchedWithoutSample = 60;

/** Sample size that includes a wrong profile with probability .95 if 1 % are wrong: 1 - .99^300 = .951. */
export const significantSampleSize = 300;

/** Number of composed profiles to check per day, at most 20: thirty days give a significant sample. */
export function dailyChecks(composedCount: number): number {
  return Math.min(sampleSizes.politician, Math.ceil(composedCount / 15));
}

/** Comparison of a fetched profile with the composed one; `differingField`: the first that differs, null if none. */
export type ComparedProfile = { differingField: string | null; composedFields: ReadonlySet<string> };

/** What a sample decides on other profiles of its kind; `fetch` applies to those with one of `fields`, all if empty. */
export type CompositionDecision = { next: 'compose' | 'compare more' | 'fetch'; fields: string[] };

/** One exception in so many profiles is allowed: a cached profile may be older than the datasets. */
const profilesPerException = 60;

/** Number of profiles that are compared if one of the first sample differs. */
export const largerSampleSize = 100;

/** Number of profiles without the differing fields that must all be equal to conclude that only others differ. */
const minWithoutField = 10;

/** Decides by the number of differing profiles and by their first differing fields whether to compose the others. */
export function decideComposition(sample: readonly ComparedProfile[]): CompositionDecision {
  const differences = sample.flatMap(({ differingField }) => differingField ?? []);
  if (differences.length <= sample.length / profilesPerException) return { next: 'compose', fields: [] };
  if (differences.length === 1) return { next: 'compare more', fields: [] };
  const fields = [...new Set(differences)].sort();
  const unaffected = sample.filter(({ composedFields }) => !fields.some((field) => composedFields.has(field)));
  const isLimited =
    unaffected.length >= minWithoutField && unaffected.every(({ differingField }) => differingField === null);
  return { next: 'fetch', fields: isLimited ? fields : [] };
}

/** Names of the fields whose value is neither null nor an empty list. */
export function filledFields(profile: Document): Set<string> {
  const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);
  return new Set(Object.keys(profile).filter((name) => !isEmpty(profile[name])));
}

/** The first field in which a fetched profile differs from the composed one, or null; null differs from missing. */
export function profileDifference(kind: Kind, composedDocument: Document, fetchedDocument: Document): string | null {
  return differingFields(composedDocument, fetchedDocument, (document) => typedForm(kind, document))[0] ?? null;
}

/** True if a profile's `updated_at` is later than its row's, so that they may differ. */
export function isNewerThan(row: Document, profile: Document): boolean {
  const [rowMs, profileMs] = [row, profile].map((each) => Date.parse(textOf(each, 'updated_at', 'updatedAt') ?? ''));
  return profileMs! > rowMs!;
}
