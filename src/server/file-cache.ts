import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { stat, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { say } from '../words/speech.ts';
import { RefusedRequestError } from './problem.ts';

type CachedFile = { path: string; bytes: number };

const maxFiles = 8; // cached files at a time

/** Creates a cache of files by ETag in a temporary folder, so that all range requests for a file get the same bytes. */
export function createFileCache() {
  let folder: string | undefined;
  let fileCount = 0;
  const remove = (file: Promise<CachedFile>) => file.then(({ path }) => unlink(path)).catch(() => {});
  const files = new LRUCache<string, Promise<CachedFile>>({ max: maxFiles, dispose: remove });
  const saveFile = async (stream: Readable): Promise<CachedFile> => {
    folder ??= mkdtempSync(join(tmpdir(), 'hemicycle-served-'));
    fileCount += 1;
    const path = join(folder, String(fileCount));
    await pipeline(stream, createWriteStream(path));
    return { path, bytes: (await stat(path)).size };
  };
  return {
    /** Sends the cached file; without one, caches it first for a range or HEAD request, else streams from `make`. */
    send(request: FastifyRequest, reply: FastifyReply, { etag, make }: { etag: string; make: () => Readable }) {
      reply.header('accept-ranges', 'bytes');
      const cachedFile = files.get(etag);
      if (!cachedFile && request.method !== 'HEAD' && request.headers.range === undefined) return reply.send(make());
      const file = cachedFile ?? saveFile(make());
      files.set(etag, file);
      file.catch(() => files.delete(etag));
      return file.then((storedFile) => sendFile(request, reply, { ...storedFile, etag }));
    },
    close() {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Sends the requested `Range` (RFC 9110, section 14); the whole file unless it is a single valid one. */
function sendFile(
  { method, headers }: Pick<FastifyRequest, 'method' | 'headers'>,
  reply: FastifyReply,
  { path, bytes, etag }: CachedFile & { etag: string },
): FastifyReply {
  const { range = '', 'if-range': ifRange = etag } = headers;
  const { first = '', last = '' } = /^bytes=(?<first>\d*)-(?<last>\d*)$/.exec(range)?.groups ?? {};
  // `bytes=-500` requests the last 500 bytes.
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  const isReversed = first !== '' && last !== '' && Number(last) < start;
  if (method === 'HEAD' || first + last === '' || isReversed || ifRange !== etag)
    return reply.header('content-length', bytes).send(method === 'HEAD' ? Readable.from([]) : createReadStream(path));
  if (start >= bytes) {
    reply.header('content-range', `bytes */${bytes}`);
    throw new RefusedRequestError(416, say`The file has ${bytes} bytes.`);
  }
  return reply
    .code(206)
    .headers({ 'content-range': `bytes ${start}-${end}/${bytes}`, 'content-length': end - start + 1 })
    .send(createReadStream(path, { start, end }));
}
