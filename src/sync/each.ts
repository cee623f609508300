import type { Mirror } from '../store/mirror.ts';
import { type Failure, failures, forgetFailure } from '../store/syncs/failures.ts';
import { atOnce } from '../store/transaction.ts';
import { say } from '../words/speech.ts';
import type { SyncContext } from './context.ts';
import { limitAttempts, maxInARow, noteAnswered, noteOrThrow } from './failures.ts';

/** The items that a stage has to ask for, each at an address of its own. */
export type StageItems<Item> = {
  stage: string;
  items: readonly Item[];
  /** What it may have to ask for later too, where the items are a part of that. */
  others?: readonly Item[];
  address: (item: Item) => string;
  /** True for what is asked for now even if it failed a moment ago: somebody wants it. */
  isWanted: (item: Item) => boolean;
};

/** In which order they are asked: what never failed, then what did; `later` is left to another run. */
type AskOrder<Item> = { first: Item[]; last: Item[]; later: Item[] };

/** Puts what failed behind the rest, and leaves out what is not to be asked yet. */
function inOrder<Item>(
  mirror: Mirror,
  { stage, items, address, isWanted }: StageItems<Item>,
  nowMs: number,
): AskOrder<Item> {
  const failed = new Map(failures(mirror, stage).map((each) => [each.url, each]));
  if (failed.size === 0) return { first: [...items], last: [], later: [] };
  const order: AskOrder<Item> = { first: [], last: [], later: [] };
  const again: { item: Item; failure: Failure }[] = [];
  for (const item of items) {
    const failure = failed.get(address(item));
    if (!failure) order.first.push(item);
    else if (isWanted(item) || Date.parse(failure.next_at) <= nowMs) again.push({ item, failure });
    else order.later.push(item);
  }
  again.sort((one, other) => (one.failure.next_at < other.failure.next_at ? -1 : 1));
  return { ...order, last: again.map(({ item }) => item) };
}

/** How many of the items are asked for now. */
export function requestsFor<Item>(mirror: Mirror | null, given: StageItems<Item>, nowMs: number): number {
  if (!mirror) return given.items.length;
  const { first, last } = inOrder(mirror, given, nowMs);
  return first.length + last.length;
}

/** So many known failures in a row, and the rest of them waits for another run. */
const mostKnownInARow = 10;

/** What asking came to: the next is asked, or one from elsewhere among those that are left, or none. */
export type NextStep = 'answered' | 'ask elsewhere' | 'enough';

/**
 * Asks for each item of a stage in turn. A failure belongs to its address: it is noted, and the others are asked for;
 * after two in a row somewhere else in the list, since neighbours may share what is wrong with them. Several in a row
 * nevertheless end the stage. What failed in earlier runs comes last, and is asked once. `ask` is given the context to
 * ask in. False where not all were asked.
 */
export async function askEach<Item>(
  context: SyncContext,
  given: StageItems<Item> & { name: (item: Item) => string },
  ask: (item: Item, context: SyncContext) => Promise<NextStep>,
): Promise<boolean> {
  const { mirror, tally, progress, signal, inFlight = 1 } = context;
  const { stage, address, name } = given;
  const { first, last, later } = inOrder(mirror, given, context.now());
  forgetDroppedItems(mirror, given);
  progress.stage(stage, first.length + last.length);
  let done = 0;
  let inARow = 0;
  let isStuck = false;
  const askOne = async (item: Item, isKnown: boolean): Promise<boolean> => {
    signal.throwIfAborted();
    const url = address(item);
    const client = limitAttempts(context, isKnown);
    try {
      const asked = await ask(item, { ...context, client });
      noteAnswered(context, isKnown ? url : null);
      inARow = 0;
      isStuck = asked === 'ask elsewhere';
      if (asked === 'enough') return false;
    } catch (error) {
      const failure = noteOrThrow(context, { stage, url }, error);
      inARow += 1;
      isStuck = inARow >= 2;
      if (tally.health.ending || inARow >= (isKnown ? mostKnownInARow : maxInARow(failure))) return false;
    }
    done += 1;
    progress.advance(done, name(item));
    return true;
  };
  const askNew = (item: Item) => askOne(item, false);
  if (
    !(await runConcurrently(
      spreadWhenStuck(first, () => isStuck),
      inFlight,
      askNew,
    ))
  ) {
    if (inARow > 0)
      progress.note(say`${stage}: ${inARow} addresses in a row failed; the rest is left to the next run`);
    return false;
  }
  inARow = 0;
  for (const item of last) if (!(await askOne(item, true))) return false;
  if (later.length > 0)
    progress.note(
      `${stage}: ${later.length} that failed before are not to be asked again yet (\`status\` says when)`,
    );
  return true;
}

/**
 * Asks for the items in turn, with so many answers on their way at once, until one of them says that it is enough: false
 * then. What is on its way still comes, also where something fails; the first failure is thrown after that.
 */
async function runConcurrently<Item>(
  items: Generator<Item>,
  inFlight: number,
  ask: (item: Item) => Promise<boolean>,
): Promise<boolean> {
  let isEnough = false;
  const failed: unknown[] = [];
  const one = async () => {
    try {
      while (!isEnough) {
        const next = items.next();
        if (next.done) return;
        if (!(await ask(next.value))) isEnough = true;
      }
    } catch (error) {
      isEnough = true;
      failed.push(error);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, one));
  if (failed.length > 0) throw failed[0];
  return !isEnough;
}

/** The items in turn; while nothing comes of them, one from elsewhere among those that are left. */
function* spreadWhenStuck<Item>(items: Item[], isStuck: () => boolean): Generator<Item> {
  const taken = new Set<number>();
  let leaps = 0;
  for (const [at, item] of items.entries()) {
    while (isStuck()) {
      leaps += 1;
      let far = at + 1 + Math.floor((items.length - at - 1) * ((leaps * goldenRatio) % 1));
      while (taken.has(far)) far += 1;
      if (far >= items.length) break;
      taken.add(far);
      yield items[far]!;
    }
    if (!taken.has(at)) yield item;
  }
}

/** Multiples of it spread evenly over a list, however many there are. */
const goldenRatio = (Math.sqrt(5) - 1) / 2;

/** What a stage has not to ask for any more fails no more. */
function forgetDroppedItems<Item>(
  mirror: Mirror,
  { stage, items, others = [], address }: StageItems<Item>,
): void {
  const failed = failures(mirror, stage);
  if (failed.length === 0) return;
  const asked = new Set([...items, ...others].map(address));
  atOnce(mirror, () => {
    for (const { url } of failed) if (!asked.has(url)) forgetFailure(mirror, url);
  });
}
