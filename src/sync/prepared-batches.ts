import { setImmediate } from 'node:timers/promises';
import type { InputBatches, InputRecord } from '../format/format.ts';
import type { Kind, KindName } from '../model/kinds.ts';
import { type Prepared, type PreparedBatch, preparedAt } from '../store/saving/prepare.ts';
import { say, type UserText } from '../words/speech.ts';
import { startThread, type Thread } from './thread.ts';

/** An input record, with its text analysis if that was done ahead. */
export type PreparedInput = InputRecord & { prepared?: Prepared };

/** Analyses records on a worker thread while this thread writes. */
export type Preparer = {
  /** Yields the batches in order, prepared where possible. */
  ahead(batches: InputBatches, kind: Kind): AsyncGenerator<PreparedInput[]>;
  /**
   * Prepares records of a kind from their JSON; null if the saver has to do it. `expected` is the total number of records.
   */
  prepare(kind: Kind, texts: string[], expected?: number): Promise<PreparedBatch | null>;
  end(): Promise<void>;
};

type PrepareRequest = { kind: KindName; texts: string[] };

/** Starting a thread costs as much as some thousand records. */
const startsAfter = 8000;
/** Limits of batches held in memory. */
const [maxBatches, maxCharacters] = [5, 8 << 20];
/** Queue limit of the thread; further batches are prepared by the saver. */
const maxBatchesQueued = 4;

/**
 * Creates a preparer. Its thread starts once `after` records have come or are expected, with at most `asked` batches
 * queued. If the thread fails, records stay unprepared, with a note.
 */
export function createPreparer({
  after = startsAfter,
  asked: maxQueued = maxBatchesQueued,
  start = () =>
    startThread<PrepareRequest, PreparedBatch>('store/saving/prepare-worker', {
      limits: { maxYoungGenerationSizeMb: 16 },
    }),
  note,
}: {
  after?: number;
  asked?: number;
  start?: () => Thread<PrepareRequest, PreparedBatch>;
  note?: ((text: UserText) => void) | undefined;
} = {}): Preparer {
  let thread: Thread<PrepareRequest, PreparedBatch> | null = null;
  let seen = 0;
  let isOver = false;

  function goneWithout(error: unknown): null {
    if (!isOver)
      note?.(say`the analysis thread failed (${(error as Error).message}); records are analysed without it`);
    isOver = true;
    return null;
  }

  async function prepare(kind: Kind, texts: string[], expected = 0): Promise<PreparedBatch | null> {
    seen += texts.length;
    if (isOver || Math.max(seen, expected) <= after || texts.length === 0) return null;
    try {
      thread ??= start();
      if (thread.waiting() >= maxQueued) return null;
      return await thread.ask({ kind: kind.name, texts });
    } catch (error) {
      return goneWithout(error);
    }
  }

  return {
    prepare,
    async *ahead(batches, kind) {
      const waiting: { batch: InputRecord[]; size: number; answer: Promise<PreparedBatch | null> }[] = [];
      let characters = 0;
      const next = async (): Promise<PreparedInput[]> => {
        const { batch, size, answer } = waiting.shift()!;
        characters -= size;
        const prepared = await answer;
        return prepared === null
          ? batch
          : batch.map((record, at) => Object.assign(record, { prepared: preparedAt(prepared, at) }));
      };
      for await (const batch of batches) {
        // Lets the event loop deliver the thread's messages.
        await setImmediate();
        const size = batch.reduce((sum, { text }) => sum + text.length, 0);
        const texts = batch.map(({ text }) => text);
        waiting.push({ batch, size, answer: prepare(kind, texts) });
        characters += size;
        while (waiting.length > maxBatches || (characters > maxCharacters && waiting.length > 0))
          yield await next();
      }
      while (waiting.length > 0) yield await next();
    },
    async end() {
      isOver = true;
      await thread?.end();
    },
  };
}
