import { dailyChecks, maxFetchedAnyway, sampleSizes } from '../model/composition.ts';
import type { Document } from '../model/document.ts';
import { type Kind, kinds } from '../model/kinds.ts';
import type { Mirror } from '../store/mirror.ts';
import { compareProfile, differenceText } from '../store/records/profile-comparison.ts';
import {
  composedSlugs,
  countComposed,
  endComposing,
  isComposed,
  markComposed,
  noteAgreement,
  politiciansWithFacts,
  readComposition,
} from '../store/syncs/composition.ts';
import { profilesToFetch } from '../store/syncs/to-fetch.ts';
import { transaction } from '../store/transaction.ts';
import { say } from '../words/speech.ts';
import { isoTime, type SyncContext, tallyOf } from './context.ts';

export type ProfileKind = 'party' | 'politician';

/** Profiles of a kind to fetch, in order, and to compose if the fetched ones agree. */
export type ProfileChoice = {
  toFetch: string[];
  /** Profiles to fetch and compare with the composed ones. */
  toCompare: string[];
  toCompose: string[];
  /** True if no profile of the kind was compared before. */
  isSample: boolean;
};

/** Interval of daily checks, with slack for a sync that starts a little earlier each day. */
const checkIntervalMs = 20 * 3_600_000;

type ChoiceOptions = { all: boolean; nowMs: number; random: () => number };

/** Returns the profiles that a sync fetches or composes; no side effects. */
export function chooseProfiles(mirror: Mirror, kind: ProfileKind, options: ChoiceOptions): ProfileChoice {
  const stale = profilesToFetch(mirror, kind, options);
  const slugs = stale.map(({ slug }) => slug);
  const fetchAll: ProfileChoice = { toFetch: slugs, toCompare: [], toCompose: [], isSample: false };
  const { state, checkedAt } = readComposition(mirror, kind);
  if (options.all || state === 'differs') return fetchAll;
  const composable = stale.filter(({ isComposable }) => isComposable).map(({ slug }) => slug);
  if (state === 'unknown' && composable.length <= maxFetchedAnyway) return fetchAll;
  const toFetch = stale.filter(({ isComposable }) => !isComposable).map(({ slug }) => slug);
  const isDue = checkedAt === null || options.nowMs - Date.parse(checkedAt) >= checkIntervalMs;
  const choose = state === 'unknown' ? chooseSample : isDue ? chooseDailyChecks : () => [];
  const toCompare = choose(mirror, { kind, composable, random: options.random });
  const chosen = new Set(toCompare);
  const toCompose = composable.filter((slug) => !chosen.has(slug));
  return { toFetch, toCompare, toCompose, isSample: state === 'unknown' };
}

type Sampling = { kind: ProfileKind; composable: string[]; random: () => number };

/** Returns a sample: the freshest profiles, some with facts of each kind, and random ones. */
function chooseSample(mirror: Mirror, { kind, composable, random }: Sampling): string[] {
  const chosen = new Set(composable.slice(0, sampleSizes[kind] / 2));
  const composableSlugs = new Set(composable);
  for (const { name } of kind === 'politician' ? factKinds : []) {
    const slugsWithFacts = politiciansWithFacts(mirror, name).filter((slug) => composableSlugs.has(slug));
    for (const slug of pickRandom(slugsWithFacts, 2, random)) chosen.add(slug);
  }
  const otherSlugs = composable.filter((slug) => !chosen.has(slug));
  for (const slug of pickRandom(otherSlugs, sampleSizes[kind] - chosen.size, random)) chosen.add(slug);
  return [...chosen];
}

const factKinds = kinds.filter(({ dataset, columns }) => dataset && columns.some(({ name }) => name === 'politician'));

/** Returns a daily check: the freshest new profiles, the composed ones compared longest ago, and random ones. */
function chooseDailyChecks(mirror: Mirror, { kind, composable, random }: Sampling): string[] {
  const composed = composedSlugs(mirror, kind);
  const size = dailyChecks(composed.length + composable.length);
  const half = Math.ceil(size / 2);
  const chosen = new Set([...composed.slice(0, half), ...composable.slice(0, half)].slice(0, size));
  const otherSlugs = [...composed, ...composable].filter((slug) => !chosen.has(slug));
  for (const slug of pickRandom(otherSlugs, size - chosen.size, random)) chosen.add(slug);
  return [...chosen];
}

/** Returns random items, without replacement. */
export function pickRandom(items: string[], count: number, random: () => number): string[] {
  const pool = [...items];
  const chosen: string[] = [];
  while (chosen.length < count && pool.length > 0) chosen.push(...pool.splice(Math.floor(random() * pool.length), 1));
  return chosen;
}

export type ProfileComparer = ReturnType<typeof createProfileComparer>;

/** Returns a comparer of fetched profiles of a kind with composed ones in one run, up to the first difference. */
export function createProfileComparer({ mirror, now, progress, tally }: SyncContext, kind: Kind) {
  const name = kind.name as ProfileKind;
  const { state } = readComposition(mirror, name);
  let alike = 0;
  let reason = null as string | null;
  const at = () => isoTime(now());
  return {
    reason: () => reason,
    /** True if a fetched profile equals the composed one and need not be stored. */
    isAsComposed(slug: string, profile: Document): boolean {
      if (state === 'differs' || reason !== null) return false;
      const { isComparable, unlike } = compareProfile(mirror, { kind, slug }, profile);
      if (!isComparable) return false;
      if (unlike === null) {
        alike += 1;
        if (!isComposed(mirror, name, slug)) return false;
        transaction(mirror, () => markComposed(mirror, { kind: name, slug }, at()));
        return true;
      }
      reason = differenceText(slug, unlike);
      return false;
    },
    /** Marks the chosen profiles as composed; false if too few of a sample could be compared. */
    finish({ toCompose: composed, toCompare: compared, isSample }: ProfileChoice): boolean {
      // Profiles that are newer than their row, or absent, are no evidence.
      if (isSample && alike < sampleSizes[name] / 2) return false;
      transaction(mirror, () => {
        if (compared.length > 0 && alike > 0) noteAgreement(mirror, name, at());
        for (const slug of composed) markComposed(mirror, { kind: name, slug }, at());
      });
      tallyOf({ tally }, name).composed += composed.length;
      if (composed.length > 0)
        progress.note(
          isSample
            ? say`${kind.plural}: ${alike} profiles agree with the datasets; ${composed.length} others are composed from these (--details all fetches them)`
            : say`${kind.plural}: ${composed.length} new or changed profiles are composed from the datasets`,
        );
      return true;
    },
  };
}

/** Stops composing profiles of a kind and reports the reason. */
export function stopComposing({ mirror, now, progress }: SyncContext, kind: Kind, reason: string): void {
  const before = countComposed(mirror, kind.name);
  transaction(mirror, () => endComposing(mirror, kind.name, { at: isoTime(now()), reason }));
  progress.note(
    before > 0
      ? say`${kind.plural}: profiles differ from the datasets, ${reason}; all are fetched, including ${before} composed ones`
      : say`${kind.plural}: profiles differ from the datasets, ${reason}; all are fetched`,
  );
}

/** Returns the composition of each kind that was sampled, for the report of a run. */
export function compositionsOf(mirror: Mirror) {
  return (['politician', 'party'] as const).flatMap((kind) => {
    const { state, reason } = readComposition(mirror, kind);
    return state === 'unknown' ? [] : [{ kind, state, composed: countComposed(mirror, kind), reason }];
  });
}
