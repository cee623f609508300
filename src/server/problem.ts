import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { HemicycleError } from '../errors.ts';
import { validationErrors } from './validation.ts';

/** What a problem may say beside its sentence. */
export type ProblemExtras = {
  errors?: { parameter: string; message: string }[];
  suggestions?: Record<string, string | null>[];
};

/** The server refuses a request: HTTP status, a sentence for people, and details for programs. */
export class RefusedRequestError extends Error {
  readonly status: number;
  readonly extras: ProblemExtras;

  constructor(status: number, detail: string, extras: ProblemExtras = {}) {
    super(detail);
    this.name = 'RefusedRequestError';
    this.status = status;
    this.extras = extras;
  }
}

/** A refusal that passes: `retryAfterSeconds` says when to come again. */
export class RefusedForNowError extends RefusedRequestError {
  readonly retryAfterSeconds: number;

  constructor(status: 429 | 503, detail: string, retryAfterSeconds: number) {
    super(status, detail);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** A 422 that says of each parameter what is wrong with it. */
export function badParameters(errors: { parameter: string; message: string }[]): RefusedRequestError {
  const detail = errors.map(({ parameter, message }) => `The parameter ${parameter} ${message}.`).join(' ');
  return new RefusedRequestError(422, detail, { errors });
}

/** The text of a problem document (RFC 9457). */
export function problemText(
  status: number,
  detail: string,
  extras: ProblemExtras & { instance?: string } = {},
) {
  return JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status, detail, ...extras });
}

/** Sends a problem document; nothing of it may be kept by a cache. */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: RefusedRequestError,
): FastifyReply {
  const { status, message, extras } = refusal;
  if (refusal instanceof RefusedForNowError) reply.header('retry-after', String(refusal.retryAfterSeconds));
  const text = problemText(status, message, { instance: pathOf(request.url), ...extras });
  return reply
    .code(status)
    .removeHeader('etag')
    .removeHeader('last-modified')
    .removeHeader('content-disposition')
    .removeHeader('content-encoding')
    .header('cache-control', 'no-store')
    .header('content-type', 'application/problem+json; charset=utf-8')
    .send(text);
}

/** Answers any error as a problem, without a word about the program's inside; `onFailure` gets what was left out. */
export function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  onFailure: (error: unknown) => void = () => {},
): FastifyReply {
  const refusal = refusalOf(error);
  if (refusal.status >= 500 && !(refusal instanceof RefusedForNowError)) onFailure(error);
  return sendProblem(request, reply, refusal);
}

function refusalOf(error: unknown): RefusedRequestError {
  if (error instanceof RefusedRequestError) return error;
  if (error instanceof HemicycleError) {
    return new RefusedRequestError(503, 'The mirror cannot be read at the moment; try again later.');
  }
  const { validation, validationContext, statusCode = 500 } = error as Partial<FastifyError>;
  if (validation) return badParameters(validationErrors(validation, validationContext));
  const detail = frameworkDetails[statusCode];
  if (detail) return new RefusedRequestError(statusCode, detail);
  return new RefusedRequestError(500, 'Something went wrong on the server; it is not the request.');
}

/** What fastify itself may refuse. */
const frameworkDetails: Record<number, string> = {
  400: 'The address is not valid percent-encoded UTF-8.',
  404: 'There is nothing at this address.',
  414: 'A part of the address is too long.',
};

/** Answers 404 for a path that the service does not have. */
export function answerUnknownPath(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const detail = 'There is nothing at this address; /openapi.json lists what there is.';
  return sendProblem(request, reply, new RefusedRequestError(404, detail));
}

const longestAddress = 8192;

/** Refuses an address of more than 8 kB before anything reads it. */
export async function refuseLongAddress(request: FastifyRequest): Promise<void> {
  if (request.url.length > longestAddress) {
    throw new RefusedRequestError(414, `The address is longer than ${longestAddress} characters.`);
  }
}

function pathOf(url: string): string {
  return url.split('?', 1)[0]!.slice(0, 500);
}
