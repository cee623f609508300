import type { HemicycleError } from '../errors.ts';
import type { KindName } from '../model/kinds.ts';
import type { Client } from '../service/client.ts';
import type { Mirror } from '../store/open.ts';
import type { Outcomes } from '../store/save.ts';
import type { SyncScope } from './plan.ts';

/** What every stage of a sync is given. */
export type SyncContext = {
  mirror: Mirror;
  client: Client;
  scope: SyncScope;
  now: () => number;
  signal: AbortSignal;
  /** A folder of our own for files on their way in. */
  workFolder: string;
  /** Share of rows (0 to 1) that a dataset may lose before it is refused. */
  maxShrink: number;
  progress: SyncProgress;
  tally: SyncTally;
};

/** Told how a sync goes on; `total` is null where nobody knows it yet. */
export type SyncProgress = {
  stage(name: string, total: number | null): void;
  advance(done: number, detail: string): void;
  note(line: string): void;
};

export type KindTally = Outcomes & { withdrawn: number; details: number };

/** What a sync did so far. */
export type SyncTally = {
  kinds: Partial<Record<KindName, KindTally>>;
  gaps: number;
  errors: { stage: string; error: HemicycleError }[];
};

/** The tally of a kind, made on first use. */
export function tallyOf(context: SyncContext, kind: KindName): KindTally {
  context.tally.kinds[kind] ??= {
    added: 0,
    edited: 0,
    returned: 0,
    touched: 0,
    same: 0,
    withdrawn: 0,
    details: 0,
  };
  return context.tally.kinds[kind];
}

/** Adds what a saver did to the tally of a kind. */
export function addOutcomes(context: SyncContext, kind: KindName, outcomes: Outcomes): void {
  const tally = tallyOf(context, kind);
  for (const outcome of Object.keys(outcomes) as (keyof Outcomes)[]) tally[outcome] += outcomes[outcome];
}
