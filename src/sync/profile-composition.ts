import {
  type ComparedProfile,
  dailyChecks,
  decideComposition,
  largerSampleSize,
  maxFetchedWithoutSample,
  sampleSizes,
} from '../model/composition.ts';
import type { Document } from '../model/document.ts';
import { type Kind, kindOf, kinds } from '../model/kinds.ts';
import type { Mirror } from '../store/mirror.ts';
import { compareProfile, fillsField } from '../store/records/profile-comparison.ts';
import {
  composedSlugs,
  countComposed,
  deleteComposed,
  isComposed,
  markComposed,
  politiciansWithRecords,
  readComposition,
  saveComposition,
} from '../store/syncs/composition.ts';
import { profilesToFetch } from '../store/syncs/to-fetch.ts';
import { transaction } from '../store/transaction.ts';
import { amount, say } from '../words/speech.ts';
import { isoTime, type SyncContext, tallyOf } from './context.ts';

/** Kinds with profiles: fetched, or composed from rows of datasets if fetched samples equal their composed versions. */
export type ProfileKind = 'party' | 'politician';

/** Slugs of the profiles of a kind to fetch, in order, or to compose from dataset rows. */
export type ProfileChoice = {
  toFetch: string[];
  /** Profiles to fetch and compare with composed ones. */
  toCompare: string[];
  toCompose: string[]; // profiles to compose if the compared ones agree
  /** True if no profile of the kind was compared before. */
  isSample: boolean;
};

/** Interval of daily checks, less than a day for syncs that start a little earlier each day. */
const checkIntervalMs = 20 * 3_600_000;

type ChoiceOptions = { all: boolean; nowMs: number; random: () => number };

/** Chooses the profiles that a sync fetches, compares or composes; changes nothing. */
export function chooseProfiles(mirror: Mirror, kind: ProfileKind, options: ChoiceOptions): ProfileChoice {
  const staleProfiles = profilesToFetch(mirror, kind, options);
  const slugs = staleProfiles.map(({ slug }) => slug);
  const fetchAll: ProfileChoice = { toFetch: slugs, toCompare: [], toCompose: [], isSample: false };
  const { state, checkedAt, fields } = readComposition(mirror, kind); // profiles with one of `fields` are fetched
  if (options.all || state === 'differs') return fetchAll;
  const mustFetch = (slug: string) => fillsField(mirror, { kind: kindOf(kind), slug }, fields);
  const composable = staleProfiles.filter((each) => each.isComposable && !mustFetch(each.slug)).map(({ slug }) => slug);
  if (state === 'unknown' && composable.length <= maxFetchedWithoutSample) return fetchAll;
  const composableSlugs = new Set(composable);
  const toFetch = slugs.filter((slug) => !composableSlugs.has(slug));
  const isCheckDue = checkedAt === null || options.nowMs - Date.parse(checkedAt) >= checkIntervalMs;
  const choose = state === 'unknown' ? chooseSample : isCheckDue ? chooseDailyChecks : () => [];
  const toCompare = choose(mirror, { kind, composable, random: options.random });
  const toCompose = composable.filter((slug) => !toCompare.includes(slug));
  return { toFetch, toCompare, toCompose, isSample: state === 'unknown' };
}

type Sampling = { kind: ProfileKind; composable: string[]; random: () => number };

/** Returns a first sample: the newest profiles, some with facts of each kind, and random ones. */
function chooseSample(mirror: Mirror, { kind, composable, random }: Sampling): string[] {
  const chosen = new Set(composable.slice(0, sampleSizes[kind] / 2));
  const composableSlugs = new Set(composable);
  for (const { name } of kind === 'politician' ? factKinds : []) {
    const slugsWithFacts = politiciansWithRecords(mirror, name).filter((slug) => composableSlugs.has(slug));
    for (const slug of pickRandom(slugsWithFacts, 2, random)) chosen.add(slug);
  }
  const otherSlugs = composable.filter((slug) => !chosen.has(slug));
  return [...chosen, ...pickRandom(otherSlugs, sampleSizes[kind] - chosen.size, random)];
}

const factKinds = kinds.filter(({ dataset, columns }) => dataset && columns.some(({ name }) => name === 'politician'));

/** Returns profiles for a daily check: the newest, the composed ones compared longest ago, and random ones. */
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

/** Decides by fetched profiles whether to compose others. Call its methods in order; `finish` after a whole run. */
export function createProfileComparer({ mirror, now, progress, tally, random = Math.random }: SyncContext, kind: Kind) {
  const name = kind.name as ProfileKind;
  const { state, fields } = readComposition(mirror, name);
  const sample: ComparedProfile[] = [];
  let reason = ''; // sentence about the first difference
  const at = () => isoTime(now());
  const countDifferent = () => sample.filter(({ differingField }) => differingField !== null).length;
  return {
    /** Adds a fetched profile to the sample; true if the stored one is composed and equal, so stays. */
    isAsComposed(slug: string, profile: Document): boolean {
      const comparison = state === 'differs' ? null : compareProfile(mirror, { kind, slug }, profile);
      // A profile that is newer than its row (no comparison), or has a field to fetch, is no evidence.
      if (!comparison || fields.some((field) => comparison.composedFields.has(field))) return false;
      const { differingField } = comparison;
      sample.push(comparison);
      if (differingField !== null) reason ||= `the profile of ${slug} says something else (${differingField})`;
      if (differingField !== null || !isComposed(mirror, name, slug)) return false;
      transaction(mirror, () => markComposed(mirror, { kind: name, slug }, at()));
      return true;
    },
    /** Returns further profiles to compare if the sample is undecided, with a note; else none. */
    chooseFurther({ toCompare, toCompose, toFetch }: ProfileChoice): string[] {
      if (decideComposition(sample).next !== 'compare more') return [];
      const chosen = new Set([...toCompare, ...toFetch]);
      const otherSlugs = [...toCompose, ...composedSlugs(mirror, name)].filter((slug) => !chosen.has(slug));
      const furtherSlugs = pickRandom(otherSlugs, largerSampleSize - toCompare.length, random);
      if (furtherSlugs.length > 0)
        progress.note(say`${kind.plural}: ${reason}; others are compared: ${amount(furtherSlugs.length, 'request')}`);
      return furtherSlugs;
    },
    /** If profiles differ, saves that and returns a new choice, with a note; null if not, or if interrupted early. */
    chooseAfterDifference({ toCompare }: ProfileChoice, isComplete: boolean): ProfileChoice | null {
      const { next, fields: differingFields } = decideComposition(sample);
      if (next === 'compose') return null;
      const isUndecided = next === 'compare more' || sample.length < toCompare.length / 2;
      if (!isComplete && isUndecided) return null; // the next run compares again; if complete, one difference is enough
      const onlyFieldsDiffer = differingFields.length > 0; // profiles without these fields agree
      transaction(mirror, () => {
        deleteComposed(mirror, name);
        const state = onlyFieldsDiffer ? 'agrees' : 'differs';
        saveComposition(mirror, name, { state, checkedAt: at(), reason, fields: [...fields, ...differingFields] });
      });
      const choice = chooseProfiles(mirror, name, { all: false, nowMs: now(), random });
      const cause = say`${kind.plural}: profiles differ from the datasets (${countDifferent()} of ${sample.length}), ${reason}`;
      const cost = amount(choice.toFetch.length, 'request');
      if (choice.toFetch.length > 0)
        progress.note(
          onlyFieldsDiffer
            ? say`${cause}; those with ${differingFields.join(', ')} are fetched: ${cost}`
            : say`${cause}; all are fetched: ${cost}`,
        );
      return choice;
    },
    /** Saves the agreement and marks the profiles as composed, with a note; false if too few of a sample agree. */
    finish({ toCompose, toCompare, isSample }: ProfileChoice): boolean {
      const equalCount = sample.length - countDifferent();
      if (isSample && equalCount < sampleSizes[name] / 2) return false;
      transaction(mirror, () => {
        if (toCompare.length > 0 && equalCount > 0)
          saveComposition(mirror, name, { state: 'agrees', checkedAt: at(), reason: null, fields });
        for (const slug of toCompose) markComposed(mirror, { kind: name, slug }, at());
      });
      tallyOf({ tally }, name).composed += toCompose.length;
      if (toCompose.length > 0)
        progress.note(
          isSample
            ? say`${kind.plural}: ${equalCount} profiles agree with the datasets; ${toCompose.length} others are composed from these (--details all fetches them)`
            : say`${kind.plural}: ${toCompose.length} new or changed profiles are composed from the datasets`,
        );
      return true;
    },
  };
}

/** Returns the composition of each kind that was sampled, for the report of a run. */
export function compositionsOf(mirror: Mirror) {
  return (['politician', 'party'] as const).flatMap((kind) => {
    const { state, reason } = readComposition(mirror, kind);
    return state === 'unknown' ? [] : [{ kind, state, composed: countComposed(mirror, kind), reason }];
  });
}
