import { dailyChecks, maxFetchedAnyway, sampleSizes } from '../model/composition.ts';
import type { Document } from '../model/document.ts';
import { type Kind, type KindName, kinds } from '../model/kinds.ts';
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
import { atOnce } from '../store/transaction.ts';
import { say } from '../words/speech.ts';
import { type SyncContext, tallyOf } from './context.ts';

export type ProfileKind = 'party' | 'politician';

/** Which profiles of a kind are fetched, in that order, and which are composed if those agree. */
export type ProfileChoice = {
  /** Fetched whatever comes of it. */
  fetched: string[];
  /** Fetched to be compared with what the mirror composes. */
  compared: string[];
  composed: string[];
  /** True where nothing was compared before. */
  isSample: boolean;
};

/** When composed profiles are compared again: once a day, by a sync that starts at about the same time each day. */
const checkAgainMs = 20 * 3_600_000;

type Choosing = { all: boolean; nowMs: number; random: () => number };

/** Chooses which profiles of a kind a sync asks for; asks nothing, and changes nothing. */
export function chooseProfiles(mirror: Mirror, kind: ProfileKind, choosing: Choosing): ProfileChoice {
  const stale = profilesToFetch(mirror, kind, choosing);
  const slugs = stale.map(({ slug }) => slug);
  const whole: ProfileChoice = { fetched: slugs, compared: [], composed: [], isSample: false };
  const { state, checkedAt } = readComposition(mirror, kind);
  if (choosing.all || state === 'differs') return whole;
  const open = stale.filter(({ isComposable }) => isComposable).map(({ slug }) => slug);
  if (state === 'unknown' && open.length <= maxFetchedAnyway) return whole;
  const fetched = stale.filter(({ isComposable }) => !isComposable).map(({ slug }) => slug);
  const isDue = checkedAt === null || choosing.nowMs - Date.parse(checkedAt) >= checkAgainMs;
  const compared =
    state === 'unknown'
      ? sampleOf(mirror, { kind, open, random: choosing.random })
      : isDue
        ? checksFor(mirror, { kind, open, random: choosing.random })
        : [];
  const chosen = new Set(compared);
  const composed = open.filter((slug) => !chosen.has(slug));
  return { fetched, compared, composed, isSample: state === 'unknown' };
}

type Sampling = { kind: ProfileKind; open: string[]; random: () => number };

/** The freshest, some of whom facts of each kind tell, and others by chance. */
function sampleOf(mirror: Mirror, { kind, open, random }: Sampling): string[] {
  const chosen = new Set(open.slice(0, sampleSizes[kind] / 2));
  const left = new Set(open);
  for (const { name } of kind === 'politician' ? factKinds : []) {
    const told = politiciansWithFacts(mirror, name).filter((slug) => left.has(slug));
    for (const slug of pickRandom(told, 2, random)) chosen.add(slug);
  }
  const others = open.filter((slug) => !chosen.has(slug));
  for (const slug of pickRandom(others, sampleSizes[kind] - chosen.size, random)) chosen.add(slug);
  return [...chosen];
}

const factKinds = kinds.filter(({ dataset, columns }) => dataset && columns.some(isPolitician));

function isPolitician({ name }: { name: string }): boolean {
  return name === 'politician';
}

/** Of those composed the oldest and some by chance, and the freshest of those that are new or changed. */
function checksFor(mirror: Mirror, { kind, open, random }: Sampling): string[] {
  const composed = composedSlugs(mirror, kind);
  const size = dailyChecks(composed.length + open.length);
  const third = Math.ceil(size / 3);
  const chosen = new Set([...open.slice(0, third), ...composed.slice(0, third)].slice(0, size));
  const others = [...composed, ...open].filter((slug) => !chosen.has(slug));
  for (const slug of pickRandom(others, size - chosen.size, random)) chosen.add(slug);
  return [...chosen];
}

/** So many of the items by chance, none twice. */
function pickRandom(items: string[], count: number, random: () => number): string[] {
  const left = [...items];
  const chosen: string[] = [];
  while (chosen.length < count && left.length > 0)
    chosen.push(...left.splice(Math.floor(random() * left.length), 1));
  return chosen;
}

/** What came of comparing profiles of a kind in one run. */
export type ProfileComparer = {
  /** Compares a profile as it came; true where it says what is composed, and need not be stored. */
  isAsComposed(slug: string, profile: Document): boolean;
  /** Why profiles are not composed, once that was found; null before. */
  reason(): string | null;
  /** Marks as composed what was chosen to be; false where too little of a sample could be compared. */
  finish(choice: ProfileChoice): boolean;
};

/** Compares the profiles that a run fetches with what the mirror composes, and ends composing at the first that differs. */
export function createProfileComparer(context: SyncContext, kind: Kind): ProfileComparer {
  const { mirror, now, progress } = context;
  const name = kind.name as ProfileKind;
  const { state } = readComposition(mirror, name);
  let [alike, reason] = [0, null as string | null];
  const at = () => new Date(now()).toISOString();
  return {
    reason: () => reason,
    isAsComposed(slug, profile) {
      if (state === 'differs' || reason !== null) return false;
      const { isComparable, unlike } = compareProfile(mirror, { kind, slug }, profile);
      if (!isComparable) return false;
      if (unlike === null) {
        alike += 1;
        if (!isComposed(mirror, name, slug)) return false;
        atOnce(mirror, () => markComposed(mirror, { kind: name, slug }, at()));
        return true;
      }
      reason = differenceText(slug, unlike);
      return false;
    },
    finish({ composed, compared, isSample }) {
      // Of those that are no evidence the row is older than the profile, or the service has none.
      if (isSample && alike < sampleSizes[name] / 2) return false;
      atOnce(mirror, () => {
        if (compared.length > 0 && alike > 0) noteAgreement(mirror, name, at());
        for (const slug of composed) markComposed(mirror, { kind: name, slug }, at());
      });
      tallyOf(context, name).composed += composed.length;
      if (composed.length > 0)
        progress.note(
          isSample
            ? `${kind.plural}: ${alike} profiles say what the datasets say; ${composed.length} others are composed of these (--details all fetches them)`
            : `${kind.plural}: ${composed.length} new or changed profiles are composed of the datasets`,
        );
      return true;
    },
  };
}

/** Ends the composing of profiles of a kind for that reason, and says so. */
export function stopComposing({ mirror, now, progress }: SyncContext, kind: Kind, reason: string): void {
  const before = countComposed(mirror, kind.name);
  atOnce(mirror, () => endComposing(mirror, kind.name, { at: new Date(now()).toISOString(), reason }));
  progress.note(
    before > 0
      ? say`${kind.plural}: profiles are not what the datasets say, ${reason}; all are fetched, the ${before} composed ones too`
      : say`${kind.plural}: profiles are not what the datasets say, ${reason}; all are fetched`,
  );
}

/** Whether the profiles of a kind are composed, how many are, and why not. */
export type CompositionReport = {
  kind: KindName;
  state: 'agrees' | 'differs';
  composed: number;
  reason: string | null;
};

/** How profiles come, kind by kind, where a sample of them was compared: for the report of a run. */
export function compositionsOf(mirror: Mirror): CompositionReport[] {
  return (['politician', 'party'] as const).flatMap((kind) => {
    const { state, reason } = readComposition(mirror, kind);
    return state === 'unknown' ? [] : [{ kind, state, composed: countComposed(mirror, kind), reason }];
  });
}
