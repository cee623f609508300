import { VerificationError } from '../errors.ts';
import { significantSampleSize } from '../model/composition.ts';
import { type KindName, kindOf, kinds } from '../model/kinds.ts';
import { profilePath } from '../service/records.ts';
import type { Mirror } from '../store/mirror.ts';
import { compareKind, type KindComparison } from '../store/records/mirror-comparison.ts';
import { composedSlugs } from '../store/syncs/composition.ts';
import { clauses, say } from '../words/speech.ts';
import { coversKind, type SyncContext } from './context.ts';
import { fetchDetail } from './details.ts';
import { type ProfileKind, pickRandom } from './profile-composition.ts';
import { requestEach } from './request-each.ts';
import { runSync } from './sync.ts';

/** Kinds whose records stay in the mirror when the service no longer lists them. */
const archivedKinds: KindName[] = ['audit', 'ballot'];

/** Fills a fresh mirror from the service and compares the mirror with it, by kind; `error` if they differ. */
export async function verifyMirror(context: SyncContext, freshMirror: Mirror) {
  const { report, error } = await runSync({ ...context, mirror: freshMirror }, null);
  if (error) return { report, kinds: [], error };
  for (const name of ['party', 'politician'] as const) await fetchSample({ ...context, mirror: freshMirror }, name);
  const comparedKinds = kinds.filter(({ name }) => name !== 'speech' && coversKind(context.scope, name)).reverse();
  const hasDetails = context.scope.details !== 'none';
  const comparisons = comparedKinds.map((kind) => {
    const listsNewestOnly = archivedKinds.includes(kind.name);
    return compareKind(context.mirror, freshMirror, { kind, listsNewestOnly, hasDetails });
  });
  const differences = comparisons.filter(({ agrees }) => !agrees);
  return { report, kinds: comparisons, error: differences.length === 0 ? null : differenceError(differences) };
}

/** Replaces a sample of the profiles that a fresh mirror composed from datasets by those of the service. */
async function fetchSample(context: SyncContext, name: ProfileKind): Promise<void> {
  const { mirror, client, random = Math.random } = context;
  const kind = kindOf(name);
  const items = pickRandom(composedSlugs(mirror, name), significantSampleSize, random);
  const address = (slug: string) => client.address(profilePath(kind, slug));
  const stageItems = { stage: `${name} sample`, items, address, isWanted: () => true, name: (slug: string) => slug };
  await requestEach(context, stageItems, async (slug, itemContext) => {
    await fetchDetail(itemContext, { kind, slug });
    return 'answered';
  });
}

function differenceError(differingKinds: KindComparison[]): VerificationError {
  const parts = differingKinds.map(
    ({ kind, missing, extra, different, examples }) =>
      say`${kind}: ${`${missing + extra + different} (${examples.slice(0, 3).join(', ')}${examples.length > 3 ? ', …' : ''})`}`,
  );
  return new VerificationError(
    say`the mirror differs from the service: ${clauses(parts)}`,
    say`the service may have changed meanwhile; \`hemicycle sync --full\` requests everything again`,
  );
}
