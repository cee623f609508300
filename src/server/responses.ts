import { PassThrough, pipeline, Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pacedSink, type Sink, streamSink } from '../format/sink.ts';
import type { Citation } from '../model/attribution.ts';
import type { Mirror } from '../store/mirror.ts';
import { type Edition, readEdition } from '../store/records/contents.ts';
import { chooseEncoding, codecs, type Encoding } from './encodings.ts';
import { isNotModified, namesTag, type Validators, validatorsOf, validatorsOfText } from './headers.ts';
import type { KeptFiles } from './kept-files.ts';
import { noteCached } from './observed.ts';
import type { MadeText } from './reader.ts';
import type { SlotWaiter } from './request-slots.ts';
import { type Body, bodyOf, type ResponseCache } from './response-cache.ts';
import { acquire, type Semaphore } from './semaphore.ts';
import { onceFor, type ServedMirror } from './served-mirror.ts';

type Sent = FastifyReply | Promise<FastifyReply>;

/** Sends responses with validators; 304 if the client has the response already. */
export type Responses = ReturnType<typeof createResponses>;

/** Opens a snapshot of the file at a path, with its response headers; `write` sends it in chunks of about 64 kB. */
type SnapshotStream = {
  open: (path: string) => Mirror;
  write: (snapshot: Mirror, sink: Sink) => Promise<unknown>;
  /** True if clients may request ranges and the length, for which the file is cached on disk. */
  hasParts?: boolean;
};

/** A prepared text with validators from its content. */
export type FixedResponse = { text: string; contentType: string; own: Omit<Validators, 'lastModified'> };

type Sending = {
  body: Body;
  validators: Validators;
  /** Encoding that the request accepts; derived from its headers by default. */
  encoding?: Encoding | null;
};

const jsonType = 'application/json; charset=utf-8';

/** Returns the senders of responses from the served mirror; ETags also depend on `semantic` and the citation. */
export function createResponses(
  mirror: ServedMirror,
  { semantic }: { semantic: boolean },
  parts: {
    cache: ResponseCache;
    waitForSlot: SlotWaiter;
    exports: Semaphore;
    files: KeptFiles;
    clock: () => number;
  },
) {
  const { cache, waitForSlot, exports, files, clock } = parts;
  const tagsOf = createTagging(mirror, { semantic, clock });
  const send = (
    request: FastifyRequest,
    reply: FastifyReply,
    { body, validators, encoding = encodingOf(request) }: Sending,
  ) => {
    const tagged = tagFor(validators, encoding);
    if (isNotModified(request.headers, tagged)) return sendNotModified(reply, tagged);
    const encoded = cache.encoded(validators.etag, body, encoding);
    if (encoded) reply.header('content-encoding', encoding);
    validated(reply, tagged);
    return reply.send(encoded ?? body.plain);
  };
  return {
    /** Sends a text of the mirror; `make` is not called if it is cached. */
    text(
      request: FastifyRequest,
      reply: FastifyReply,
      make: () => MadeText | Promise<MadeText>,
      contentType = jsonType,
    ): Sent {
      const edition = mirror.edition();
      const validators = tagsOf(request, edition);
      const key = validators.etag;
      const encoding = encodingOf(request);
      const tagged = tagFor(validators, encoding);
      if (namesTag(request.headers, tagged.etag)) return sendNotModified(reply, tagged);
      reply.header('content-type', contentType);
      cache.setEdition(edition);
      const sendCached = (body: Body) => send(request, reply, { body, validators, encoding });
      const sendMade = (madeText: MadeText) => {
        const { trouble = null } = madeText;
        const text = madeText.isBase64 ? Buffer.from(madeText.text, 'base64') : madeText.text;
        if (trouble === null && isDeepStrictEqual(madeText.edition, edition))
          return sendCached(cache.get(key) ?? cache.put(key, text));
        // The mirror changed meanwhile, or this is a fallback: caching it would break the ETag.
        const own = tagsOf(request, madeText.edition, trouble ?? '');
        return send(request, reply, { body: bodyOf(text), validators: own, encoding });
      };
      const body = cache.get(key);
      if (body) {
        noteCached(request);
        return sendCached(body);
      }
      const result = make();
      return result instanceof Promise ? result.then(sendMade) : sendMade(result);
    },
    stream(request: FastifyRequest, reply: FastifyReply, source: SnapshotStream): Sent {
      return withSnapshot(mirror, { ...source, yieldControl: () => waitForSlot('streams') }, (snapshot, start) => {
        const encoding = isTextIn(reply) ? encodingOf(request) : null;
        const validators = tagFor(tagsOf(request, readEdition(snapshot)), encoding);
        if (isNotModified(request.headers, validators)) return sendNotModified(reply, validators);
        validated(reply, validators);
        if (encoding !== null) reply.header('content-encoding', encoding);
        const make = () => {
          const stream = start(acquire(exports, request.caller!.key, 'exports'));
          // `pipeline` destroys the last stream on any error, and fastify listens to that.
          return encoding === null ? stream : pipeline(stream, codecs[encoding].stream(), () => {});
        };
        if (source.hasParts) return files.send(request, reply, { etag: validators.etag, make });
        return reply.send(request.method === 'HEAD' ? Readable.from([]) : make());
      });
    },
    fixed(request: FastifyRequest, reply: FastifyReply, { text, contentType, own }: FixedResponse) {
      const body = cache.get(own.etag) ?? cache.put(own.etag, text, { isFixed: true });
      const dated = mirror.isThere() ? tagsOf(request, mirror.edition()) : { lastModified: null };
      return send(request, reply.header('content-type', contentType), {
        body,
        validators: { ...dated, ...own },
      });
    },
  };
}

/** Returns a prepared response with validators from its content; JSON by default. */
export function fixedResponse(text: string, contentType = jsonType): FixedResponse {
  return { text, contentType, own: validatorsOfText(`${contentType}\n${text}`) };
}

/** Opens a snapshot for `send`, and closes it unless `send` starts the stream. */
function withSnapshot(
  mirror: ServedMirror,
  { open, write, yieldControl }: SnapshotStream & { yieldControl: () => Promise<void> | undefined },
  send: (snapshot: Mirror, start: (atEnd: () => void) => Readable) => Sent,
): Sent {
  let sent: Readable | null = null;
  // Destroying the stream shows the client that its download is incomplete.
  const end = () => sent?.destroy(new Error('the mirror was replaced while it was being sent'));
  const snapshot = mirror.beside(open, end);
  try {
    return send(snapshot, (atEnd) => {
      const stream = new PassThrough();
      sent = stream;
      // A socket that accepts bytes as fast as they are read would starve others, so all streams share the turns.
      write(snapshot, Object.assign(pacedSink(streamSink(stream), yieldControl), { yieldControl }))
        .then(
          () => stream.end(),
          (error) => stream.destroy(error),
        )
        .finally(() => {
          snapshot.close();
          atEnd();
        });
      return stream;
    });
  } finally {
    if (sent === null) snapshot.close();
  }
}

const isTextIn = (reply: FastifyReply) => /^text\/|ndjson/.test(String(reply.getHeader('content-type')));

const encodingOf = ({ headers }: FastifyRequest) => chooseEncoding(headers['accept-encoding']);

/** A strong ETag identifies the bytes, so each encoding has its own. */
function tagFor(validators: Validators, encoding: Encoding | null): Validators {
  if (encoding === null) return validators;
  return { ...validators, etag: validators.etag.replace(/"$/, `-${encoding}"`) };
}

/** Returns a function that returns validators and notices when the mirror goes back in time. */
function createTagging(mirror: ServedMirror, { semantic, clock }: { semantic: boolean; clock: () => number }) {
  const servedText = onceFor((citation: Citation) => JSON.stringify([citation, semantic]));
  let last = 0;
  // An older mirror copied over the file keeps its inode, so `isReplaced` stays false.
  let wentBack = false;
  return (request: FastifyRequest, edition: Edition, trouble = ''): Validators => {
    const canonicalRequest = `${servedText(mirror.citation())} ${canonicalOf(request, edition)}${trouble}`;
    const validators = validatorsOf(edition, canonicalRequest, clock());
    wentBack ||= validators.modifiedMs < last;
    last = validators.modifiedMs;
    return { ...validators, isReplaced: wentBack || mirror.isReplaced() };
  };
}

/** Returns the canonical text of a request: parameters sorted, defaults filled in, unknown ones dropped. */
function canonicalOf({ routeOptions: { url = '' }, values }: FastifyRequest, { syncedAt }: Edition): string {
  const read = values ?? {};
  const names = Object.keys(read).sort();
  // Pages show when they were retrieved, and changes may be requested since the last sync.
  const retrieved = /^\/api\/v1\/(?!changes)/.test(url) ? [] : [syncedAt];
  return JSON.stringify([url, names.map((name) => [name, read[name]]), ...retrieved]);
}

function validated(reply: FastifyReply, { etag, lastModified }: Validators): FastifyReply {
  reply.header('etag', etag).header('cache-control', 'public, max-age=60, must-revalidate');
  return lastModified === null ? reply : reply.header('last-modified', lastModified);
}

function sendNotModified(reply: FastifyReply, validators: Validators): FastifyReply {
  validated(reply, validators).code(304);
  for (const part of ['type', 'length', 'encoding', 'disposition']) reply.removeHeader(`content-${part}`);
  // For HEAD, an empty stream keeps fastify from sending `content-length: 0`, which is wrong for GET.
  return reply.request.method === 'HEAD' ? reply.send(Readable.from([])) : reply.send();
}
