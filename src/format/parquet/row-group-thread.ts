import { startThread } from '../thread.ts';
import type { TypedColumn } from './column-type.ts';
import type { EncodedGroup } from './row-group.ts';

/** A thread that encodes row groups beside this one, in the order in which it gets them. */
export type GroupThread = {
  /** True if it would soon be idle without another group. */
  hasRoom(): boolean;
  /** Encodes rows as one row group; the bytes are gone from here at once. */
  encode(batches: Uint8Array<ArrayBuffer>[]): Promise<EncodedGroup | null>;
  end(): Promise<void>;
};

/** Large groups wait here and not there: each is in memory as a whole. */
const mostBytes = 8 << 20;

/** Starts a thread for the row groups of these columns. */
export function startGroupThread(columns: TypedColumn[]): GroupThread {
  const thread = startThread<Uint8Array<ArrayBuffer>[], EncodedGroup | null>(
    'format/parquet/row-group-worker',
    { data: columns, limits: { maxYoungGenerationSizeMb: 12 } },
  );
  let lastBytes = 0;
  return {
    hasRoom: () => thread.waiting() === 0 || (thread.waiting() === 1 && lastBytes < mostBytes),
    encode(batches) {
      lastBytes = batches.reduce((sum, batch) => sum + batch.byteLength, 0);
      return thread.ask(
        batches,
        batches.map(({ buffer }) => buffer),
      );
    },
    end: () => thread.end(),
  };
}
