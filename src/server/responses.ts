import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { PassThrough, pipeline, Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pacedSink, type Sink, streamSink } from '../format/sink.ts';
import type { Mirror } from '../store/mirror.ts';
import { type Edition, readEdition } from '../store/records/contents.ts';
import type { Bounds } from './bounds.ts';
import { chooseEncoding, codecs, type Encoding } from './encodings.ts';
import { createFileCache } from './file-cache.ts';
import { isNotModified, matchesTag, type Validators, validatorsOf } from './headers.ts';
import type { ReadResult } from './reader.ts';
import type { SlotWaiter } from './request-slots.ts';
import { type Body, bodyOf, ResponseCache } from './response-cache.ts';
import { acquire, Semaphore } from './semaphore.ts';
import type { ServedMirror } from './served-mirror.ts';

type SendResult = FastifyReply | Promise<FastifyReply>;

/** Senders of responses with validators (ETag, Last-Modified); each answers 304 if the client has the response. */
export type Responses = ReturnType<typeof createResponses>;

/** A streamed response: `open` opens a snapshot and sets the headers; `write` sends it in chunks of about 64 kB. */
type SnapshotStream = {
  open: (path: string) => Mirror;
  write: (snapshot: Mirror, sink: Sink) => Promise<unknown>;
  /** True if clients may request byte ranges and the length; the file is then cached on disk. */
  allowsRanges?: boolean;
};

/** A response whose ETag is a hash of its text, so that it does not depend on the mirror. */
export type FixedResponse = { text: string; contentType: string; etag: string };

const jsonType = 'application/json; charset=utf-8';

/** Returns the senders of a server's responses; their ETags depend on the mirror, its citation and these settings. */
export function createResponses(
  mirror: ServedMirror,
  { semantic, places }: { semantic: boolean; places?: string | null },
  { bounds, waitForSlot, clock }: { bounds: Bounds; waitForSlot: SlotWaiter; clock: () => number },
) {
  const cache = new ResponseCache(bounds.cacheBytes);
  const exportSemaphore = new Semaphore({ maxTotal: bounds.exports, maxPerCaller: bounds.exportsPerCaller });
  const files = createFileCache();
  const settingsState = () => [semantic, places && statSync(places, { throwIfNoEntry: false })?.mtimeMs];
  const validatorsFor = createValidatorSource(mirror, settingsState, clock);
  return {
    close: files.close,
    /** Sends a text of the mirror; calls `make` unless the text is cached or the client has it (304). */
    sendText(
      request: FastifyRequest,
      reply: FastifyReply,
      make: () => ReadResult | Promise<ReadResult>,
      contentType = jsonType,
    ): SendResult {
      const edition = mirror.edition();
      const validators = validatorsFor(request, edition);
      const key = validators.etag;
      const encodedValidators = validatorsForEncoding(validators, encodingOf(request));
      if (matchesTag(request.headers, encodedValidators.etag)) return sendNotModified(reply, encodedValidators);
      reply.header('content-type', contentType);
      cache.setEdition(edition);
      const sendCached = (body: Body) => sendBody(request, reply, { body, validators, cache });
      const sendResult = (readResult: ReadResult) => {
        const { trouble = null } = readResult;
        const text = readResult.isBase64 ? Buffer.from(readResult.text, 'base64') : readResult.text;
        if (trouble === null && isDeepStrictEqual(readResult.edition, edition))
          return sendCached(cache.get(key) ?? cache.put(key, text));
        // The mirror changed meanwhile, or this is a fallback: caching it would break the ETag.
        const ownValidators = validatorsFor(request, readResult.edition, trouble ?? '');
        return sendBody(request, reply, { body: bodyOf(text), validators: ownValidators, cache });
      };
      const body = cache.get(key);
      if (body) {
        request.isCached = true;
        return sendCached(body);
      }
      const result = make();
      return result instanceof Promise ? result.then(sendResult) : sendResult(result);
    },
    /** Streams a response from a snapshot; throws a RefusedForNowError (429, 503) if too many are being sent. */
    sendStream(request: FastifyRequest, reply: FastifyReply, source: SnapshotStream): SendResult {
      return withSnapshot(mirror, { ...source, yieldControl: () => waitForSlot('streams') }, (snapshot, start) => {
        const encoding = /^text\/|ndjson/.test(String(reply.getHeader('content-type'))) ? encodingOf(request) : null;
        const validators = validatorsForEncoding(validatorsFor(request, readEdition(snapshot)), encoding);
        if (isNotModified(request.headers, validators)) return sendNotModified(reply, validators);
        setValidators(reply, validators);
        if (encoding !== null) reply.header('content-encoding', encoding);
        const make = () => {
          const stream = start(acquire(exportSemaphore, request.caller!.key, 'exports'));
          // `pipeline` destroys the last stream on any error, and fastify listens to that.
          return encoding === null ? stream : pipeline(stream, codecs[encoding].stream(), () => {});
        };
        if (source.allowsRanges) return files.send(request, reply, { etag: validators.etag, make });
        return reply.send(request.method === 'HEAD' ? Readable.from([]) : make());
      });
    },
    /** Sends a response that does not depend on the mirror. */
    sendFixed(request: FastifyRequest, reply: FastifyReply, { text, contentType, etag }: FixedResponse) {
      const body = cache.get(etag) ?? cache.put(etag, text, { isStatic: true });
      const lastModified = mirror.isReadable() ? validatorsFor(request, mirror.edition()).lastModified : null;
      const validators = { etag, lastModified, modifiedMs: Infinity }; // `If-Modified-Since` never matches
      return sendBody(request, reply.header('content-type', contentType), { body, validators, cache });
    },
  };
}

type Content = { body: Body; validators: Validators; cache: ResponseCache };

/** Sends a body in the best accepted encoding, or 304 if the client has it already. */
function sendBody(request: FastifyRequest, reply: FastifyReply, { body, validators, cache }: Content): FastifyReply {
  const encoding = encodingOf(request);
  const encodedValidators = validatorsForEncoding(validators, encoding);
  if (isNotModified(request.headers, encodedValidators)) return sendNotModified(reply, encodedValidators);
  const encodedBody = cache.encode(validators.etag, body, encoding);
  if (encodedBody) reply.header('content-encoding', encoding);
  setValidators(reply, encodedValidators);
  return reply.send(encodedBody ?? body.plain);
}

/** Returns a prepared response with an ETag from its content; JSON by default. */
export function fixedResponse(text: string, contentType = jsonType): FixedResponse {
  return { text, contentType, etag: `"${hash('sha1', `${contentType}\n${text}`, 'base64url')}"` };
}

/** Opens a snapshot and calls `send`; closes it at once if `send` did not start the stream, else at its end. */
function withSnapshot(
  mirror: ServedMirror,
  { open, write, yieldControl }: SnapshotStream & { yieldControl: () => Promise<void> | undefined },
  send: (snapshot: Mirror, start: (onEnd: () => void) => Readable) => SendResult,
): SendResult {
  let startedStream: Readable | null = null;
  // Destroying the stream shows the client that its download is incomplete.
  const abort = () => startedStream?.destroy(new Error('the mirror was replaced while it was being sent'));
  const snapshot = mirror.openGuardedReader(open, abort);
  using _ = { [Symbol.dispose]: () => startedStream ?? snapshot.close() }; // a started stream closes it at its end
  return send(snapshot, (onEnd) => {
    const stream = new PassThrough();
    startedStream = stream;
    // A fast client would starve other requests, so all streams share the event-loop turns of one caller.
    write(snapshot, Object.assign(pacedSink(streamSink(stream), yieldControl), { yieldControl }))
      .then(
        () => stream.end(),
        (error) => stream.destroy(error),
      )
      .finally(() => {
        snapshot.close();
        onEnd();
      });
    return stream;
  });
}

const encodingOf = ({ headers }: FastifyRequest) => chooseEncoding(headers['accept-encoding']);

/** Appends the encoding to the ETag, since a strong ETag identifies the bytes. */
function validatorsForEncoding(validators: Validators, encoding: Encoding | null): Validators {
  if (encoding === null) return validators;
  return { ...validators, etag: validators.etag.replace(/"$/, `-${encoding}"`) };
}

/** Returns a function that computes validators; they require exact dates once an older mirror was installed. */
function createValidatorSource(mirror: ServedMirror, settings: () => unknown, clock: () => number) {
  let previousModifiedMs = 0;
  // An older mirror copied over the file keeps its inode, so `mirror.isReplaced()` stays false.
  let isRolledBack = false;
  // `trouble`, the reason for a fallback answer, gives that answer its own ETag.
  return (request: FastifyRequest, edition: Edition, trouble = ''): Validators => {
    const serverState = JSON.stringify([mirror.citation(), settings()]);
    const canonicalRequest = `${serverState} ${canonicalRequestOf(request, edition)}${trouble}`;
    const validators = validatorsOf(edition, canonicalRequest, clock());
    isRolledBack ||= validators.modifiedMs < previousModifiedMs;
    previousModifiedMs = validators.modifiedMs;
    return { ...validators, requiresExactDate: isRolledBack || mirror.isReplaced() };
  };
}

/** Returns the canonical text of a request: parameters sorted, defaults filled in, unknown ones dropped. */
function canonicalRequestOf({ routeOptions: { url = '' }, values }: FastifyRequest, { syncedAt }: Edition): string {
  const parameters = values ?? {};
  const names = Object.keys(parameters).sort();
  // Pages show the time of the last sync, and changes and briefs may start at it.
  const syncState = /^\/api\/v1\/(?!changes|brief)/.test(url) ? [] : [syncedAt];
  return JSON.stringify([url, names.map((name) => [name, parameters[name]]), ...syncState]);
}

function setValidators(reply: FastifyReply, { etag, lastModified }: Validators): FastifyReply {
  reply.header('etag', etag).header('cache-control', 'public, max-age=60, must-revalidate');
  return lastModified === null ? reply : reply.header('last-modified', lastModified);
}

function sendNotModified(reply: FastifyReply, validators: Validators): FastifyReply {
  setValidators(reply, validators).code(304);
  for (const part of ['type', 'length', 'encoding', 'disposition']) reply.removeHeader(`content-${part}`);
  // For HEAD, an empty stream keeps fastify from sending `content-length: 0`, which is wrong for GET.
  return reply.request.method === 'HEAD' ? reply.send(Readable.from([])) : reply.send();
}
