import { once } from 'node:events';
import { createGzip, createZstdCompress } from 'node:zlib';
import type { Sink } from './sink.ts';

/** Compressions by the ending of a file's name. */
export const compressions = { gz: createGzip, zst: createZstdCompress } as const;

export type Compression = keyof typeof compressions;

/** A sink whose bytes reach `target` compressed; `end()` ends the compression, and leaves the target to its owner. */
export function compressing(target: Sink, compression: Compression): Sink {
  const stream = compressions[compression]();
  const ready: Uint8Array[] = [];
  let failure: Error | null = null;
  stream.on('data', (chunk: Uint8Array) => void ready.push(chunk));
  stream.on('error', (error: Error) => {
    failure = error;
  });
  async function passOn(): Promise<void> {
    if (failure) throw failure;
    for (const chunk of ready.splice(0)) await target.write(chunk);
  }
  return {
    get closed() {
      return target.closed;
    },
    async write(chunk) {
      if (!stream.write(chunk)) await once(stream, 'drain');
      await passOn();
    },
    async end() {
      stream.end();
      await once(stream, 'end');
      await passOn();
    },
    async abort() {
      stream.destroy();
    },
  };
}
