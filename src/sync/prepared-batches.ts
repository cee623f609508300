import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { InputBatches, InputRecord } from '../format/format.ts';
import type { Kind, KindName } from '../model/kinds.ts';
import { type Prepared, type PreparedBatch, preparedAt } from '../store/saving/prepare.ts';
import { say, type UserText } from '../words/speech.ts';

/** An input record, with its text analysis if that was done ahead. */
export type PreparedInput = InputRecord & { prepared?: Prepared };

/** Analyses records on a worker thread while this thread writes. */
export type Preparer = {
  /** Yields the batches in order, prepared where possible. */
  ahead(batches: InputBatches, kind: Kind): AsyncGenerator<PreparedInput[]>;
  end(): Promise<void>;
};

/** A worker thread that answers requests in order; `ask` rejects once the thread has failed. */
type PrepareThread = {
  ask(request: { kind: KindName; texts: string[] }): Promise<PreparedBatch>;
  /** Number of unanswered requests. */
  waiting(): number;
  end(): Promise<unknown>;
};

/** Starting a thread costs as much as some thousand records. */
const startsAfter = 8000;
/** Limits of batches held in memory. */
const [maxBatches, maxCharacters] = [5, 8 << 20];
/** Queue limit of the thread; further batches are prepared by the saver. */
const maxBatchesQueued = 4;

/**
 * Creates a preparer. Its thread starts once `after` records have come. If the thread fails, records stay unprepared, with a
 * note.
 */
export function createPreparer({
  after = startsAfter,
  start = startThread,
  note,
}: {
  after?: number;
  start?: () => PrepareThread;
  note?: ((text: UserText) => void) | undefined;
} = {}): Preparer {
  let thread: PrepareThread | null = null;
  let seen = 0;
  let isOver = false;

  /** The analysis of a batch; null if the saver has to do it. */
  async function prepare(kind: Kind, texts: string[]): Promise<PreparedBatch | null> {
    seen += texts.length;
    if (isOver || seen <= after || texts.length === 0) return null;
    try {
      thread ??= start();
      return thread.waiting() >= maxBatchesQueued ? null : await thread.ask({ kind: kind.name, texts });
    } catch (error) {
      if (!isOver)
        note?.(
          say`the analysis thread failed (${(error as Error).message}); records are analysed without it`,
        );
      isOver = true;
      return null;
    }
  }

  return {
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
        const texts = batch.map(({ text }) => text);
        const size = texts.reduce((sum, text) => sum + text.length, 0);
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

function startThread(): PrepareThread {
  // The build puts bundled workers beside its chunks.
  const file = 'store/saving/prepare-worker';
  const path = import.meta.url.endsWith('.ts') ? `../${file}.ts` : `./${file}.js`;
  const worker = new Worker(new URL(path, import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: 16 },
  });
  const asked: PromiseWithResolvers<PreparedBatch>[] = [];
  let failure: unknown = null;
  const fail = (error: unknown) => {
    failure ??= error;
    for (const { reject } of asked.splice(0)) reject(failure);
  };
  worker.on('message', (answer: PreparedBatch) => asked.shift()?.resolve(answer));
  worker.on('error', fail);
  worker.on('messageerror', fail);
  worker.on('exit', (exit) => fail(new Error(`the thread of ${file} ended (${exit})`)));
  return {
    waiting: () => asked.length,
    end: () => worker.terminate(),
    async ask(request) {
      if (failure !== null) throw failure;
      const answer = Promise.withResolvers<PreparedBatch>();
      // An abandoned answer may be rejected after an import has failed.
      answer.promise.catch(() => {});
      asked.push(answer);
      worker.postMessage(request);
      return answer.promise;
    },
  };
}
