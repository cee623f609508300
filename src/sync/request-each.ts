import { errorTable, QuarantineError } from '../errors.ts';
import { byCodeUnit } from '../language/fold.ts';
import type { Mirror } from '../store/mirror.ts';
import { deleteFailure, listFailures } from '../store/syncs/failures.ts';
import { transaction } from '../store/transaction.ts';
import { say } from '../words/speech.ts';
import type { SyncContext } from './context.ts';
import { limitAttempts, maxFailuresInARow, recordAnswer, recordOrThrow } from './failures.ts';

/** Items that a stage fetches, each at its own URL. */
export type StageItems<Item> = {
  stage: string;
  items: readonly Item[];
  /** Items that the stage may fetch later, whose saved failures stay. */
  otherItems?: readonly Item[];
  address: (item: Item) => string;
  /** True to fetch an item now even if its retry is not due; false by default. */
  isWanted?: (item: Item) => boolean;
};

/** Splits items: `first` have no saved failure, `retries` have one and are due, `notDue` are not to be fetched. */
function orderItems<Item>(mirror: Mirror, { items, address, isWanted }: StageItems<Item>, nowMs: number) {
  // Failures of any stage count: a URL that failed for one stage is not requested again by the next.
  const failuresByUrl = new Map(listFailures(mirror).map((each) => [each.url, each]));
  const retryTimes = new Map(items.map((item) => [item, failuresByUrl.get(address(item))?.next_at]));
  const {
    first = [],
    retries = [],
    notDue = [],
  } = Object.groupBy(items, (item) => {
    const retryTime = retryTimes.get(item);
    if (retryTime === undefined) return 'first';
    return isWanted?.(item) || Date.parse(retryTime) <= nowMs ? 'retries' : 'notDue';
  });
  retries.sort((one, other) => byCodeUnit(retryTimes.get(one)!, retryTimes.get(other)!));
  return { first, retries, notDue };
}

/** Returns the number of items to fetch in this run; all without a mirror. */
export function requestsFor<Item>(mirror: Mirror | null, stageItems: StageItems<Item>, nowMs: number): number {
  if (!mirror) return stageItems.items.length;
  const { first, retries } = orderItems(mirror, stageItems, nowMs);
  return first.length + retries.length;
}

/** After this many repeated failures in a row, the remaining items wait for another run. */
const maxRepeated = 10;

/** How a stage continues after an item: with the next one, elsewhere in the list, or not at all. */
export type NextStep = 'answered' | 'ask elsewhere' | 'enough';

/** Fetches items, earlier failures last, and records failures; false if `enough` or repeated failures ended it. */
export async function requestEach<Item>(
  context: SyncContext,
  stageItems: StageItems<Item> & { name: (item: Item) => string },
  request: (item: Item, context: SyncContext) => Promise<NextStep>,
): Promise<boolean> {
  const { mirror, tally, progress, signal, inFlight = 1 } = context;
  const { stage, address, name } = stageItems;
  const { first, retries, notDue } = orderItems(mirror, stageItems, context.now());
  deleteDropped(mirror, stageItems);
  progress.stage(stage, first.length + retries.length);
  let done = 0;
  let inARow = 0; // consecutive failures
  let isStuck = false; // true: go on elsewhere in the list
  const requestOne = async (item: Item, isRepeated: boolean): Promise<boolean> => {
    signal.throwIfAborted();
    const url = address(item);
    try {
      const nextStep = await request(item, { ...context, client: limitAttempts(context, isRepeated) });
      recordAnswer(context, isRepeated ? url : null);
      inARow = 0;
      isStuck = nextStep === 'ask elsewhere';
      if (nextStep === 'enough') return false;
    } catch (error) {
      const isQuarantined = error instanceof QuarantineError;
      const failure = recordOrThrow(context, { stage, url: isQuarantined ? error.url : url }, error);
      if (isQuarantined) return false;
      inARow += 1;
      // Neighbours may share a fault: go on elsewhere in the list.
      isStuck = inARow >= 2;
      if (tally.health.fatalError || inARow >= (isRepeated ? maxRepeated : maxFailuresInARow(failure))) return false;
    }
    done += 1;
    progress.advance(done, name(item));
    return true;
  };
  const orderedItems = spreadWhenStuck(first, () => isStuck);
  if (!(await runConcurrently(orderedItems, inFlight, (item) => requestOne(item, false)))) {
    if (inARow > 0) progress.note(say`${stage}: ${inARow} consecutive URLs failed; the next run continues`);
    return false;
  }
  inARow = 0;
  for (const item of retries) if (!(await requestOne(item, true))) return false;
  if (notDue.length > 0)
    progress.note(say`${stage}: ${notDue.length} failed requests are not due for a retry yet (see \`status\`)`);
  return true;
}

/** Runs `send` for the items with limited concurrency until one returns false; requests in flight are completed. */
async function runConcurrently<Item>(items: Generator<Item>, inFlight: number, send: (item: Item) => Promise<boolean>) {
  const runWorker = async () => {
    // Leaving the loop ends the generator for the others too.
    for (const item of items) if (!(await send(item))) return false;
    return true;
  };
  const workers = Array.from({ length: inFlight }, runWorker);
  await Promise.allSettled(workers);
  return (await Promise.all(workers)).every((isComplete) => isComplete);
}

/** Yields each item once, in order; while `isStuck`, from places spread over the remaining list. */
function* spreadWhenStuck<Item>(items: Item[], isStuck: () => boolean): Generator<Item> {
  const remainingItems = [...items];
  for (let jumps = 0; remainingItems.length > 0; ) {
    if (isStuck()) jumps += 1;
    const at = isStuck() ? Math.floor(remainingItems.length * ((jumps * goldenRatio) % 1)) : 0;
    yield remainingItems.splice(at, 1)[0]!;
  }
}

/** Multiples of this number, modulo 1, spread evenly between 0 and 1. */
const goldenRatio = (Math.sqrt(5) - 1) / 2;

/** Deletes saved failures of URLs that the stage no longer has, except quarantines. */
function deleteDropped<Item>(mirror: Mirror, { stage, items, otherItems = [], address }: StageItems<Item>): void {
  const stageFailures = listFailures(mirror, stage);
  if (stageFailures.length === 0) return;
  const currentUrls = new Set([...items, ...otherItems].map(address));
  transaction(mirror, () => {
    for (const { url, code } of stageFailures)
      if (!currentUrls.has(url) && code !== errorTable.quarantined.code) deleteFailure(mirror, url);
  });
}
