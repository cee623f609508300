import { type Kind, type KindName, kinds } from '../../model/kinds.ts';
import { type Completeness, kindState } from '../kind-state.ts';
import { type Mirror, readMeta } from '../mirror.ts';
import { countRows } from '../rows.ts';
import { readReplication } from './following.ts';
import { readProgress } from './progress.ts';

/** Completeness of a kind in the mirror, or as a followed mirror stated it; null without records. */
export function completenessOf(mirror: Mirror, kind: Kind): Completeness | null {
  const service = readMeta(mirror, 'base_url');
  const replication = service === null ? null : readReplication(mirror, service);
  if (replication) return replication.completeness[kind.name] ?? null;
  const { origin, enumeratedAt } = kindState(mirror, kind);
  if (enumeratedAt !== null) return 'whole';
  if (countRows(mirror, kind) === 0) return null;
  if (origin !== null && !/^https?:/.test(origin)) return 'imported';
  const feedProgress = kind.feed && service ? readProgress<{ wholeAt: string | null }>(mirror, service, 'feed') : null;
  return feedProgress?.wholeAt ? 'whole' : 'partial';
}

/** Why a kind is `partial`; a kind without a reason here was not listed completely yet. */
const partialReasons: Partial<Record<KindName, string>> = {
  ballot:
    'the service has no list of ballots: the mirror contains those named by records and those requested with --ballots',
  speech: 'the service has no list of speeches',
  audit: 'the service lists its latest 200 entries: the mirror contains older ones only if a sync received them',
  content: 'the feed has not been read completely in one run yet',
};

/** The kinds whose completeness is `partial`, with the reason. */
export function partialKinds(mirror: Mirror): { kind: KindName; reason: string }[] {
  return kinds
    .filter((kind) => completenessOf(mirror, kind) === 'partial')
    .map(({ name }) => ({ kind: name, reason: partialReasons[name] ?? 'not completely listed yet' }));
}
