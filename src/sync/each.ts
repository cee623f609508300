import { ServiceAnswerError } from '../errors.ts';
import type { SyncContext } from './context.ts';

/** So many answers in a row that cannot be understood, and the service is out of order. */
const mostInARow = 5;

/**
 * Asks for each item of a stage in turn. An answer that cannot be understood is noted, and does not keep the others
 * from being asked for; several in a row end the stage.
 */
export async function eachOf<Item>(
  context: SyncContext,
  { stage, items, name }: { stage: string; items: Item[]; name: (item: Item) => string },
  ask: (item: Item) => Promise<void>,
): Promise<void> {
  let failedInARow = 0;
  for (const [index, item] of items.entries()) {
    context.signal.throwIfAborted();
    try {
      await ask(item);
      failedInARow = 0;
    } catch (error) {
      if (!(error instanceof ServiceAnswerError)) throw error;
      failedInARow += 1;
      if (failedInARow >= mostInARow) throw error;
      context.tally.errors.push({ stage, error });
      context.progress.note(error.message);
    }
    context.progress.advance(index + 1, name(item));
  }
}
