import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { OmittedField } from '../model/bounds.ts';
import type { KindName } from '../model/kinds.ts';
import type { PreparedBatch } from '../store/saving/prepare.ts';

/** A file to read, and the kind of its records. */
export type ReadInput = { path: string; format: string; folder?: string | null; kind: KindName };

/** Message of the thread about a file: a batch, then the omitted fields, or null if it cannot read the file. */
export type ThreadReply = { path: string } & ({ batch: PreparedBatch } | { excess: OmittedField[] | null });

/** The thread ended or could not read a file: the caller reads the file itself, which raises the actual error. */
export class UnpreparedError extends Error {}

/** Reads and prepares files on a worker thread, one after the other, while this thread writes. */
export type Preparer = {
  /** Yields the batches of the first of the remaining files and adds its omitted fields; throws an UnpreparedError. */
  batches(files: readonly ReadInput[], excess: OmittedField[]): AsyncGenerator<PreparedBatch>;
  end(): Promise<unknown>;
};

/** Returns a preparer; its thread starts at once with these files. */
export function createPreparer(allFiles: readonly ReadInput[], start: () => Worker = startThread): Preparer {
  const startReading = (files: readonly ReadInput[]) => {
    const thread = start();
    thread.postMessage(files);
    return { thread, replies: on(thread, 'message', { close: ['exit'] }) };
  };
  let activeThread: ReturnType<typeof startReading> | null = null;
  try {
    activeThread = startReading(allFiles);
  } catch {
    // `batches` starts the thread again and throws the error.
  }
  return {
    async *batches(files, excess) {
      let isRead = false;
      try {
        activeThread ??= startReading(files);
        const { thread, replies } = activeThread;
        for (let next = await replies.next(); !next.done; next = await replies.next()) {
          const [reply] = next.value as [ThreadReply];
          if ('batch' in reply) thread.postMessage(reply.batch.size);
          // A file before this one was abandoned halfway.
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
        // An abandoned thread would go on with its file.
        if (!isRead) await activeThread?.thread.terminate();
        if (!isRead) activeThread = null;
      }
    },
    end: async () => activeThread?.thread.terminate(),
  };
}

function startThread(): Worker {
  // The build puts bundled workers beside its chunks.
  const path = import.meta.url.endsWith('.ts') ? './read-worker.ts' : './sync/read-worker.js';
  const limits = { resourceLimits: { maxYoungGenerationSizeMb: 6 } };
  // `batches` reports the error of a thread; without this listener the process would end.
  return new Worker(new URL(path, import.meta.url), limits).on('error', () => {});
}
