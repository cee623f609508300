import { pipeline, Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Citation } from '../model/attribution.ts';
import { type Edition, readEdition } from '../store/records/contents.ts';
import { inOneView } from '../store/transaction.ts';
import type { CachedResponder } from './cached-responder.ts';
import { isSame } from './edition-reader.ts';
import { chooseEncoding, createEncoder, type Encoding } from './encodings.ts';
import {
  headersOfBody,
  isNotModified,
  namesTag,
  type Validators,
  validatorsOf,
  validatorsOfText,
} from './headers.ts';
import type { MadeText } from './reader.ts';
import { ResponseCache } from './response-cache.ts';
import type { ServedMirror } from './served-mirror.ts';

/** Sends responses with validators; 304 if the client has the response already. */
export type Responses = {
  /** Sends a text made in one read transaction; `make` is not called for a cached response or a 304. */
  json(request: FastifyRequest, reply: FastifyReply, make: () => string, how?: Manner): FastifyReply;
  /** The same for text made asynchronously, as by a reader process; coalesces concurrent requests. */
  made(
    request: FastifyRequest,
    reply: FastifyReply,
    make: () => Promise<MadeText>,
    how?: Manner,
  ): Promise<FastifyReply>;
  /** Sends the stream that `open` returns, read from a snapshot at `edition`. */
  stream(
    request: FastifyRequest,
    reply: FastifyReply,
    { edition, open }: { edition: Edition; open: () => Readable },
  ): FastifyReply;
  /** Sends a prepared text. */
  fixed(request: FastifyRequest, reply: FastifyReply, answer: FixedResponse): FastifyReply;
};

/** `contentType` is JSON by default; `isMoving` marks URLs that mean something else later, such as `7d`. */
export type Manner = { isMoving: boolean; contentType?: string };

export type ResponseParts = {
  cache: ResponseCache;
  /** The current edition of the mirror; the same object until it changes. */
  edition: () => Edition;
  responder: CachedResponder | null;
};

/** A prepared text with validators from its content. */
export type FixedResponse = { text: string; contentType: string; validators: Validators };

const jsonType = 'application/json; charset=utf-8';

/**
 * Responses from the served mirror. ETags also depend on `semantic` and the citation; `responder` gets
 * responses that it may replay.
 */
export function createResponses(
  mirror: ServedMirror,
  { semantic }: { semantic: boolean },
  { cache, edition: currentEdition, responder }: ResponseParts,
): Responses {
  const served = servedText(mirror, semantic);
  const askedBy = (request: FastifyRequest) => `${served()} ${canonicalOf(request)}`;
  const tagsOf = createTagging(mirror.isReplaced);
  const nothingKept = new ResponseCache(0);
  // Coalesce concurrent requests for the same body.
  const inMaking = new Map<string, Promise<MadeText>>();
  const opened = (request: FastifyRequest, reply: FastifyReply): Opened => {
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    const edition = currentEdition();
    const asked = askedBy(request);
    cache.turnTo(edition);
    const validators = tagsOf(edition, asked);
    return { request, reply, encoding, cache, edition, responder, asked, validators };
  };
  const sendKnown = (exchange: Opened, contentType = jsonType) => {
    const { request, reply, encoding, validators } = exchange;
    const tagged = tagFor(validators, encoding);
    if (namesTag(request.headers, tagged.etag)) return sendNotModified(reply, tagged);
    reply.header('content-type', contentType);
    return cache.has(validators.etag) ? send(exchange, validators, () => '') : null;
  };
  const sendMade = (exchange: Opened, { edition, text, trouble }: MadeText) => {
    if (!trouble && isSame(edition, exchange.edition)) return send(exchange, exchange.validators, () => text);
    // The mirror changed meanwhile, or this is a fallback: caching it would break the ETag.
    const unkept = { ...exchange, cache: nothingKept, edition: null };
    return send(unkept, tagsOf(edition, `${exchange.asked}${trouble ?? ''}`), () => text);
  };
  return {
    json(request, reply, make, { isMoving, contentType }: Manner = { isMoving: false }) {
      const exchange = { ...opened(request, reply), isMoving };
      const known = sendKnown(exchange, contentType);
      if (known) return known;
      return sendMade(
        exchange,
        inOneView(mirror.current(), () => ({ edition: readEdition(mirror.current()), text: make() })),
      );
    },
    async made(request, reply, make, { isMoving, contentType }: Manner = { isMoving: false }) {
      const exchange = { ...opened(request, reply), isMoving };
      const known = sendKnown(exchange, contentType);
      if (known) return known;
      const key = exchange.validators.etag;
      const making = inMaking.get(key) ?? make().finally(() => inMaking.delete(key));
      inMaking.set(key, making);
      return sendMade(exchange, await making);
    },
    stream(request, reply, { edition, open }) {
      const isText = /^text\/|ndjson/.test(String(reply.getHeader('content-type')));
      const encoding = isText ? chooseEncoding(request.headers['accept-encoding']) : null;
      const validators = tagFor(tagsOf(edition, askedBy(request)), encoding);
      if (isNotModified(request.headers, validators)) return sendNotModified(reply, validators);
      validated(reply, validators);
      if (encoding !== null) reply.header('content-encoding', encoding);
      if (request.method === 'HEAD') return sendNothing(reply);
      return reply.send(encoding === null ? open() : encodedStream(open(), encoding));
    },
    fixed(request, reply, { text, contentType, validators }) {
      const encoding = chooseEncoding(request.headers['accept-encoding']);
      const exchange = {
        request,
        reply: reply.header('content-type', contentType),
        encoding,
        cache,
        edition: null,
        responder: null,
      };
      return send(exchange, validators, () => text);
    },
  };
}

/** What ETags depend on besides request and edition: citation and `semantic`, memoized. */
function servedText({ citation }: ServedMirror, semantic: boolean): () => string {
  let last: { cited: Citation; text: string } | null = null;
  return () => {
    const cited = citation();
    if (last?.cited !== cited) last = { cited, text: JSON.stringify([cited, semantic]) };
    return last.text;
  };
}

/** A prepared response with validators from its content; JSON by default. */
export function fixedResponse(text: string, contentType = jsonType): FixedResponse {
  return { text, contentType, validators: validatorsOfText(`${contentType}\n${text}`) };
}

type Exchange = {
  request: FastifyRequest;
  reply: FastifyReply;
  encoding: Encoding | null;
  cache: ResponseCache;
  /** The edition that the response was read from; null if it does not come from the mirror. */
  edition: Edition | null;
  /** Gets responses that it may replay. */
  responder: CachedResponder | null;
  /** True if the same URL means something else later. */
  isMoving?: boolean;
};

type Opened = Exchange & { edition: Edition; asked: string; validators: Validators };

/** Sends the cached body, or caches and sends `text()`; 304 if the client has it. */
function send(exchange: Exchange, validators: Validators, text: () => string): FastifyReply {
  const { request, reply, encoding, cache, edition, responder } = exchange;
  const key = validators.etag;
  // Texts that do not come from the mirror stay cached when it changes.
  const body = cache.get(key) ?? cache.put(key, text(), { isFixed: edition === null });
  const tagged = tagFor(validators, encoding);
  if (isNotModified(request.headers, tagged)) return sendNotModified(reply, tagged);
  const encoded = cache.encoded(key, body, encoding);
  if (encoded) reply.header('content-encoding', encoding);
  const bytes = encoded ?? body.plain;
  validated(reply, tagged);
  if (edition !== null && cache.has(key) && !exchange.isMoving) {
    responder?.keep(request.raw, {
      edition,
      validators: tagged,
      headers: { ...reply.getHeaders(), 'content-length': bytes.length },
      route: request.routeOptions.url ?? null,
      bodyKey: key,
      encoding: encoded ? encoding : null,
    });
  }
  return reply.send(bytes);
}

/** A strong ETag identifies the bytes, so each coding has another one. */
function tagFor(validators: Validators, encoding: Encoding | null): Validators {
  if (encoding === null) return validators;
  return { ...validators, etag: validators.etag.replace(/"$/, `-${encoding}"`) };
}

function encodedStream(plain: Readable, encoding: Encoding): Readable {
  // `pipeline` destroys the encoder on any error, and fastify listens to the encoder.
  return pipeline(plain, createEncoder(encoding), () => {});
}

const mostKnown = 10_000;

/** A function that returns validators, memoized per edition. */
function createTagging(isReplaced: () => boolean): (edition: Edition, asked: string) => Validators {
  let last: Edition | null = null;
  // An older mirror copied over the file keeps its inode, so `isReplaced` stays false.
  let wentBack = false;
  const known = new Map<string, Validators>();
  return (edition, asked) => {
    if (last !== edition || known.size > mostKnown) known.clear();
    wentBack ||= (edition.filledAt ?? '') < (last?.filledAt ?? '');
    last = edition;
    const before = known.get(asked);
    if (before) return before;
    const validators = { ...validatorsOf(edition, asked), isReplaced: wentBack || isReplaced() };
    known.set(asked, validators);
    return validators;
  };
}

/** Canonical text of a request: parameters sorted, defaults filled in, unknown ones dropped. */
function canonicalOf({ routeOptions, values }: FastifyRequest): string {
  const read = values ?? {};
  const names = Object.keys(read).sort();
  return JSON.stringify([routeOptions.url, names.map((name) => [name, read[name]])]);
}

function validated(reply: FastifyReply, { etag, lastModified }: Validators): FastifyReply {
  reply.header('etag', etag).header('cache-control', 'public, max-age=60, must-revalidate');
  return lastModified === null ? reply : reply.header('last-modified', lastModified);
}

function sendNotModified(reply: FastifyReply, validators: Validators): FastifyReply {
  validated(reply, validators).code(304);
  for (const name of headersOfBody) reply.removeHeader(name);
  return sendNothing(reply);
}

/** For HEAD, an empty stream keeps fastify from sending `content-length: 0`, which is wrong for GET. */
function sendNothing(reply: FastifyReply): FastifyReply {
  return reply.request.method === 'HEAD' ? reply.send(Readable.from([])) : reply.send();
}
