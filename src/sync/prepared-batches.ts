import { setImmediate } from 'node:timers/promises';
import type { InputBatches, InputRecord } from '../format/format.ts';
import { startThread, type Thread } from '../format/thread.ts';
import type { Kind, KindName } from '../model/kinds.ts';
import { type Prepared, type PreparedBatch, preparedAt } from '../store/saving/prepare.ts';
import { say, type UserText } from '../words/speech.ts';

/** A record of a file, with what saving it needs where that was worked out ahead. */
export type PreparedInput = InputRecord & { prepared?: Prepared };

/** Works out ahead, on a thread of its own, what saving records needs, while this one writes. */
export type Preparer = {
  /** The batches as they come, in order. */
  ahead(batches: InputBatches, kind: Kind): AsyncGenerator<PreparedInput[]>;
  /**
   * What saving some records of a kind needs, given their JSON; null where whoever saves them has to work it out. So many are
   * `expected` to come in all.
   */
  prepare(kind: Kind, texts: string[], expected?: number): Promise<PreparedBatch | null>;
  end(): Promise<void>;
};

type PrepareRequest = { kind: KindName; texts: string[] };

/** A thread that starts costs as much as some thousand records. */
const startsAfter = 8000;
/** What waits to be saved is held in memory: so many batches, and characters. */
const [mostBatches, mostCharacters] = [5, 8 << 20];
/** What a thread that falls behind would not have ready in time is left to whoever saves it. */
const mostBatchesAsked = 4;

/**
 * A preparer whose thread starts once so many records have come or are expected, and is `asked` so much at once at most.
 * Where the thread cannot be had, or breaks, records come unprepared, which whoever saves them does for himself; `note` is
 * told.
 */
export function createPreparer({
  after = startsAfter,
  asked: mostAsked = mostBatchesAsked,
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
    if (!isOver) note?.(say`words are analysed without a thread of their own (${(error as Error).message})`);
    isOver = true;
    return null;
  }

  async function prepare(kind: Kind, texts: string[], expected = 0): Promise<PreparedBatch | null> {
    seen += texts.length;
    if (isOver || Math.max(seen, expected) <= after || texts.length === 0) return null;
    try {
      thread ??= start();
      if (thread.waiting() >= mostAsked) return null;
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
        // What the thread has answered is known here only once its messages had their turn.
        await setImmediate();
        const size = batch.reduce((sum, { text }) => sum + text.length, 0);
        const texts = batch.map(({ text }) => text);
        waiting.push({ batch, size, answer: prepare(kind, texts) });
        characters += size;
        while (waiting.length > mostBatches || (characters > mostCharacters && waiting.length > 0))
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
