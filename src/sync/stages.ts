import { auditStage } from './audit.ts';
import { ballotStage } from './ballots.ts';
import type { PlannedStage, Planning, Stage } from './context.ts';
import { datasetStage } from './datasets.ts';
import { detailStage } from './details.ts';
import { feedStage } from './feed.ts';
import { updatedStage } from './updated.ts';

/** The stages of a sync, in the order in which later ones need earlier ones. */
export const stages: readonly Stage[] = [
  datasetStage,
  detailStage('party'),
  updatedStage,
  detailStage('politician'),
  feedStage,
  auditStage,
  ballotStage,
];

export type Plan = { stages: PlannedStage[]; requests: number; atLeast: boolean; minutes: number };

/** What a sync would ask, from what the mirror holds now (null: there is none yet); asks nothing. */
export function planSync(
  mirror: Planning['mirror'],
  origin: string,
  { scope, rate, now = Date.now }: Pick<Planning, 'scope'> & { rate: number; now?: () => number },
): Plan {
  const planned = stages.flatMap(({ name, plan }) => {
    const asked = plan({ mirror, origin, scope, now });
    return asked ? [{ stage: name, ...asked }] : [];
  });
  const requests = planned.reduce((sum, stage) => sum + stage.requests, 0);
  return {
    stages: planned,
    requests,
    atLeast: planned.some(({ atLeast }) => atLeast),
    minutes: minutesOf(requests, rate),
  };
}

/** How long that many requests take at least, in minutes: the first minute's worth starts at once. */
function minutesOf(requests: number, rate: number): number {
  return Math.floor(Math.max(0, requests - 1) / rate);
}
