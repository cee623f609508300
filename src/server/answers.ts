import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Edition, readEdition } from '../store/edition.ts';
import type { Mirror } from '../store/open.ts';
import { inOneView } from '../store/snapshot.ts';
import { isNotModified, namesTag, type Validators, validatorsOf, validatorsOfText } from './conditional.ts';
import type { ServerSettings } from './serving.ts';

/** How routes answer: with validators, and with nothing but these where the caller has the answer already. */
export type Answers = {
  /** Sends JSON text made in one view of the mirror; `make` is not called if the caller has it. */
  json(request: FastifyRequest, reply: FastifyReply, make: () => string): FastifyReply;
  /** Sends what `open` reads from a snapshot of the mirror that is at `edition`. */
  stream(
    request: FastifyRequest,
    reply: FastifyReply,
    { edition, open }: { edition: Edition; open: () => Readable },
  ): FastifyReply;
  /** Sends JSON text that stays the same until the program changes. */
  fixed(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply;
};

const jsonType = 'application/json; charset=utf-8';

/** Answers over one mirror; `settings` are part of what an answer depends on. */
export function createAnswers(mirror: Mirror, { citation, semantic }: ServerSettings): Answers {
  const salt = JSON.stringify([citation, semantic]);
  const asked = (request: FastifyRequest) => `${salt} ${canonicalOf(request)}`;
  const dated = createDating();
  return {
    json(request, reply, make) {
      const validators = dated(readEdition(mirror), asked(request));
      if (namesTag(request.headers, validators.etag)) return sendNotModified(reply, validators);
      const text = inOneView(mirror, make);
      if (isNotModified(request.headers, validators)) return sendNotModified(reply, validators);
      return validated(reply, validators).header('content-type', jsonType).send(text);
    },
    stream(request, reply, { edition, open }) {
      const validators = dated(edition, asked(request));
      if (isNotModified(request.headers, validators)) return sendNotModified(reply, validators);
      validated(reply, validators);
      return request.method === 'HEAD' ? sendNothing(reply) : reply.send(open());
    },
    fixed(request, reply, text) {
      const validators = validatorsOfText(text);
      if (isNotModified(request.headers, validators)) return sendNotModified(reply, validators);
      return validated(reply, validators).header('content-type', jsonType).send(text);
    },
  };
}

/**
 * A sync changes records long before it ends and states its time: until then `Last-Modified` says nothing about
 * what changed since, and is left out.
 */
function createDating(): (edition: Edition, asked: string) => Validators {
  let last: Edition | null = null;
  let unsettled: string | null | undefined;
  return (edition, asked) => {
    if (last && last.version !== edition.version && last.filledAt === edition.filledAt) {
      unsettled = edition.filledAt;
    }
    last = edition;
    const validators = validatorsOf(edition, asked);
    return unsettled === edition.filledAt ? { ...validators, lastModified: null } : validators;
  };
}

/** The same text for every spelling of one question: parameters by name, defaults filled in, unknown ones gone. */
function canonicalOf({ routeOptions, params, query }: FastifyRequest): string {
  const parameters = query as Record<string, unknown>;
  const named = Object.keys(parameters).sort();
  return JSON.stringify([routeOptions.url, params, named.map((name) => [name, parameters[name]])]);
}

function validated(reply: FastifyReply, { etag, lastModified }: Validators): FastifyReply {
  reply.header('etag', etag).header('cache-control', 'public, max-age=60, must-revalidate');
  return lastModified === null ? reply : reply.header('last-modified', lastModified);
}

function sendNotModified(reply: FastifyReply, validators: Validators): FastifyReply {
  validated(reply, validators).removeHeader('content-type').removeHeader('content-disposition').code(304);
  return sendNothing(reply);
}

/** To HEAD fastify states a length of 0 for no payload, which would be that of GET; of a stream it states none. */
function sendNothing(reply: FastifyReply): FastifyReply {
  return reply.request.method === 'HEAD' ? reply.send(Readable.from([])) : reply.send();
}
