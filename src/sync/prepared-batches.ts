import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { OmittedField } from '../model/bounds.ts';
import type { KindName } from '../model/kinds.ts';
import type { PreparedBatch } from '../store/saving/prepare.ts';

/** A file to read, and the kind of its records. */
export type ReadInput = { path: string; format: string; folder?: string | null; kind: KindName };

/** What the thread sends of a file: each batch, then what was left out of records; null for a file that it cannot read. */
export type ThreadReply = { path: string } & ({ batch: PreparedBatch } | { excess: OmittedField[] | null });

/** A file that the thread could not read, or a thread that ended: the file is to be read here, which tells why. */
export class UnpreparedError extends Error {}

/** Reads and prepares files on a worker thread, one after the other, while this one writes. */
export type Preparer = {
  /**
   * Yields the prepared batches of the first of these files, which are all that are still to be read; adds what was left
   * out of its records to `excess`. Throws an UnpreparedError.
   */
  batches(files: readonly ReadInput[], excess: OmittedField[]): AsyncGenerator<PreparedBatch>;
  end(): Promise<unknown>;
};

/** Creates a preparer, whose thread begins at once with these files. */
export function createPreparer(all: readonly ReadInput[], start: () => Worker = startThread): Preparer {
  const begin = (files: readonly ReadInput[]) => {
    const thread = start();
    thread.postMessage(files);
    return { thread, replies: on(thread, 'message', { close: ['exit'] }) };
  };
  let reading: ReturnType<typeof begin> | null = null;
  try {
    reading = begin(all);
  } catch {
    // Told where the first file is asked for.
  }
  return {
    async *batches(files, excess) {
      let isRead = false;
      try {
        reading ??= begin(files);
        const { thread, replies } = reading;
        for (let next = await replies.next(); !next.done; next = await replies.next()) {
          const [reply] = next.value as [ThreadReply];
          if ('batch' in reply) thread.postMessage(reply.batch.bytes.length);
          // A file before this one was left in the middle.
          if (reply.path !== files[0]!.path) continue;
          if ('batch' in reply) yield reply.batch;
          else {
            isRead = true;
            if (reply.excess === null) throw new UnpreparedError('');
            excess.push(...reply.excess);
            return;
          }
        }
        throw new Error('it ended');
      } catch (error) {
        throw error instanceof UnpreparedError ? error : new UnpreparedError((error as Error).message);
      } finally {
        // One that is left in the middle of a file would go on with it.
        if (!isRead) await reading?.thread.terminate();
        if (!isRead) reading = null;
      }
    },
    end: async () => reading?.thread.terminate(),
  };
}

function startThread(): Worker {
  // The build puts bundled workers beside its chunks.
  const path = import.meta.url.endsWith('.ts') ? './read-worker.ts' : './sync/read-worker.js';
  const limits = { resourceLimits: { maxYoungGenerationSizeMb: 16 } };
  // Who waits for its batches is told; nobody else needs to be.
  return new Worker(new URL(path, import.meta.url), limits).on('error', () => {});
}
