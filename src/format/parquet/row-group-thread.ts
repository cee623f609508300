import { Worker } from 'node:worker_threads';
import type { EncodedGroup, TypedColumn } from './row-group.ts';

/** A thread that encodes row groups beside this one, in the order in which it gets them. */
export type GroupThread = {
  /** True if it would soon be idle without another group. */
  hasRoom(): boolean;
  /** Encodes rows as one row group; the bytes are gone from here at once. */
  encode(batches: Uint8Array<ArrayBuffer>[]): Promise<EncodedGroup | null>;
  end(): Promise<void>;
};

type Asked = { bytes: number; resolve(group: EncodedGroup | null): void; reject(error: unknown): void };

/** The worker's file: beside this one, or where the build puts it for all that it cuts into chunks. */
const workerFile = import.meta.url.endsWith('.ts')
  ? './row-group-worker.ts'
  : './format/parquet/row-group-worker.js';

/** Large groups wait here and not there: each is in memory as a whole. */
const mostBytes = 8 << 20;

/** Starts a thread for the row groups of these columns. */
export function startGroupThread(columns: TypedColumn[]): GroupThread {
  const worker = new Worker(new URL(workerFile, import.meta.url), {
    workerData: columns,
    resourceLimits: { maxYoungGenerationSizeMb: 12 },
  });
  const asked: Asked[] = [];
  worker.on('message', (group: EncodedGroup | null) => asked.shift()?.resolve(group));
  worker.on('error', (error) => {
    for (const { reject } of asked.splice(0)) reject(error);
  });
  return {
    hasRoom: () => asked.length === 0 || (asked.length === 1 && asked[0]!.bytes < mostBytes),
    encode(batches) {
      const bytes = batches.reduce((sum, batch) => sum + batch.byteLength, 0);
      const answer = new Promise<EncodedGroup | null>((resolve, reject) => {
        asked.push({ bytes, resolve, reject });
      });
      // Whoever gives up before its turn comes asks no more.
      answer.catch(() => {});
      worker.postMessage(
        batches,
        batches.map(({ buffer }) => buffer),
      );
      return answer;
    },
    async end() {
      await worker.terminate();
    },
  };
}
