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

/** How routes answer: with validators, and with nothing but these where the caller has the answer already. */
export type Responses = {
  /**
   * Sends a text made in one view of the mirror; `make` is not called if the caller has it.
   */
  json(request: FastifyRequest, reply: FastifyReply, make: () => string, how?: Manner): FastifyReply;
  /** The same for text that is made elsewhere. */
  made(
    request: FastifyRequest,
    reply: FastifyReply,
    make: () => Promise<MadeText>,
    how?: Manner,
  ): Promise<FastifyReply>;
  /** Sends what `open` reads from a snapshot of the mirror that is at `edition`. */
  stream(
    request: FastifyRequest,
    reply: FastifyReply,
    { edition, open }: { edition: Edition; open: () => Readable },
  ): FastifyReply;
  /** Sends a text that is known already. */
  fixed(request: FastifyRequest, reply: FastifyReply, answer: FixedResponse): FastifyReply;
};

/** What a text is, JSON where nothing is said; `isMoving` where the same address asks something else later. */
export type Manner = { isMoving: boolean; contentType?: string };

export type ResponseParts = {
  cache: ResponseCache;
  /** The edition of the mirror now, the same object as long as it is the same. */
  edition: () => Edition;
  responder: CachedResponder | null;
};

/** A text that is sent as it is, with the validators that follow from it. */
export type FixedResponse = { text: string; contentType: string; validators: Validators };

const jsonType = 'application/json; charset=utf-8';

/**
 * Responses over the mirror that is served; `semantic` and whom it cites are part of what an answer depends on, and
 * `responder` is given what it may send again by itself.
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
    // The mirror changed meanwhile, or this stands in for the answer: what is kept under a tag is what the tag says.
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

/** What an answer depends on beside what was asked, made once for whom there is to be cited. */
function servedText({ citation }: ServedMirror, semantic: boolean): () => string {
  let last: { cited: Citation; text: string } | null = null;
  return () => {
    const cited = citation();
    if (last?.cited !== cited) last = { cited, text: JSON.stringify([cited, semantic]) };
    return last.text;
  };
}

/** A text to be sent again and again; JSON where nothing else is said. */
export function fixedResponse(text: string, contentType = jsonType): FixedResponse {
  return { text, contentType, validators: validatorsOfText(`${contentType}\n${text}`) };
}

type Exchange = {
  request: FastifyRequest;
  reply: FastifyReply;
  encoding: Encoding | null;
  cache: ResponseCache;
  /** The edition that the answer was made from; null if it does not come from the mirror. */
  edition: Edition | null;
  /** Is given what it may send again by itself. */
  responder: CachedResponder | null;
  /** True where the same address asks something else later. */
  isMoving?: boolean;
};

type Opened = Exchange & { edition: Edition; asked: string; validators: Validators };

/** Sends the text under its validators: kept bytes where there are some, and nothing where the caller has them. */
function send(exchange: Exchange, validators: Validators, text: () => string): FastifyReply {
  const { request, reply, encoding, cache, edition, responder } = exchange;
  const key = validators.etag;
  // What does not come from the mirror outlives its changes.
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

/** A strong tag names the bytes: those of each coding have one of their own. */
function tagFor(validators: Validators, encoding: Encoding | null): Validators {
  if (encoding === null) return validators;
  return { ...validators, etag: validators.etag.replace(/"$/, `-${encoding}"`) };
}

function encodedStream(plain: Readable, encoding: Encoding): Readable {
  // An error is that of the whole pipeline: fastify sees it on the stream that it sends.
  return pipeline(plain, createEncoder(encoding), () => {});
}

const mostKnown = 10_000;

/** The validators of answers, each made once an edition. */
function createTagging(isReplaced: () => boolean): (edition: Edition, asked: string) => Validators {
  let last: Edition | null = null;
  // A file that another one was copied over is the same file.
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

/** The same text for every spelling of one question: parameters by name, defaults filled in, unknown ones gone. */
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

/** To HEAD fastify states a length of 0 for no payload, which would be that of GET; of a stream it states none. */
function sendNothing(reply: FastifyReply): FastifyReply {
  return reply.request.method === 'HEAD' ? reply.send(Readable.from([])) : reply.send();
}
