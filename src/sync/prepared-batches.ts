import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { InputFile } from '../format/formats.ts';
import type { OmittedField } from '../model/bounds.ts';
import type { KindName } from '../model/kinds.ts';
import type { PreparedBatch } from '../store/saving/prepare.ts';

/** A file to read, the kind of its records, and how many batches may be ahead of the writer. */
export type ReadInput = InputFile & { kind: KindName; ahead: number };

/** What the thread sends: each batch, then what was left out of records; or that it cannot read the file. */
export type ThreadReply = { batch: PreparedBatch } | { excess: OmittedField[] } | { isRefused: true };

/** Batches that the thread prepares ahead of the writer. */
const mostAhead = 4;

/** A file that the thread could not read, or a thread that ended: the file is to be read here, which tells why. */
export class UnpreparedError extends Error {}

/** Reads and prepares files on a worker thread while this one writes. */
export type Preparer = {
  /** Yields the prepared batches of a file; adds what was left out of its records to `excess`. Throws an UnpreparedError. */
  batches(input: Omit<ReadInput, 'ahead'>, excess: OmittedField[]): AsyncGenerator<PreparedBatch>;
  end(): Promise<unknown>;
};

/** Creates a preparer, whose thread starts with the first file. */
export function createPreparer(start: () => Worker = startThread): Preparer {
  let thread: Worker | null = null;
  return {
    async *batches(input, excess) {
      let isRead = false;
      try {
        thread ??= start();
        const replies = on(thread, 'message', { close: ['exit'] });
        thread.postMessage({ ...input, ahead: mostAhead } satisfies ReadInput);
        for await (const [reply] of replies as AsyncIterable<[ThreadReply]>) {
          if ('isRefused' in reply) throw new UnpreparedError('');
          if ('excess' in reply) {
            excess.push(...reply.excess);
            isRead = true;
            return;
          }
          thread.postMessage('more');
          yield reply.batch;
        }
        throw new Error('it ended');
      } catch (error) {
        throw error instanceof UnpreparedError ? error : new UnpreparedError((error as Error).message);
      } finally {
        // One that is left in the middle of a file would go on with it.
        if (!isRead) await thread?.terminate();
        if (!isRead) thread = null;
      }
    },
    end: async () => thread?.terminate(),
  };
}

function startThread(): Worker {
  // The build puts bundled workers beside its chunks.
  const path = import.meta.url.endsWith('.ts') ? './read-worker.ts' : './sync/read-worker.js';
  const limits = { resourceLimits: { maxYoungGenerationSizeMb: 16 } };
  // Who waits for its batches is told; nobody else needs to be.
  return new Worker(new URL(path, import.meta.url), limits).on('error', () => {});
}
